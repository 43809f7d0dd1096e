/** verl's advantages, the KL in the reward and the filter of groups as options of our steps. @module */
import { alike, computed, lacking, noNumber, noSuch } from "./entries.ts";
import type { Given, Made, Settings, Table } from "./table.ts";
import { ownEntry, shownValue, type Value } from "./written.ts";

const ESTIMATORS = [
  "gae",
  "grpo",
  "grpo_vectorized",
  "gdpo",
  "grpo_passk",
  "reinforce_plus_plus",
  "reinforce_plus_plus_baseline",
  "rloo",
  "rloo_vectorized",
  "remax",
  "opo",
  "gpg",
  "optimal_token_baseline",
  "tir_optimal_token_baseline",
];
/** Steps without which an estimator has not what it needs. */
const PARTS: Readonly<Record<string, Settings>> = {
  gae: { "workflow.with_load_critic": true, "workflow.with_compute_values": true },
  remax: { "workflow.with_sample_greedy": true },
  optimal_token_baseline: { "workflow.with_measure_tokens": true },
  tir_optimal_token_baseline: { "workflow.with_measure_tokens": true },
};
const KL: Readonly<Record<string, string>> = {
  kl: "k1",
  k1: "k1",
  abs: "abs",
  mse: "k2",
  k2: "k2",
  low_var_kl: "k3",
  k3: "k3",
};
/** verl's name of an estimator of the KL, `+` for the gradient of k2. */
export function estimatorOf(value: Value): string | null {
  const text = String(value), plus = text.endsWith("+"), name = ownEntry(KL, plus ? text.slice(0, -1) : text);
  return name === undefined ? null : name + (plus ? "+" : "");
}

/** The group `algorithm`. */
export function verlAdvantages(): Table {
  return {
    "algorithm.adv_estimator": computed("gae", (value) => {
      const name = shownValue(value).replace(/^AdvantageEstimator\./, "").toLowerCase();
      return ESTIMATORS.includes(name)
        ? {
          set: {
            "compute_advantages.preset": `verl/${name}`,
            ...PARTS[name],
          },
        }
        : noSuch(value, "verl", ESTIMATORS);
    }),
    "algorithm.gamma": computed(
      1,
      (value, given) =>
        typeof value !== "number"
          ? noNumber(value)
          : tokens(given)
          ? { set: { "compute_advantages.gamma": value } }
          : { equal: "without effect: one reward at the end" },
    ),
    "algorithm.lam": computed(
      1,
      (value, given) =>
        typeof value !== "number"
          ? noNumber(value)
          : given.value("algorithm.adv_estimator") === "gae"
          ? { set: { "compute_advantages.lambda": value } }
          : { equal: "without effect unless adv_estimator is gae" },
    ),
    "algorithm.norm_adv_by_std_in_grpo": computed(true, (value, given) => {
      if (value !== false) return { equal: "divided by the group's deviation" };
      return /^grpo(?:_vectorized)?$/.test(String(given.value("algorithm.adv_estimator")))
        ? { set: { "compute_advantages.scale": "none" } }
        : /^(?:gdpo|grpo_passk)$/.test(String(given.value("algorithm.adv_estimator")))
        ? { set: { "compute_advantages.divide_by_std": false } }
        : { equal: "without effect unless adv_estimator is grpo" };
    }),
    "algorithm.use_kl_in_reward": computed(
      false,
      (value, given) => value === true ? rewardKl(given) : { equal: "no KL in the reward" },
    ),
    "algorithm.kl_penalty": computed(
      "kl",
      (value, given) =>
        inReward(
          given,
          () =>
            estimatorOf(value) === null
              ? { lacks: `"${shownValue(value)}" is not here; k1 takes its place` }
              : { set: { "compute_advantages.kl_estimator": estimatorOf(value), ...boundsOf(estimatorOf(value)) } },
        ),
    ),
    "algorithm.kl_ctrl.kl_coef": computed(
      0.001,
      (value, given) =>
        inReward(
          given,
          () => typeof value === "number" ? { set: { "compute_advantages.kl_coef": value } } : noNumber(value),
        ),
    ),
    "algorithm.kl_ctrl.type": computed(
      "fixed",
      (value, given) => value === "adaptive" ? inReward(given, () => rewardKl(given)) : { equal: "a fixed weight" },
    ),
    "algorithm.kl_ctrl.target_kl": computed(
      0.1,
      (value, given) => adaptive(given, { "compute_advantages.kl_target": value }),
    ),
    "algorithm.kl_ctrl.horizon": computed(
      10000,
      (value, given) => adaptive(given, { "compute_advantages.kl_horizon": value }),
    ),
    "algorithm.filter_groups.enable": computed(
      false,
      (value, given) =>
        value !== true ? { equal: "every group is trained on" } : {
          set: {
            "filter_groups.metric": metricOf(given),
            "filter_groups.keep": "spread",
            ...(given.number("algorithm.filter_groups.max_num_gen_batches", 0) > 0
              ? { "filter_groups.max_batches": given.number("algorithm.filter_groups.max_num_gen_batches", 0) }
              : {}),
          },
        },
    ),
    "algorithm.filter_groups.metric": computed(
      null,
      (_, given) =>
        given.value("algorithm.filter_groups.enable") === true
          ? { set: { "filter_groups.metric": metricOf(given) } }
          : { equal: "without effect unless enabled" },
    ),
    "algorithm.filter_groups.max_num_gen_batches": computed(
      0,
      (value, given) =>
        given.value("algorithm.filter_groups.enable") === true && typeof value === "number" && value > 0
          ? { set: { "filter_groups.max_batches": value } }
          : { equal: "no bound, or not enabled" },
    ),
    "algorithm.use_pf_ppo": lacking("rollouts are not weighed by their reward", { at: [false], text: "no weights" }),
    "algorithm.pf_ppo.*": alike("without effect unless use_pf_ppo"),
    "algorithm.filter_groups.max_inflight_gen_batches": alike("batches are sampled one after the other"),
  };
}

/** Estimators that see rewards per token. */
const tokens = (given: Given) =>
  ["gae", "reinforce_plus_plus"].includes(String(given.value("algorithm.adv_estimator")));
const metricOf = (given: Given) => given.value("algorithm.filter_groups.metric") === "acc" ? "correct" : "reward";

/** The preset says where the KL goes: on each token, or summed off the reward before completions are compared. */
function rewardKl(given: Given): Made {
  const isAdaptive = given.value("algorithm.kl_ctrl.type") === "adaptive";
  return {
    set: {
      "compute_advantages.kl_coef": given.number("algorithm.kl_ctrl.kl_coef", 0.001),
      "load_model.reference": "copy",
      ...(isAdaptive
        ? {
          "compute_advantages.kl_target": given.number("algorithm.kl_ctrl.target_kl", 0.1),
          "compute_advantages.kl_horizon": given.number("algorithm.kl_ctrl.horizon", 10000),
        }
        : {}),
    },
  };
}

/** verl bounds k3, and no other estimator. */
const boundsOf = (estimator: string | null) =>
  estimator === "k3" ? { "compute_advantages.kl_difference_bound": 20, "compute_advantages.kl_bound": 10 } : {};

const inReward = (given: Given, make: () => Made): Made =>
  given.value("algorithm.use_kl_in_reward") === true ? make() : { equal: "without effect unless use_kl_in_reward" };
const adaptive = (given: Given, set: Settings): Made =>
  inReward(
    given,
    () =>
      given.value("algorithm.kl_ctrl.type") === "adaptive"
        ? { set }
        : { equal: "without effect unless kl_ctrl.type is adaptive" },
  );
