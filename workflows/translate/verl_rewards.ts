/** verl's rewards and what takes their place here. @module */
import { alike, computed, each, lacking, noNumber } from "./entries.ts";
import type { Entry, Table } from "./table.ts";
import { isUnresolved, type Value, valueText } from "./written.ts";

/** The first file of an option; its text where only the program knows it. */
export const fileOf = (value: Value): string | null => {
  const first = Array.isArray(value) ? value[0] : value;
  return isUnresolved(first) ? first.unresolved : typeof first === "string" ? first : null;
};

/** Which of verl's own functions judges, where none is given. */
const parser: Entry["make"] = (_, given) => {
  const own = ["reward.custom_reward_function.path", "custom_reward_function.path"].some((name) =>
    given.isWritten(name) && given.value(name) !== null
  );
  if (own) return { equal: "the reward file decides" };
  return given.areNumbers
    ? {
      set: { "load_prompts.verifier": "numeric" },
      note: 'verl chooses a parser by data_source (GSM8K: the number after "#### "); here the last number counts',
    }
    : {
      lacks:
        'verl chooses a parser by data_source (GSM8K: the number after "#### ", MATH: \\boxed{}); here the whole ' +
        "completion is compared with the answer: where answers are numbers set verifier: numeric of load_prompts, else " +
        "write a reward",
    };
};

/** Reward functions, models and punishments of length. */
export const VERL_REWARDS: Table = {
  "data.reward_fn_key": computed("data_source", parser, { tell: true }),
  "reward.custom_reward_function.path": computed(null, (value, given) => {
    if (value === null) return { equal: "data_source decides there" };
    const file = fileOf(value)?.split("/").at(-1)?.replace(/\.py$/, "").replaceAll(/\W+/g, "_").toLowerCase() ||
      "reward";
    const name = valueText(given.value("reward.custom_reward_function.name") ?? "compute_score");
    return {
      set: { "score_rewards.rewards": [{ uses: `./${file}.ts` }] },
      note: `write ${name}(data_source, solution_str, ground_truth) as score() of ${file}.ts`,
    };
  }, { also: ["custom_reward_function.path"], asText: true }),
  "reward.custom_reward_function.name": computed("compute_score", () => ({ equal: "a reward file exports score()" }), {
    also: ["custom_reward_function.name"],
  }),
  ...each(
    "reward.reward_manager.name reward_model.reward_manager",
    lacking("rewards are added by weight; a manager of one's own is a reward file", {
      at: ["naive", "dapo", "prime", "batch"],
      text: "rewards are added by weight",
    }),
  ),
  ...each(
    "reward.reward_model.enable reward_model.enable",
    lacking("train a reward model here (train_reward_model) and use it: uses: reward_model", {
      at: [false],
      text: "no reward model",
    }),
  ),
  ...each(
    "reward_model.overlong_buffer.enable reward.reward_kwargs.overlong_buffer_cfg.enable reward_model.overlong_buffer.log",
    {
      make: (value) => value === true ? { equal: "as its length says" } : { equal: "no punishment of length" },
    },
  ),
  ...each(
    "reward_model.overlong_buffer.penalty_factor reward.reward_kwargs.overlong_buffer_cfg.penalty_factor",
    alike("the weight of the reward overlong"),
  ),
  ...each("reward_model.overlong_buffer.len reward.reward_kwargs.overlong_buffer_cfg.len", {
    make: (value, given) => {
      const prefix = given.isWritten("reward_model.overlong_buffer.len")
        ? "reward_model.overlong_buffer."
        : "reward.reward_kwargs.overlong_buffer_cfg.";
      if (given.value(`${prefix}enable`) !== true) return { equal: "without effect unless enabled" };
      if (typeof value !== "number") return noNumber(value);
      const cap = given.number("data.max_response_length", 512), weight = given.number(`${prefix}penalty_factor`, 1);
      const overlong = {
        uses: "overlong",
        with: { max_new_tokens: cap, buffer: value },
        ...(weight === 1 ? {} : { weight }),
      };
      return {
        set: { "score_rewards.rewards": [{ uses: "verifier" }, overlong] },
        note: "beside the reward of the data source",
      };
    },
  }),
  ...each(
    "reward_model.model.path reward.reward_model.model_path",
    lacking("no model scores here unless it is trained here (train_reward_model)", {
      at: [null],
      text: "no reward model",
    }),
  ),
  "reward_model.model.*": lacking("no model scores here unless it is trained here (train_reward_model)"),
  "reward_model.reward_kwargs.*": lacking("options of a reward: put them into with of score_rewards"),
  "reward.reward_kwargs.*": lacking("options of a reward: put them into with of score_rewards"),
  "custom_reward_function.reward_kwargs.*": lacking("options of a reward: put them into with of score_rewards"),
  "reward.sandbox_fusion.*": alike("a reward file runs in a process of its own"),
  ...each(
    "reward.num_workers reward_model.launch_reward_fn_async reward_model.micro_batch_size_per_gpu reward_model.strategy " +
      "reward.reward_manager.source reward.reward_manager.module.path reward.reward_manager.module.name reward_model.num_workers " +
      "reward.reward_model.enable_resource_pool reward.reward_model.n_gpus_per_node reward.reward_model.nnodes",
    alike("how verl runs rewards, not what they are"),
  ),
};
