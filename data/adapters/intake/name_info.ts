/** What a printed name means: its column, its factor, or that it counts steps; looked up once per name. @module */
import { cutDataSet, evaluationName, scoreName } from "./evaluation_name.ts";
import { METRIC_NAMES } from "./metric_names.ts";
import { isUnused } from "./unused_names.ts";
import { TABLES } from "../../columns.ts";
import { findOption } from "../../options.ts";

export interface NameInfo {
  readonly printed: string;
  /**
   * Column of the wide view: a metric, `reward.<f>`, `reward_std.<f>`, or the printed name; of an evaluation that names
   * its data set that and a slash before it.
   */
  readonly column: string;
  readonly mapped: boolean;
  /** No column takes it, and a stock trainer prints it: nobody need be told of it. */
  readonly unused: boolean;
  readonly mul: number;
  readonly isEval: boolean;
  /** The name counts train steps. */
  readonly isStep: boolean;
  /** The name is an option of a known system too. */
  readonly isOption: boolean;
  /** Only a training log prints it: a dict with it is a record and not a configuration. */
  readonly isStrong: boolean;
}

const STEP_NAMES = new Set([
  "step",
  "global_step",
  "training/global_step",
  "current_steps",
  "global_steps",
  "iteration",
  "iter",
  "_step",
  "train_step",
  "training_step",
  "global_step/max_steps",
]);

/** Reward-like names under `rewards/` that are no reward function. */
const NO_FUNCTION = new Set(["chosen", "rejected", "margins", "accuracies"]);
const WEAK = new Set(["learning_rate", "lr", "epoch", "step", "accuracy", "reward", "score", "kl", "entropy"]);
const OWN = new Set(Object.keys(TABLES.metrics));
const DEEP = /^(?:env|generation|train|rollout|policy)\//;

function tidy(printed: string): string {
  let name = printed.trim();
  if (name.includes(" / ")) name = name.replaceAll(" / ", "/");
  if (name.includes("/ ") || name.includes(" /")) name = name.replace(/\s*\/\s*/g, "/");
  return name;
}

/** Folders in which trainers, and what users add to them, print a reward function by its name. */
const FUNCTIONS =
  /^(?:critic|reward_(?:extra|extra_info|extra_infos|components?|funcs?|functions?))\/([^/]+)\/(mean|std)$/;
/** verl's own numbers there. */
const NO_CRITIC = new Set(["score", "rewards", "advantages", "returns", "values", "kl", "entropy", "lr", "length"]);
/** A function's name as Python has it, printed alone; a statistic of the total reward has the same form. */
const ALONE =
  /^(?!(?:\w*_)?(?:mean|avg|average|max|min|std|total|sum|median|final|best|last|train|eval|val|test|episode|episodic|step|running|kl|raw|chosen|rejected|accepted|policy|ref|baseline|group|batch|global|normali[sz]ed|scaled|shaped|discounted|cumulative|target|expected|margin|overall|env|the)_rewards?$)([a-z]\w*_reward(?:_(?:func|fn|function))?)$/;

function rewardFunction(name: string): string | null {
  const inFolder = FUNCTIONS.exec(name);
  if (inFolder !== null && !NO_CRITIC.has(inFolder[1]!)) {
    return `${inFolder[2] === "std" ? "reward_std" : "reward"}.${inFolder[1]}`;
  }
  if (!name.startsWith("rewards/") && !name.startsWith("reward/")) return null;
  let rest = name.slice(name.indexOf("/") + 1);
  if (NO_FUNCTION.has(rest) || rest === "") return null;
  let std = false;
  if (rest.endsWith("/mean")) rest = rest.slice(0, -5);
  else if (rest.endsWith("/std")) [rest, std] = [rest.slice(0, -4), true];
  else if (rest.includes("/")) return null;
  return rest === "" ? null : `${std ? "reward_std" : "reward"}.${rest}`;
}

function target(name: string): { column: string; mul: number } | null {
  const found = Object.hasOwn(METRIC_NAMES, name) ? METRIC_NAMES[name]! : null;
  if (found !== null) {
    return typeof found === "string" ? { column: found, mul: 1 } : { column: found[0], mul: found[1] };
  }
  const reward = rewardFunction(name);
  if (reward !== null) return { column: reward, mul: 1 };
  if (OWN.has(name)) return { column: name, mul: 1 };
  if (name.startsWith("rewards_") && name.endsWith("_mean")) return { column: `reward.${name.slice(8, -5)}`, mul: 1 };
  if (name.endsWith("_rewards_mean")) return { column: `reward.${name.slice(0, -13)}`, mul: 1 };
  return null;
}

/** The column of a metric of one data set of several. */
export function inDataSet(dataSet: string | null, column: string): string {
  return dataSet === null ? column : `${dataSet}/${column}`;
}

/** Looks up one printed name. */
export function nameInfo(printed: string): NameInfo {
  const name = tidy(printed);
  const evaluation = evaluationName(name) ?? (target(name) === null ? scoreName(name) : null);
  let bare = evaluation?.metric ?? name, dataSet = evaluation?.dataSet ?? null;
  if (bare.startsWith("train/")) bare = bare.slice(6);
  let hit = target(bare) ?? target(bare.toLowerCase()) ?? target(bare.toLowerCase().replaceAll(" ", "_"));
  if (hit === null && DEEP.test(bare)) hit = target(bare.replace(DEEP, ""));
  // Of an evaluation the word before "reward" may be the name of a data set.
  if (hit === null && evaluation === null && ALONE.test(bare)) hit = { column: `reward.${bare}`, mul: 1 };
  if (hit === null && evaluation !== null && dataSet === null) {
    const cut = cutDataSet(bare, (metric) => target(metric) !== null);
    if (cut !== null) [hit, dataSet] = [target(cut.metric), cut.dataSet];
  }
  const isStep = evaluation === null && STEP_NAMES.has(bare.toLowerCase());
  return {
    printed,
    column: inDataSet(dataSet, hit?.column ?? (evaluation?.metric ?? name)),
    mapped: hit !== null,
    unused: hit === null && isUnused(bare),
    mul: hit?.mul ?? 1,
    isEval: evaluation !== null,
    isStep,
    isOption: findOption(name, null) !== null,
    isStrong: !isStep && hit !== null && !WEAK.has(bare.toLowerCase()),
  };
}
