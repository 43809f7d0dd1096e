/** TRL's GRPO: its options as those of our steps. @module */
import { choice, computed, each, noNumber, noSuch, number } from "./entries.ts";
import type { Given, Made, Table } from "./table.ts";
import { shownValue, type Value, valueText } from "./written.ts";
import { trainingArguments } from "./hugging_face.ts";
import { rewardEntries } from "./rewards.ts";
import { TRL_COUNTING, TRL_REFERENCE, TRL_SAMPLING } from "./trl_batch.ts";
import { modelAndData } from "./trl_model.ts";

/** Losses of TRL that do not read delta. */
const UNCAPPED = new Set(["cispo", "sapo", "vespo"]);

/** Options of GRPOConfig. */
export const TRL_GRPO: Table = {
  ...modelAndData("load_prompts"),
  ...trainingArguments(TRL_COUNTING, 1e-6),
  ...TRL_SAMPLING,
  ...rewardEntries("sum_then_normalize"),
  ...TRL_REFERENCE,
  beta: computed(0, (value, given) => {
    if (typeof value !== "number") return noNumber(value);
    const biased = given.value("use_bias_correction_kl") !== false;
    return {
      set: value > 0
        ? {
          "apply_update.kl_coef": value,
          "load_model.reference": "copy",
          "apply_update.kl_estimator": "k3",
          "apply_update.kl_times_ratio": biased,
        }
        : { "apply_update.kl_coef": 0, "load_model.reference": "none" },
      note: value > 0 ? "in the loss, k3" : "no reference, no KL",
    };
  }, { also: ["kl_coef", "kl_beta"] }),
  use_bias_correction_kl: computed(
    true,
    (value, given) =>
      given.number("beta", 0) > 0
        ? { set: { "apply_update.kl_times_ratio": value === true } }
        : { equal: "without effect at beta 0" },
  ),
  loss_type: computed("dapo", lossOf),
  epsilon: computed(0.2, (value, given) => typeof value !== "number" ? noNumber(value) : clips(given)),
  epsilon_high: computed(
    null,
    (value, given) => value !== null && typeof value !== "number" ? noNumber(value) : clips(given),
  ),
  delta: computed(
    null,
    (value, given) =>
      value === null
        ? { equal: "no upper bound of the ratio" }
        : typeof value !== "number"
        ? noNumber(value)
        : UNCAPPED.has(valueText(given.value("loss_type") ?? "dapo"))
        ? { equal: "without effect on this loss_type" }
        : { set: { "apply_update.ratio_cap": value } },
  ),
  importance_sampling_level: choice("token", {
    token: {},
    sequence: { "apply_update.ratio_level": "sequence" },
  }, "the ratio is one per token"),
  scale_rewards: computed(
    "group",
    (value) =>
      value === true || value === "group"
        ? { set: { "compute_advantages.scale": "group" } }
        : value === false || value === "none"
        ? { set: { "compute_advantages.scale": "none" } }
        : value === "batch"
        ? { set: { "compute_advantages.scale": "batch" } }
        : { lacks: `"${shownValue(value)}" is not here; advantages are divided by the group's deviation` },
  ),
  top_entropy_quantile: computed(
    1,
    (value) =>
      typeof value !== "number"
        ? noNumber(value)
        : value >= 1
        ? { equal: "all tokens" }
        : { set: { "apply_update.top_entropy_fraction": value } },
  ),
  off_policy_mask_threshold: computed(
    null,
    (value) =>
      typeof value === "number"
        ? { set: { "apply_update.off_policy_threshold": value } }
        : { equal: "no completion is masked" },
  ),
  ...ownOf("sapo", {
    sapo_temperature_pos: ["temperature_positive", 1],
    sapo_temperature_neg: ["temperature_negative", 1.05],
  }),
  ...ownOf("vespo", {
    vespo_k_pos: ["k_positive", 2],
    vespo_lambda_pos: ["lambda_positive", 3],
    vespo_k_neg: ["k_negative", 3],
    vespo_lambda_neg: ["lambda_negative", 2],
  }),
  entropy_coef: number("apply_update.entropy_coef", 0),
  use_adaptive_entropy: computed(false, (value, given) =>
    value !== true ? { equal: "the weight is fixed" } : {
      set: {
        "apply_update.entropy_target": given.number("entropy_target", 0.2),
        "apply_update.entropy_coef_min": given.number("entropy_coef_min", 0),
        "apply_update.entropy_coef_max": given.number("entropy_coef_max", 1),
        "apply_update.entropy_coef_step": given.number("entropy_coef_delta", 0.005),
      },
    }),
  ...Object.fromEntries(
    [["entropy_target", "entropy_target", 0.2], ["entropy_coef_min", "entropy_coef_min", 0], [
      "entropy_coef_max",
      "entropy_coef_max",
      1,
    ], [
      "entropy_coef_delta",
      "entropy_coef_step",
      0.005,
    ]].map(([theirs, ours, fallback]) => [
      theirs as string,
      computed(
        fallback as number,
        (value, given) =>
          given.value("use_adaptive_entropy") === true
            ? { set: { [`apply_update.${ours}`]: value } }
            : { equal: "without effect unless use_adaptive_entropy" },
      ),
    ]),
  ),
  vllm_importance_sampling_correction: computed(true, (value, given) => corrected(value === true, given), {
    tell: true,
  }),
  ...each(
    "vllm_importance_sampling_mode vllm_importance_sampling_clip_max vllm_importance_sampling_clip_min vllm_importance_sampling_cap",
    computed(undefined, (_, given) => corrected(given.value("vllm_importance_sampling_correction") !== false, given)),
  ),
};

