/** The parts of `bench models`, in the order in which they run. @module */
import { FAMILIES_PART } from "./families.ts";
import { DECODE } from "./decode.ts";
import type { Part } from "./figure.ts";
import { LOAD } from "./load.ts";
import { LORA_STEP } from "./lora_step.ts";
import { MEMORY } from "./memory.ts";
import { TOKENIZER } from "./tokenizer.ts";
import { VISUAL_STEP } from "./visual_step.ts";
import { WORKFLOWS } from "./workflows.ts";

export const PARTS: Readonly<Record<string, Part>> = {
  load: LOAD,
  tokenizer: TOKENIZER,
  decode: DECODE,
  lora_step: LORA_STEP,
  families: FAMILIES_PART,
  visual_step: VISUAL_STEP,
  memory: MEMORY,
  workflows: WORKFLOWS,
};
