/** Tells the programs of Visual-RFT, VLM-R1 and R1-V apart, which are called alike. @module */
import type { Variables } from "./shell_expansion.ts";
import type { Command } from "./shell_words.ts";
import type { ForeignSystem } from "./written.ts";

interface VisualProgram {
  readonly system: ForeignSystem;
  /** What its entry script trains, as `TRAINERS` calls it. */
  readonly trainer: string;
  /** What is to be told of the script, or null. */
  readonly note: string | null;
}

/** Flags that only VLM-R1's programs have. */
const VLM_FLAGS = ["--data_file_paths", "--image_folders", "--is_reward_customized_from_vlm_module"];
const VLM_WORDS = /vlm-?r1/i;
/** Words of paths and names in Visual-RFT's scripts: of the program, its data sets, their kinds of split. */
const RFT_WORDS = /virft|visual[-_]?rft|base65|\d_?cate(?:[_/]|$)|lvis|lisa_train|\d_?shot/i;
const R1V_WORDS = /(?:^|[^a-z])r1-v(?![a-z])|clevr|geoqa|leonardPKU/i;

/** Visual-RFT's scripts by their name; what is not here is its `grpo.py`. */
const RFT_SCRIPTS: Readonly<Record<string, string>> = {
  grpo_classification: "grpo_classification",
  grpo_lisa: "grpo_lisa",
  grpo_gui_grounding_lisa: "grpo_lisa",
};

/**
 * Which of them a command starts; null where it is another program.
 *
 * command     its words, the program's name at `at`
 * variables   of the script around it: paths that it does not use itself name the system too
 */
export function visualProgram(command: Command, at: number, variables: Variables): VisualProgram | null {
  const script = /(\w+)\.py$/.exec(command[at]!.text)?.[1] ?? "";
  const flags = new Set(command.map(({ text }) => text.replace(/=.*$/s, "").replaceAll(/(?<=\w)-/g, "_")));
  const words = [...command.map(({ text }) => text), ...[...variables.values()].flat()].join("\n");
  if (VLM_FLAGS.some((flag) => flags.has(flag)) || /^grpo_(?:rec|jsonl)$/.test(script)) {
    const trainer = script === "grpo_rec" && !flags.has("--data_file_paths") ? "grpo_rec" : "grpo_jsonl";
    return { system: "vlm-r1", trainer, note: null };
  }
  const own = RFT_SCRIPTS[script];
  if (own !== undefined) {
    const note = script === own
      ? null
      : `Visual-RFT has no ${script}.py, which 2B_lisa_grounding.sh names: read as ${own}.py`;
    return { system: "visual-rft", trainer: own, note };
  }
  const hasImages = flags.has("--max_pixels") || flags.has("--min_pixels");
  if (script !== "grpo" || !(hasImages || RFT_WORDS.test(words) || R1V_WORDS.test(words))) return null;
  if (VLM_WORDS.test(words) && !RFT_WORDS.test(words)) return { system: "vlm-r1", trainer: "grpo_rec", note: null };
  // Visual-RFT grew out of R1-V, and its scripts still name that folder.
  return RFT_WORDS.test(words) || !R1V_WORDS.test(words)
    ? { system: "visual-rft", trainer: "grpo", note: null }
    : { system: "r1-v-family", trainer: "grpo", note: null };
}
