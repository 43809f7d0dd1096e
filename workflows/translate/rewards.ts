/** Rewards of TRL and what takes their place here. @module */
import { computed, each, lacking } from "./entries.ts";
import { rewardColumns } from "./reward_columns.ts";
import type { Given, Made, Table } from "./table.ts";
import { isRecord, isUnresolved, type Value, valueText } from "./written.ts";

/** An entry of score_rewards. */
interface Reward {
  readonly uses: string;
  readonly name?: string;
  readonly weight?: number;
  readonly with?: Readonly<Record<string, unknown>>;
}

interface Read {
  readonly reward: Reward;
  readonly note: string;
}

const MOST_REWARDS = 100;

/** The line begins with the tag, it stands once, and is closed somewhere later (TRL think_format_reward). */
const THINK = "^(?![\\s\\S]*<think>[\\s\\S]*<think>)[\\s\\S]*?(?:^|\\n)<think>[\\s\\S]*?</think>";

/** Entries of reward options; `aggregation` is the default of multi_objective_aggregation, null where there is none. */
export function rewardEntries(aggregation: string | null): Table {
  return {
    reward_funcs: computed(undefined, (value, given) => rewardsOf(value, given), {
      asText: true,
      also: ["reward_functions", "reward_funcs_list"],
    }),
    reward_weights: computed(
      null,
      (value, given) => value === null ? { equal: "every weight is 1" } : rewardsOf(given.value("reward_funcs"), given),
    ),
    ...each(
      "reward_model_name_or_path reward_model reward_processing_classes",
      lacking("the reward model is another run's: train_reward_model, then a reward with uses: reward_model", {
        at: [null],
        text: "none",
      }),
    ),
    ...(aggregation === null ? {} : {
      multi_objective_aggregation: computed(
        aggregation,
        (value) =>
          value === "normalize_then_sum"
            ? { set: { "compute_advantages.preset": "trl/gdpo" } }
            : { equal: "weighted sum, then advantages" },
      ),
    }),
    ...each(
      "cosine_min_len_value_wrong cosine_max_len_value_wrong cosine_min_len_value_correct cosine_max_len_value_correct cosine_max_len " +
        "repetition_n_grams repetition_max_penalty",
      lacking("options of a reward: put them into with of score_rewards"),
    ),
    max_completion_length_reward: lacking("an option of a reward"),
  };
}

/** All rewards with their weights as the option of score_rewards. */
export function rewardsOf(value: Value, given: Given): Made {
  const list = Array.isArray(value)
    ? value
    : value === null
    ? []
    : typeof value === "string"
    ? value.split(/[\s,]+/)
    : [value];
  if (list.length === 0) return { lacks: "no reward is named; the verifier judges" };
  if (list.length > MOST_REWARDS) return { lacks: `it names ${list.length} rewards, want at most ${MOST_REWARDS}` };
  const weights = given.value("reward_weights"), read = list.map((one) => rewardOf(one as Value, given));
  const of = (i: number) => Array.isArray(weights) ? weights[i] : list.length === 1 ? weights : 1;
  const names = new Set<string>();
  const rewards = read.map(({ reward }, i) => {
    const weight = of(i), name = reward.name ?? reward.uses;
    const twice = names.has(name) ? { name: `${name.replaceAll(/\W/g, "")}_${i + 1}` } : {};
    names.add(name);
    return { ...reward, ...twice, ...(typeof weight === "number" && weight !== 1 ? { weight } : {}) };
  });
  const note = [...new Set(read.map(({ note }) => note).filter((note) => note !== ""))].join("; ");
  return { set: { "score_rewards.rewards": rewards, ...rewardColumns(list as Value[], given) }, note };
}

function rewardOf(value: Value, given: Given): Read {
  const called = isRecord(value) ? value : null;
  const written = isUnresolved(value) ? value.unresolved : called ? String(called["()"] ?? "reward") : valueText(value);
  const name = written.replace(/\(.*$/s, "").split(/[./]/).at(-1)!.replace(/^external_/, "");
  const cap = given.number("max_completion_length", 512);
  switch (name) {
    case "accuracy_reward":
    case "accuracy":
    case "reasoning_accuracy_reward":
      return {
        reward: { uses: "numeric_match", name },
        note: `${name} compares by math_verify there, by the last number here`,
      };
    case "think_format_reward":
      return { reward: { uses: "regex", name, with: { pattern: THINK } }, note: "" };
    case "format_reward":
    case "format":
      return {
        reward: { uses: "format", ...(name === "format" ? {} : { name }) },
        note: `${name} is the whole completion as <think>…</think><answer>…</answer>`,
      };
    case "get_soft_overlong_punishment":
    case "soft_overlong_punishment_reward":
    case "soft_overlong": {
      const [first, second] = Array.isArray(called?.["*"]) ? called["*"] as Value[] : [];
      const longest = called?.["max_completion_len"] ?? first,
        buffer = called?.["soft_punish_cache"] ?? second ?? given.value("soft_cache_length");
      const max_new_tokens = typeof longest === "number" ? longest : cap;
      return {
        reward: {
          uses: "overlong",
          with: { max_new_tokens, buffer: typeof buffer === "number" ? buffer : Math.ceil(max_new_tokens / 5) },
        },
        note: "",
      };
    }
    case "repetition":
    case "get_repetition_penalty_reward":
      return { reward: { uses: "repetition_penalty", name: "repetition" }, note: "" };
    default: {
      const own = name.replaceAll(/\W+/g, "_").toLowerCase() || "reward";
      return { reward: { uses: `./${own}.ts` }, note: `write ${own}.ts` };
    }
  }
}
