/** verl's losses, the KL in them and the entropy bonus as options of apply_update. @module */
import { optionDefault } from "../../data/option_defaults.ts";
import { optionValue } from "../../data/options.ts";
import { computed, noNumber, noSuch, number } from "./entries.ts";
import { estimatorOf } from "./verl_advantages.ts";
import type { Given, Made, Table } from "./table.ts";
import { ownEntry, shownValue, type Value } from "./written.ts";

const A = "actor_rollout_ref.actor.";

const LOSSES = [
  "vanilla",
  "gspo",
  "sapo",
  "cispo",
  "gpg",
  "dppo_tv",
  "dppo_kl",
  "dro",
  "clip_cov",
  "kl_cov",
  "geo_mean",
];
const CLIPPED = ["vanilla", "gspo", "cispo", "clip_cov", "geo_mean", "dppo_tv", "dppo_kl"];
/** Those that are always the mean over sequences of their token means. */
const OWN_MEAN = ["gspo", "sapo", "geo_mean"];
const AGGREGATIONS: Readonly<Record<string, string>> = {
  "token-mean": "token_mean",
  "token-sum": "token_sum",
  "seq-mean-token-sum": "sequence_sum",
  "seq-mean-token-mean": "sequence_mean",
  "seq-mean-token-sum-norm": "sequence_sum_norm",
};
const AGGREGATION = optionValue("aggregation", "verl", optionDefault("aggregation", "verl")!);
const DEFAULT_CLIP = optionDefault("clip_low", "verl"), DUAL_CLIP = 3, VERL_DPPO = ["dppo_tv", "dppo_kl"];

const mode = (given: Given) => String(given.value(`${A}policy_loss.loss_mode`));

/** Loss, KL in it and entropy. */
export function verlLoss(): Table {
  return {
    [`${A}policy_loss.loss_mode`]: computed("vanilla", (value) => {
      const name = String(value);
      return LOSSES.includes(name)
        ? { set: { "apply_update.preset": `verl/${name}` } }
        : name === "bypass_mode"
        ? { set: { "apply_update.old_logprobs": "sampler" } }
        : noSuch(value, "verl", [...LOSSES, "bypass_mode"]);
    }),
    [`${A}clip_ratio`]: computed(
      0.2,
      (value) =>
        value === DEFAULT_CLIP ? { equal: "clip_ratio_low and clip_ratio_high hold" } : {
          lacks:
            "verl takes clip_ratio_low and clip_ratio_high, 0.2 unless set: clip_ratio alone changes nothing, there and here",
        },
    ),
    [`${A}clip_ratio_low`]: computed(0.2, (value, given) => bound("clip_low", value, given)),
    [`${A}clip_ratio_high`]: computed(0.2, (value, given) => bound("clip_high", value, given)),
    [`${A}clip_ratio_c`]: computed(
      3,
      (value, given) =>
        typeof value !== "number"
          ? noNumber(value)
          : mode(given) === "vanilla" && value === DUAL_CLIP
          ? { equal: "3 in verl/vanilla" }
          : mode(given) === "vanilla" || VERL_DPPO.includes(mode(given))
          ? { set: { "apply_update.ratio_cap": value } }
          : { equal: `without effect under ${mode(given)}` },
    ),
    [`${A}loss_agg_mode`]: computed(AGGREGATION, (value, given) => {
      const name = ownEntry(AGGREGATIONS, String(value));
      if (name === undefined) return { lacks: `"${shownValue(value)}" is not here; the tokens' mean takes its place` };
      return OWN_MEAN.includes(mode(given))
        ? { equal: `without effect under ${mode(given)}` }
        : name === "token_mean"
        ? { equal: "token_mean in the preset" }
        : { set: { "apply_update.aggregation": name } };
    }),
    [`${A}loss_scale_factor`]: computed(
      null,
      (value, given) =>
        typeof value === "number" && given.value(`${A}loss_agg_mode`) === "seq-mean-token-sum-norm"
          ? { set: { "apply_update.aggregation_norm": value } }
          : { equal: "without effect, or the padded length" },
    ),
    ...ofMode(["sapo"], {
      [`${A}tau_pos`]: ["temperature_positive", 1],
      [`${A}tau_neg`]: ["temperature_negative", 1.05],
    }),
    ...ofMode(["clip_cov"], {
      [`${A}policy_loss.clip_cov_ratio`]: ["cov_fraction", 2e-4],
      [`${A}policy_loss.clip_cov_lb`]: ["cov_low", 1],
      [`${A}policy_loss.clip_cov_ub`]: ["cov_high", 5],
    }),
    ...ofMode(["kl_cov"], {
      [`${A}policy_loss.kl_cov_ratio`]: ["cov_fraction", 2e-4],
      [`${A}policy_loss.ppo_kl_coef`]: ["cov_kl_coef", 0.1],
    }),
    [`${A}policy_loss.dro_beta`]: computed(
      null,
      (value, given) =>
        typeof value === "number" && mode(given) === "dro"
          ? { set: { "apply_update.dro_beta": value } }
          : { equal: "without effect unless loss_mode is dro" },
    ),
    [`${A}entropy_coeff`]: number("apply_update.entropy_coef", 0),
    [`${A}use_kl_loss`]: computed(
      false,
      (value, given) => value === true ? lossKl(given) : { equal: "no KL in the loss" },
    ),
    [`${A}kl_loss_coef`]: computed(
      0.001,
      (value, given) =>
        given.value(`${A}use_kl_loss`) === true
          ? typeof value === "number" ? { set: { "apply_update.kl_coef": value } } : noNumber(value)
          : { equal: "without effect unless use_kl_loss" },
    ),
    [`${A}kl_loss_type`]: computed(
      "low_var_kl",
      (value, given) =>
        given.value(`${A}use_kl_loss`) !== true
          ? { equal: "without effect unless use_kl_loss" }
          : estimatorOf(value) === null
          ? { lacks: `"${shownValue(value)}" is not here; k3 takes its place` }
          : estimatorOf(value) === "k3"
          ? { equal: "k3, bounded as there, in the preset" }
          : { set: { "apply_update.kl_estimator": estimatorOf(value) } },
    ),
  };
}

function bound(name: "clip_low" | "clip_high", value: Value, given: Given): Made {
  if (typeof value !== "number") return noNumber(value);
  if (!CLIPPED.includes(mode(given))) return { equal: `without effect under ${mode(given)}` };
  return value === DEFAULT_CLIP
    ? { equal: `${DEFAULT_CLIP} in the preset` }
    : { set: { [`apply_update.${name}`]: value } };
}

function ofMode(modes: readonly string[], options: Readonly<Record<string, readonly [string, number]>>): Table {
  return Object.fromEntries(
    Object.entries(options).map(([theirs, [ours, fallback]]) => [
      theirs,
      computed(
        fallback,
        (value, given) =>
          !modes.includes(mode(given))
            ? { equal: `without effect unless loss_mode is ${modes.join(" or ")}` }
            : value === fallback
            ? { equal: `${fallback} in the preset` }
            : typeof value === "number"
            ? { set: { [`apply_update.${ours}`]: value } }
            : noNumber(value),
      ),
    ]),
  );
}

function lossKl(given: Given): Made {
  const estimator = estimatorOf(given.value(`${A}kl_loss_type`));
  return {
    set: {
      "apply_update.kl_coef": given.number(`${A}kl_loss_coef`, 0.001),
      ...(estimator === null || estimator === "k3" ? {} : { "apply_update.kl_estimator": estimator }),
      "load_model.reference": "copy",
    },
  };
}
