/** TRL's RLOO: its options as those of our steps. @module */
import { computed, noNumber } from "./entries.ts";
import type { Table } from "./table.ts";
import { trainingArguments } from "./hugging_face.ts";
import { rewardEntries } from "./rewards.ts";
import { TRL_COUNTING, TRL_REFERENCE, TRL_SAMPLING } from "./trl_batch.ts";
import { modelAndData } from "./trl_model.ts";

/** Options of RLOOConfig. */
export const TRL_RLOO: Table = {
  ...modelAndData("load_prompts"),
  ...trainingArguments(TRL_COUNTING, 1e-6),
  ...TRL_SAMPLING,
  ...rewardEntries(null),
  ...TRL_REFERENCE,
  num_generations: computed(
    2,
    (value) => typeof value !== "number" ? noNumber(value) : { set: { "sample_groups.group_size": value } },
  ),
  beta: computed(0.05, (value) =>
    typeof value !== "number" ? noNumber(value) : {
      set: { "compute_advantages.kl_coef": value, "load_model.reference": value > 0 ? "copy" : "none" },
      note: value > 0 ? "in the reward, summed k1" : "no reference, no KL",
    }),
  epsilon: computed(0.2, (value, given) =>
    typeof value !== "number" ? noNumber(value) : {
      set: { "apply_update.clip_low": value, "apply_update.clip_high": given.number("epsilon_high", value) },
    }),
  epsilon_high: computed(
    null,
    (value) =>
      value === null
        ? { equal: "as epsilon" }
        : typeof value === "number"
        ? { set: { "apply_update.clip_high": value } }
        : noNumber(value),
  ),
  normalize_advantages: computed(false, (value) => ({ set: { "compute_advantages.normalize": value === true } })),
  reward_clip_range: computed(
    null,
    (value) =>
      Array.isArray(value) && value.length === 2
        ? { set: { "compute_advantages.reward_clip": value } }
        : { equal: "rewards are not clipped" },
  ),
};
