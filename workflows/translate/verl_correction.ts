/** verl's correction for a sampler that is not the trainer, as options of apply_update. @module */
import { parseRejection, parseWeightThreshold } from "../../steps/corrections/thresholds.ts";
import { computed, each } from "./entries.ts";
import type { Given, Made, Table } from "./table.ts";
import { isRecord, shownValue, valueText } from "./written.ts";

const C = "algorithm.rollout_correction.";

/** algorithm.rollout_correction: weights of tokens or completions by how far sampler and trainer disagree. */
export function verlCorrection(): Table {
  const weights = (given: Given): Made => {
    const level = given.value(`${C}rollout_is`), threshold = given.value(`${C}rollout_is_threshold`);
    if (level === null) return { equal: "no weights" };
    if (comparesRatios(given)) {
      return { equal: "in bypass mode the ratio is that of the sampler: no weights beside it" };
    }
    if (level !== "token" && level !== "sequence") return { lacks: `"${shownValue(level)}" is not here: no weights` };
    return orLacks("no weights", () => {
      const bounds = parseWeightThreshold(threshold);
      return {
        set: {
          "apply_update.sampler_weights": level,
          "apply_update.sampler_bounds": bounds,
          "apply_update.sampler_outside": bounds[0] === null ? "truncate" : "mask",
          ...(given.value(`${C}rollout_is_batch_normalize`) === true ? { "apply_update.sampler_normalize": true } : {}),
        },
        note: "near 1 here: the sampler is the policy's own graph",
      };
    });
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

function rejected(given: Given): Made {
  const criteria = given.value(`${C}rollout_rs`), thresholds = given.value(`${C}rollout_rs_threshold`);
  const names = isRecord(criteria) ? valueText(criteria) : String(criteria);
  return orLacks("nothing is rejected", () => ({
    set: { "apply_update.sampler_reject": Object.fromEntries(parseRejection(names, thresholds)) },
  }));
}

/** What verl would raise on is said, with what happens here. */
function orLacks(instead: string, make: () => Made): Made {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof RangeError || error instanceof TypeError)) throw error;
    return { lacks: `${error.message}; ${instead}` };
  }
}
