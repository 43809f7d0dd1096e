/**
 * What a printed name of an evaluation says: which metric of which data set.
 *
 * One data set is asked without a name (`eval_reward`); several are told apart by theirs: `eval_gsm8k_reward` of a Hugging
 * Face trainer, `eval/gsm8k/reward` of a tracker, `val-core/openai/gsm8k/acc/mean@4` of verl, `eval_gsm8k_pass1` of
 * OpenRLHF.
 * @module
 */
import { endingScore, saysNoScore } from "./score_words.ts";

interface EvaluationName {
  /** The metric, as it would be printed in training. */
  readonly metric: string;
  /** The data set; null where the name says none. */
  readonly dataSet: string | null;
}

/** Names of verl's critic that begin like an evaluation. */
const OF_THE_CRITIC = new Set(["val/ratio", "val/num_eos_tokens", "val/ratio_var"]);
/** What the share of right answers is called in evaluations alone. */
const ACCURACY = new Set(["acc", "pass1", "pass@1", "exact_match"]);
/** What verl makes of several answers to one prompt: a mean says the metric, the best of them is another one. */
const STATISTIC = /^(mean|std|best|worst|maj|pass)@\d+$/;

/** A loss on held-out rows, as loops of one's own and Lightning, Keras and torchtune print it. */
const LOSS =
  /^(?:val(?:id(?:ation)?)?|test|dev|held[-_ ]?out|holdout)[_ /.-]?loss$|^loss[_/.-](?:val(?:id(?:ation)?)?|test|dev|eval(?:uation)?|held[-_]?out)$/i;

/** Takes off what says "evaluation"; null where nothing says so. */
export function evaluationName(name: string): EvaluationName | null {
  if (name.startsWith("eval_") || name.startsWith("eval/")) return evaluated(name.slice("eval_".length));
  if (name.startsWith("val-core/") || name.startsWith("val-aux/")) return ofVerl(name);
  if (name.startsWith("val/") && !OF_THE_CRITIC.has(name)) {
    const rest = name.slice("val/".length);
    if (!rest.startsWith("test_score")) return { metric: rest, dataSet: null };
    return { metric: "reward", dataSet: rest.slice("test_score/".length) || null };
  }
  if (LOSS.test(name)) return { metric: "loss", dataSet: null };
  return /^val /i.test(name) ? { metric: name.slice("val ".length), dataSet: null } : null;
}

/** OpenRLHF names the share of right first answers after the data set; others stand as they are. */
function evaluated(rest: string): EvaluationName {
  const source = /^(.+)_pass1$/.exec(rest)?.[1];
  return source === undefined ? { metric: rest, dataSet: null } : { metric: "accuracy", dataSet: source };
}

/** val-core/<data source>/<metric>/<statistic>; a data source may hold slashes, a statistic `/mean` behind it. */
function ofVerl(name: string): EvaluationName {
  const parts = name.split("/"), at = parts.findIndex((part) => STATISTIC.test(part));
  if (at < 3) return { metric: parts.length > 2 ? parts.at(-2)! : name, dataSet: null };
  const metric = ACCURACY.has(parts[at - 1]!) ? "accuracy" : parts[at - 1]!, isMean = parts[at]!.startsWith("mean@");
  return { metric: isMean ? metric : parts.slice(at - 1).join("/"), dataSet: parts.slice(1, at - 1).join("/") };
}

/** First words of names with slashes that are no data sets. */
const GROUPS = /^(rewards?|completions|clip_ratio|sampling|logits|logps|objective)$/;

/**
 * The data set that stands before a metric with slashes between, and the metric: the first cut behind which `isMetric`
 * knows the name; null where there is none.
 */
export function cutDataSet(name: string, isMetric: (name: string) => boolean): EvaluationName | null {
  if (GROUPS.test(name.slice(0, name.indexOf("/")))) return null;
  for (let at = name.indexOf("/"); at > 0; at = name.indexOf("/", at + 1)) {
    const rest = name.slice(at + 1), metric = ACCURACY.has(rest) ? "accuracy" : rest;
    if (isMetric(metric)) return { metric, dataSet: name.slice(0, at) };
  }
  return null;
}

/** Words that say of a score that it is of prompts that nothing is learned from. */
const HELD_OUT = new Set(["eval", "evaluation", "heldout", "holdout", "val", "validation"]);
/** The same only where no other word stands beside them: reward functions are called `valid_json_score`, `test_pass_rate`. */
const ALONE = new Set(["valid", "dev", "true", "gold", "test"]);
/** What may stand behind either: `val_set_acc`. */
const PARTS = new Set(["set", "split", "data"]);
/** Folders of a tracker in which scores stand by the name of their data set alone. */
const BENCHMARKS = /^(?:benchmarks?|evals|evaluations?|downstream)\/([^/]+)(?:\/([^/]+))?$/i;
const REWARD = /^(?:mean_|avg_)?rewards?(?:_(?:mean|avg))?$/i;

/**
 * What users log of their own held-out prompts without a prefix: `true_accuracy`, `acc_heldout`, `general_eval_acc`,
 * `benchmarks/gsm8k/acc`, whose other words are the data set. Null where no word says "held out" or none says a score.
 */
export function scoreName(name: string): EvaluationName | null {
  const folder = BENCHMARKS.exec(name);
  if (folder !== null) return inFolder(folder[1]!, folder[2] ?? null);
  const atEnd = endingScore(name);
  if (atEnd !== null) return heldOut(atEnd.before, atEnd.isShare || name.includes("/"));
  const [, front, last] = /^(.+)[_/.-]([a-z]+)$/i.exec(name.replace(/held[-_]out/i, "heldout")) ?? [];
  const found = front === undefined ? null : endingScore(front), word = last?.toLowerCase() ?? "";
  return found === null || !found.isShare && !HELD_OUT.has(word)
    ? null
    : heldOut([...found.before, word], found.isShare);
}

/** `X` or `X/acc` of a folder of evaluations; a statistic behind a data set is that of its score. */
function inFolder(first: string, second: string | null): EvaluationName | null {
  const name = second ?? first, dataSet = second === null ? null : first;
  if (REWARD.test(name)) return { metric: "reward", dataSet };
  const isScore = endingScore(name)?.before.length === 0;
  if (second !== null) {
    return isScore || /^(?:mean|avg|average)$/i.test(second) ? { metric: "accuracy", dataSet } : null;
  }
  if (isScore) return { metric: "accuracy", dataSet: null };
  return isBenchmark(first) ? { metric: "accuracy", dataSet: first } : null;
}

const isBenchmark = (name: string) => endingScore(name) !== null || !saysNoScore(name);

/** A score whose other words are these; `isOfPrompts` where it is no sum of tests that written code passes. */
function heldOut(others: readonly string[], isOfPrompts: boolean): EvaluationName | null {
  const isPart = (i: number) =>
    PARTS.has(others[i]!) && i > 0 && (HELD_OUT.has(others[i - 1]!) || ALONE.has(others[i - 1]!));
  const words = others.filter((_, i) => !isPart(i)), dataSet = words.filter((word) => !HELD_OUT.has(word));
  if (dataSet.length < words.length) {
    const isOwn = dataSet.every((word) => ALONE.has(word));
    return { metric: "accuracy", dataSet: isOwn ? null : dataSet.join("_") };
  }
  const isAlone = words.length === 1 && ALONE.has(words[0]!) && (words[0] !== "test" || isOfPrompts);
  return isAlone ? { metric: "accuracy", dataSet: null } : null;
}
