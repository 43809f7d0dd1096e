/** verl's correction for a sampler that is not the trainer, as options of apply_update. @module */
import { computed, each } from "./entries.ts";
import type { Given, Made, Table } from "./table.ts";

const C = "algorithm.rollout_correction.";

/** algorithm.rollout_correction: weights of tokens or completions by how far sampler and trainer disagree. */
export function verlCorrection(): Table {
  const weights = (given: Given): Made => {
    const level = given.value(`${C}rollout_is`), threshold = given.value(`${C}rollout_is_threshold`);
    if (level === null) return { equal: "no weights" };
    const bounds = typeof threshold === "string" && threshold.includes("_")
      ? threshold.split("_").map(Number)
      : [0, Number(threshold)];
    return {
      set: {
        "apply_update.sampler_weights": level,
        "apply_update.sampler_bounds": bounds,
        "apply_update.sampler_outside": typeof threshold === "string" && threshold.includes("_") ? "mask" : "truncate",
        ...(given.value(`${C}rollout_is_batch_normalize`) === true ? { "apply_update.sampler_normalize": true } : {}),
      },
      note: "near 1 here: the sampler is the policy's own graph",
    };
  };
  return {
    [`${C}rollout_is`]: computed(null, (_, given) => weights(given)),
    ...each(`${C}rollout_is_threshold ${C}rollout_is_batch_normalize`, { make: (_, given) => weights(given) }),
    [`${C}rollout_is_threshold`]: computed(2, (_, given) => weights(given)),
    [`${C}rollout_rs`]: computed(
      null,
      (value) => value === null ? { equal: "nothing is rejected" } : { set: { "apply_update.sampler_reject": value } },
    ),
    [`${C}rollout_rs_threshold`]: computed(
      null,
      (value) => value === null ? { equal: "none" } : { lacks: "the bounds of sampler_reject decide: set them there" },
    ),
    [`${C}bypass_mode`]: computed(
      false,
      (value) =>
        value === true
          ? { set: { "apply_update.old_logprobs": "sampler" } }
          : { equal: "old log-probs are the trainer's" },
    ),
    [`${C}loss_type`]: computed(
      "ppo_clip",
      (value, given) =>
        given.value(`${C}bypass_mode`) !== true || value === "ppo_clip"
          ? { equal: "the loss of loss_mode" }
          : { set: { "apply_update.preset": "verl/reinforce" } },
    ),
  };
}
