/** Rewards and losses of which there are several: their weights, and what they are given. @module */
import { constantFunctions } from "../../../data/adapters/post/blocks/reward_code.ts";
import { isOnlyDefinition } from "../../translate/python_definitions.ts";
import { pythonTokens, type Token } from "../../translate/python_tokens.ts";
import { isUnresolved } from "../../translate/written.ts";
import { type Hit, hit, type LaunchRule, ON_TRL } from "./rule.ts";
import type { Launch } from "./launch.ts";
import { nearWord } from "./word_rules.ts";

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

const ANY_FUNCTION = /^\s*(?:async )?def (\w+)\s*\(/;

/** A reward that gives every completion the same compares nothing; only where the script surely uses that function. */
function constantReward(launch: Launch): Hit[] {
  const told = launch.told("reward_funcs");
  if (launch.form !== "keywords" || told === undefined || !launch.isGrouped) return [];
  const given = [told.value].flat();
  const names = given.flatMap((value) => isUnresolved(value) ? [value.unresolved.trim()] : []);
  if (names.length === 0) return [];
  const lines = launch.lines.map((text, i) => ({ text, number: i + 1 }));
  const constant = constantFunctions(lines, ANY_FUNCTION).filter(({ name }) => names.includes(name));
  if (constant.length === 0) return [];
  const tokens = pythonTokens(launch.text);
  if (!hasOnlyTrainer(tokens)) return [];
  return constant.filter(({ name, line }) => isOnlyDefinition(tokens, name, line)).map(({ name, line, value }): Hit => {
    const isAlone = given.length === 1;
    return {
      message: `${name} gives ${value} for every completion: ${
        isAlone ? "every advantage is 0, and nothing is learned" : "it moves no advantage, beside the other rewards"
      }`,
      at: line,
      change: [],
      byHand: `Compute what ${name} gives from each completion${isAlone ? "" : ", or leave it out"}.`,
      ...(isAlone ? {} : { severity: "warning" as const }),
    };
  });
}

/** One trainer is made, of no class of the script's own, and gets its rewards where it is made. */
function hasOnlyTrainer(tokens: readonly Token[]): boolean {
  const at = (i: number) => tokens[i]?.text;
  const isTrainer = ({ kind, text }: Token) => kind === "name" && /Trainer$/.test(text);
  return tokens.filter((token, i) => isTrainer(token) && at(i + 1) === "(").length === 1 &&
    !tokens.some((token, i) =>
      token.kind === "name" &&
      (token.text === "class" && tokens.slice(i, i + CLASS_HEAD).some((one) => isTrainer(one)) ||
        token.text === "reward_funcs" && at(i - 1) === ".")
    );
}

const CLASS_HEAD = 8; // Tokens: `class A(b.C, D)`.

const spaced = (text: string) => text.split(" ");

/** Rewards that each system's own programs have by name; with open-r1's, whose script is started as TRL's are. */
const REWARDS: Readonly<Partial<Record<Launch["system"], readonly string[]>>> = {
  trl: spaced(
    "accuracy_reward reasoning_accuracy_reward think_format_reward get_soft_overlong_punishment accuracy format " +
      "reasoning_steps cosine repetition_penalty length code binary_code ioi_code cf_code code_format tag_count " +
      "soft_overlong_punishment",
  ),
  "ms-swift": spaced("toolbench math accuracy format react_format cosine repetition soft_overlong"),
  "vlm-r1": spaced("accuracy format length repetition"),
  "r1-v-family": spaced("accuracy format"),
};

function unknownReward(launch: Launch): Hit | null {
  const words = REWARDS[launch.system], told = launch.told("reward_funcs"), list = launch.list("reward_funcs");
  if (words === undefined || told === undefined || list === null || !launch.isRollout) return null;
  // Functions of a script, and those of a file that is loaded, have names of their own.
  if (launch.form === "keywords" || launch.isWritten("external_plugins")) return null;
  const meant = list.map((word) => typeof word === "string" ? nearWord(word, words) : null);
  const at = meant.findIndex((near) => near !== null);
  if (at < 0) return null;
  return hit(
    `${launch.called("reward_funcs")} "${list[at]}" is none of ${words.join(", ")}; did you mean "${
      meant[at]
    }"? The trainer stops before the first step`,
    [told],
    { name: "reward_funcs", value: list.map((word, i) => meant[i] ?? word) },
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
  unknown_reward: {
    systems: ["trl", "ms-swift", "vlm-r1", "r1-v-family"],
    severity: "error",
    about: "The name of a reward that is nearly one that the system has.",
    change: "--reward_funcs",
    source:
      "TRL, scripts/grpo.py, reward_funcs_registry; open-r1, rewards.py; ms-swift, rewards/orm.py, orms; VLM-R1 and R1-V, grpo scripts, reward_funcs_registry",
    check: unknownReward,
  },
  reward_without_difference: {
    systems: ["trl", "unsloth"],
    severity: "fatal",
    also: "warning",
    about: "A reward function of the script gives every completion the same number.",
    change: "the function",
    source: "GRPO, arXiv:2402.03300, section 4.1.2: an advantage is what a reward differs by within its group",
    check: constantReward,
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
