/** The verifiers of prompts from a file, by the name that `verifier` of load_prompts gives them. @module */
import { boxes } from "./boxes.ts";
import { boxed } from "./boxed.ts";
import { exact } from "./exact.ts";
import { gsm8k } from "./gsm8k.ts";
import { jsonSchema } from "./json_schema.ts";
import { multipleChoice } from "./multiple_choice.ts";
import { numeric } from "./numeric.ts";
import { unitTests } from "./unit_tests.ts";
import type { Verifier } from "./verifier.ts";

export const PLAIN_VERIFIERS = {
  exact,
  numeric,
  gsm8k,
  boxed,
  multiple_choice: multipleChoice,
  json_schema: jsonSchema,
  unit_tests: unitTests,
  boxes,
} as const satisfies Record<string, Verifier>;

export type VerifierName = keyof typeof PLAIN_VERIFIERS;
