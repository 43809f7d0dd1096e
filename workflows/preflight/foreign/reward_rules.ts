/** Rewards and losses of which there are several: their weights, and what they are given. @module */
import { type Hit, hit, type LaunchRule, ON_TRL } from "./rule.ts";
import type { Launch } from "./launch.ts";

function rewardWeights(launch: Launch): Hit | null {
  const functions = launch.list("reward_funcs", "reward_functions"), weights = launch.list("reward_weights");
  if (functions === null || weights === null || launch.isWritten("reward_model", "reward_model_name_or_path")) {
    return null;
  }
  if (functions.length === weights.length) return null;
  return hit(
    `${functions.length} reward function${functions.length === 1 ? "" : "s"} and ${weights.length} weight${
      weights.length === 1 ? "" : "s"
    }: the trainer refuses to start`,
    [launch.told("reward_funcs", "reward_functions"), launch.told("reward_weights")],
    { name: "reward_weights", value: functions.map((_, i) => weights[i] ?? 1) },
  );
}

function lossWeights(launch: Launch): Hit | null {
  const losses = launch.list("loss_type"), weights = launch.list("loss_weights");
  if (launch.trainer !== "dpo" || weights === null || losses === null || losses.length === weights.length) return null;
  return hit(
    `${losses.length} loss${
      losses.length === 1 ? "" : "es"
    } in loss_type and ${weights.length} loss_weights: the trainer refuses to start`,
    [launch.told("loss_type"), launch.told("loss_weights")],
    { name: "loss_weights", value: losses.map((_, i) => weights[i] ?? 1) },
  );
}

function columnsRemoved(launch: Launch): Hit | null {
  if (launch.trainer !== "grpo" || launch.flag("remove_unused_columns") !== true) return null;
  return hit(
    "remove_unused_columns leaves rewards nothing but prompts and completions: a reward that reads the answer fails, or scores 0",
    [launch.told("remove_unused_columns")],
    { name: "remove_unused_columns", value: false },
  );
}

export const REWARD_RULES = {
  reward_weights_count: {
    systems: ON_TRL,
    severity: "error",
    about: "Another number of reward weights than of reward functions.",
    change: "reward_weights",
    source: "TRL, grpo_trainer.py, __init__; ms-swift, Command-line-parameters, reward_weights",
    check: rewardWeights,
  },
  loss_weights_count: {
    systems: ["trl", "ms-swift"],
    severity: "error",
    about: "Another number of loss weights than of losses.",
    change: "loss_weights",
    source: "ms-swift, rlhf_args.py, _process_loss_type; TRL, dpo_config.py",
    check: lossWeights,
  },
  columns_removed: {
    systems: ["trl", "unsloth"],
    severity: "warning",
    about: "The columns that rewards read are removed.",
    change: "remove_unused_columns",
    source: "TRL, grpo_config.py, remove_unused_columns",
    check: columnsRemoved,
  },
} as const satisfies Record<string, LaunchRule>;
