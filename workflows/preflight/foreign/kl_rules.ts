/** Weights of the KL to the reference. @module */
import type { Launch } from "./launch.ts";
import { type Hit, hit, type LaunchRule, ON_TRL } from "./rule.ts";

const WEIGHTS = [
  "beta",
  "actor_rollout_ref.actor.kl_loss_coef",
  "algorithm.kl_ctrl.kl_coef",
  "algo.kl.init_coef",
  "init_kl_coef",
];
/** What switches a weight on, where something does. */
const SWITCHES: Readonly<Record<string, string>> = {
  "actor_rollout_ref.actor.kl_loss_coef": "actor_rollout_ref.actor.use_kl_loss",
  "algorithm.kl_ctrl.kl_coef": "algorithm.use_kl_in_reward",
};
/** Where a nat per token costs what a right answer earns; from the second on a diagnosis says so of every run. */
const LARGE = 1, HEAVY = 10;

function weightLarge(launch: Launch): Hit | null {
  const told = launch.told(...WEIGHTS), weight = told?.value;
  if (told === undefined || typeof weight !== "number" || weight < LARGE || weight >= HEAVY || !launch.isRollout) {
    return null;
  }
  const isOn = SWITCHES[told.name];
  if (isOn !== undefined && launch.flag(isOn) !== true) return null;
  return hit(
    `${launch.called(told.name)} is ${weight}: one nat of KL per token costs ${
      weight === 1 ? "as much as" : `${weight} times what`
    } a right answer earns, and the policy stays at its reference`,
    [told],
    { name: told.name, value: 0.04 },
  );
}

export const KL_RULES = {
  kl_weight_large: {
    systems: [...ON_TRL, "verl", "openrlhf", "visual-rft", "vlm-r1", "r1-v-family"],
    severity: "warning",
    about: "A weight of the KL at which a nat per token costs as much as an answer earns.",
    change: "beta, actor_rollout_ref.actor.kl_loss_coef, --algo.kl.init_coef",
    source: "TRL, grpo_config.py, beta: 0.04 in DeepSeekMath; verl, workers/config/actor.py: 0.001",
    check: weightLarge,
  },
} as const satisfies Record<string, LaunchRule>;
