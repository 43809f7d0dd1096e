/** R1-V: its options as those of our steps. @module */
import { computed } from "./entries.ts";
import type { Made, Settings, Table } from "./table.ts";
import { PROBLEM_COLUMNS, VISUAL_FIXED, type VisualBatch, visualTable } from "./visual_grpo.ts";
import { shownValue, type Value } from "./written.ts";

/** As TRL 0.14, from which its trainer is copied: a device's batch is one of prompts. */
export const R1V_BATCH: VisualBatch = { counts: "prompts", iterates: false };

/** What grpo.py scores by where nothing is said. */
export const R1V_FIXED: Settings = { ...VISUAL_FIXED, ...PROBLEM_COLUMNS };

const FUNCTIONS: Readonly<Record<string, { readonly reward: object; readonly note: string }>> = {
  accuracy: {
    reward: { uses: "numeric_match", name: "accuracy_reward" },
    note: "accuracy compares by math_verify or letter by letter there, by the last number here",
  },
  format: { reward: { uses: "visual/format", with: { compat: true } }, note: "" },
};

/** grpo.py takes its rewards by name from a table of these two. */
function rewardsOf(value: Value): Made {
  const names = (Array.isArray(value) ? value : [value]).map(shownValue).flatMap((name) => name.split(/[\s,]+/));
  const unknown = names.find((name) => !Object.hasOwn(FUNCTIONS, name));
  if (unknown !== undefined) return { lacks: `"${unknown}" is none of R1-V's: accuracy, format`, unread: true };
  const read = names.map((name) => FUNCTIONS[name]!);
  const note = read.map(({ note }) => note).filter((text) => text !== "").join("; ");
  return { set: { "score_rewards.rewards": read.map(({ reward }) => reward) }, note };
}

/** Options of grpo.py. */
export const R1V_GRPO: Table = {
  ...visualTable(R1V_BATCH),
  reward_funcs: computed(["accuracy", "format"], rewardsOf),
};

/** What the program does to every prompt, which the rows of a workflow must hold. */
export const R1V_NOTES: readonly string[] = [
  "R1-V puts a sentence behind every problem that asks for <think>…</think> and a final number in <answer>…</answer>: " +
  "write it into the prompts",
];