/** Options of an objective that has effect only under its loss_type. */
function ownOf(loss: string, options: Readonly<Record<string, readonly [string, number]>>): Table {
  return Object.fromEntries(
    Object.entries(options).map(([theirs, [ours, fallback]]) => [
      theirs,
      computed(
        fallback,
        (value, given) =>
          given.value("loss_type") === loss
            ? typeof value === "number" ? { set: { [`apply_update.${ours}`]: value } } : noNumber(value)
            : { equal: `without effect unless loss_type is ${loss}` },
      ),
    ]),
  );
}

const LOSSES = ["grpo", "bnpo", "dr_grpo", "dapo", "cispo", "sapo", "vespo", "luspo"];
const CLIPPED = ["grpo", "bnpo", "dr_grpo", "dapo", "luspo"];

function lossOf(value: Value): Made {
  const loss = shownValue(value);
  return LOSSES.includes(loss) ? { set: { "apply_update.preset": `trl/${loss}` } } : noSuch(value, "TRL", LOSSES);
}

/** ε below and above; the cap of cispo is epsilon_high itself. */
function clips(given: Given): Made {
  const low = given.number("epsilon", 0.2),
    high = given.number("epsilon_high", low),
    loss = String(given.value("loss_type"));
  if (CLIPPED.includes(loss)) return { set: { "apply_update.clip_low": low, "apply_update.clip_high": high } };
  return loss === "cispo"
    ? { set: { "apply_update.ratio_cap": high }, note: "cispo cuts the ratio at epsilon_high itself" }
    : { equal: `without effect under loss_type ${loss}` };
}

/** TRL weighs tokens by how far its sampler and its trainer disagree. */
function corrected(on: boolean, given: Given): Made {
  if (given.value("use_vllm") !== true) return { equal: "without effect unless use_vllm" };
  if (!on) return { set: { "apply_update.sampler_weights": "none" } };
  const mode = String(given.value("vllm_importance_sampling_mode") ?? "sequence_mask");
  const high = given.number("vllm_importance_sampling_clip_max", given.number("vllm_importance_sampling_cap", 3));
  return {
    set: {
      "apply_update.sampler_weights": mode.startsWith("token") ? "token" : "sequence",
      "apply_update.sampler_bounds": [given.value("vllm_importance_sampling_clip_min"), high],
      "apply_update.sampler_outside": mode.endsWith("mask") ? "mask" : "truncate",
    },
    note: "near 1 here: the sampler is the policy's own graph",
  };
}
