/** Visual-RFT: its options as those of our steps; its entry script decides the rewards. @module */
import { computed, lacking } from "./entries.ts";
import { dataPlace } from "./hub_names.ts";
import type { Given, Made, Settings, Table } from "./table.ts";
import { NO_DATA, PROBLEM_COLUMNS, VISUAL_FIXED, type VisualBatch, visualTable } from "./visual_grpo.ts";
import { isUnresolved, shownValue, type Value } from "./written.ts";

/** A device's batch is one of prompts, and each gets its whole group (trainer/grpo_trainer.py, num_return_sequences). */
export const RFT_BATCH: VisualBatch = { counts: "prompts", iterates: false };

const rewards = (...names: readonly string[]): Settings => ({
  "score_rewards.rewards": names.map((name) => ({ uses: `visual/${name}`, with: { compat: true } })),
});

/** What grpo.py, grpo_classification.py and grpo_lisa.py do whatever stands in the file. */
export const RFT_FIXED = {
  grpo: { ...VISUAL_FIXED, ...PROBLEM_COLUMNS, ...rewards("iou", "confidence", "format") },
  grpo_classification: { ...VISUAL_FIXED, ...PROBLEM_COLUMNS, ...rewards("classification", "format") },
  grpo_lisa: { ...VISUAL_FIXED, ...PROBLEM_COLUMNS, ...rewards("grounding", "format") },
} as const satisfies Readonly<Record<string, Settings>>;

/** A folder is read as `save_to_disk` wrote it; what is neither a path nor there is a name on the Hub. */
export function savedFolder(value: Value, given: Given): Made {
  if (isUnresolved(value) || typeof value !== "string") {
    return {
      lacks: `only known when the program runs (${
        shownValue(value)
      }); put the folder of the rows into load_prompts: file`,
    };
  }
  if (NO_DATA.test(value)) return { equal: "no name of data" };
  const place = dataPlace(value, given);
  const folder = /^(?:hf:|\.{0,2}\/)|\.(?:jsonl?|csv|parquet)$/.test(place) && !place.startsWith("./data/")
    ? place
    : `./${value.replace(/^\.\//, "")}`;
  return { set: { "load_prompts.file": folder }, note: "a folder of save_to_disk is read as it is" };
}

const data = computed(undefined, savedFolder, { asText: true });

/** Its script holds the list of rewards; the option is read by nothing. */
const unread = (script: string, list: string) =>
  computed(undefined, () => ({ equal: `${script} does not read it: ${list} score, there and here` }), { asText: true });

const TABLE: Table = { ...visualTable(RFT_BATCH), dataset_name: data };

export const RFT_DETECTION: Table = { ...TABLE, reward_funcs: unread("grpo.py", "IoU, confidence and format") };

export const RFT_CLASSIFICATION: Table = {
  ...TABLE,
  reward_funcs: unread("grpo_classification.py", "accuracy and format"),
};

export const RFT_GROUNDING: Table = {
  ...TABLE,
  reward_funcs: unread("grpo_lisa.py", "GIoU and format"),
  dataset_name: lacking(
    "grpo_lisa.py reads a JSON file whose path stands in the program: write its rows with columns image, problem and " +
      "solution, as (x1,y1),(x2,y2)",
  ),
};
