/** OpenRLHF's rewards, their clipping and punishments of length. @module */
import { alike, computed, lacking, noNumber } from "./entries.ts";
import { modelPlace } from "./hub_names.ts";
import type { Made, Table } from "./table.ts";
import { shownValue, type Value, valueText } from "./written.ts";

const BOUND = 10;

/** A reward of one's own, or a model that scores. */
const reward = (value: Value): Made => {
  const first = valueText(Array.isArray(value) ? value[0] ?? "reward" : value);
  if (/^https?:/.test(first)) {
    const host = URL.canParse(first) ? new URL(first).host : first;
    return {
      set: { "score_rewards.rewards": [{ uses: "./remote_reward.ts", permissions: { net: [host] } }] },
      note: `write remote_reward.ts, which asks ${host}`,
    };
  }
  const file = first.split("/").at(-1)!.replace(/\.py$/, "").replaceAll(/\W+/g, "_").toLowerCase() || "reward";
  return {
    set: { "score_rewards.rewards": [{ uses: `./${file}.ts` }] },
    note: `write reward_func(queries, prompts, labels) as score() of ${file}.ts`,
  };
};

/** Options of rewards. */
export const OPENRLHF_REWARDS: Table = {
  "reward.remote_url": computed(undefined, reward, { also: ["remote_rm_url"], asText: true }),
  "train.agent_func_path": computed(null, (value) => value === null ? { equal: "none" } : reward(value), {
    also: ["agent_func_path"],
    asText: true,
  }),
  "reward.model_name_or_path": computed(undefined, (value, given) => {
    const [first, ...more] = valueText(value).split(",");
    return {
      set: {
        "load_reward_model.model": modelPlace(first!, given),
        "score_rewards.rewards": [{ uses: "reward_model" }],
      },
      note: more.length === 0 ? shownValue(value) : "of several reward models the first: load one for each",
    };
  }, { also: ["reward_pretrain"] }),
  "reward.normalize_enable": lacking("the scores of a reward model are taken as they are", {
    at: [false],
    text: "as they are",
  }, { also: ["normalize_reward"] }),
  "reward.clip_range": computed(
    [-BOUND, BOUND],
    (value) =>
      !Array.isArray(value) || value.length !== 2
        ? noNumber(value)
        : value[0] === -BOUND && value[1] === BOUND
        ? { equal: "±10 after comparison within the group, in the preset" }
        : { set: { "compute_advantages.shaped_clip": value } },
    { also: ["reward_clip_range"] },
  ),
  "reward.overlong_buffer_len": computed(null, (value, given) => {
    if (typeof value !== "number") return { equal: "no punishment of length" };
    const cap = given.number("rollout.max_new_tokens", 1024),
      weight = given.number("reward.overlong_penalty_factor", 1);
    const own = given.isWritten("reward.remote_url") ? reward(given.value("reward.remote_url")) : null;
    const first = own !== null && "set" in own
      ? (own.set["score_rewards.rewards" as "a.b"] as unknown[])
      : [{ uses: "verifier" }];
    return {
      set: {
        "score_rewards.rewards": [...first, {
          uses: "overlong",
          with: { max_new_tokens: cap, buffer: value },
          ...(weight === 1 ? {} : { weight }),
        }],
      },
    };
  }, { also: ["overlong_buffer_len"] }),
  "reward.overlong_penalty_factor": {
    also: ["overlong_penalty_factor"],
    ...alike("the weight of the reward overlong"),
  },
  "reward.stop_properly_penalty_coef": computed(
    null,
    (value) =>
      typeof value !== "number" ? { equal: "truncated completions keep their reward" } : {
        set: value >= 0
          ? { "compute_advantages.truncated_scale": value }
          : { "compute_advantages.truncated_reward": value },
      },
    { also: ["stop_properly_penalty_coef"] },
  ),
};
