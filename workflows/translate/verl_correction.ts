/** verl's correction for a sampler that is not the trainer, as options of apply_update. @module */
import { computed, each } from "./entries.ts";
import type { Given, Made, Table } from "./table.ts";

const C = "algorithm.rollout_correction.";

/** algorithm.rollout_correction: weights of tokens or completions by how far sampler and trainer disagree. */
export function verlCorrection(): Table {
  const weights = (given: Given): Made => {
    const level = given.value(`${C}rollout_is`), threshold = given.value(`${C}rollout_is_threshold`);
    if (level === null) return { equal: "no weights" };
    if (comparesRatios(given)) {
      return { equal: "in bypass mode the ratio is that of the sampler: no weights beside it" };
    }
    const bounds = typeof threshold === "string" && threshold.includes("_")
      ? threshold.split("_").map(Number)
      : [null, Number(threshold)];
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
      (value, given) => value === null ? { equal: "nothing is rejected" } : rejected(given),
    ),
    [`${C}rollout_rs_threshold`]: computed(
      null,
      (_, given) =>
        given.value(`${C}rollout_rs`) === null ? { equal: "without effect unless rollout_rs" } : rejected(given),
    ),
    [`${C}bypass_mode`]: computed(
      false,
      (value, given) =>
        comparesRatios(given)
          ? { set: { "apply_update.old_logprobs": "sampler" } }
          : { equal: value === true ? "the loss has no ratio" : "old log-probs are the trainer's" },
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

/** True where ratios compare with the sampler: in bypass mode, of a loss that has ratios. */
const comparesRatios = (given: Given) =>
  given.value(`${C}bypass_mode`) === true && (given.value(`${C}loss_type`) ?? "ppo_clip") === "ppo_clip";

/** Criteria and their thresholds, as many or one for all: ratios for k1 (`lo_hi`, or x for 1/x to x), else the most. */
function rejected(given: Given): Made {
  const parts = (value: unknown) =>
    String(value ?? "").split(",").map((part) => part.trim()).filter((part) => part !== "");
  const criteria = parts(given.value(`${C}rollout_rs`)), thresholds = parts(given.value(`${C}rollout_rs_threshold`));
  if (thresholds.length === 0) return { lacks: "rollout_rs_threshold is not said: nothing is rejected" };
  const bound = (criterion: string, text: string) => {
    const [low, high] = text.split("_").map(Number) as [number, number?];
    return !criterion.endsWith("k1") ? low : high === undefined ? [1 / low, low] : [low, high];
  };
  const all = criteria.map((criterion, i) => [criterion, bound(criterion, thresholds[i] ?? thresholds[0]!)]);
  return { set: { "apply_update.sampler_reject": Object.fromEntries(all) } };
}
