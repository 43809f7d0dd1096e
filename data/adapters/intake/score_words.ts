/** Words in the names of what evaluations measure: which say a score, and which say that less is better, or no goal at all. @module */

/** What a share of right answers is called, whatever it is a share of. */
const ACCURACIES = ["acc", "accuracy", "em", "exact", "f1", "pass1", "pass@1"];
/** What says that something is counted for the answers, if not that it is right. */
const GENERAL = ["correct", "correctness", "score", "solved", "success"];
/** What stands before "rate" in the name of a score. */
const RATES = ["solve", "success", "pass", "win", "correct"];

/** Words of what is to be small: a metric, or what it is a share or a score of. */
const HARMS = new Set(
  ("loss losses perplexity ppl nll bpb error errors err wer cer mse mae rmse toxicity toxic hallucination hallucinations " +
    "refusal refusals failure failures wrong incorrect mistake mistakes violation violations penalty invalid repetition repetitions bias " +
    "entropy kl")
    .split(" "),
);
/** Words of what a metric counts or times, as the last of its name: `multi_step_arithmetic` is no such one. */
const COUNTS = new Set(
  ("latency runtime time times seconds sec secs ms s step steps epoch epochs iteration iterations tokens samples count " +
    "num n length len size std stderr lr throughput cost usd memory")
    .split(" "),
);
/** Statistics that end a name. */
const STATISTICS = new Set(["mean", "avg", "average"]);

const wordsOf = (name: string) =>
  name.toLowerCase().replace(/held[-_]out/g, "heldout").replace(/exact[-_]match/g, "exact")
    .replace(/pass[-_](?:at[-_])?(?=\d)/g, "pass@").split(/[_/.\s-]+/).filter((word) => word !== "");

/**
 * What users call what the run is not trained on, and could do before. The answers of a base model, and an original data
 * set, are what a run of the same task is compared with.
 */
const OTHER_TASK =
  /^(?:general|old|previous|prev|other|pretrain(?:ing|ed)?|retention)(?:[_/.-]?(?:tasks?|set|data|skills?|abilit(?:y|ies)|knowledge|model))?$/i;

/** True if a data set's name says that it is of another task than the run's. */
export function isOtherTask(dataSet: string): boolean {
  return OTHER_TASK.test(dataSet);
}

/** True if a name is of what is to be small, or of a duration or a number of things: no score, where more is better. */
export function saysNoScore(name: string): boolean {
  const words = wordsOf(name), per = words.indexOf("per");
  const counted = (per > 0 ? words.slice(0, per) : words)
    .filter((word) => word !== "rate" && word !== "ratio" && !STATISTICS.has(word));
  return words.some((word) => HARMS.has(word)) || COUNTS.has(counted.at(-1) ?? "");
}

/** A name in words: what its score is called at its end, and the words before that; null where it ends with none. */
export function endingScore(name: string): { readonly before: readonly string[]; readonly isShare: boolean } | null {
  const all = wordsOf(name), words = STATISTICS.has(all.at(-1) ?? "") ? all.slice(0, -1) : all;
  const last = words.at(-1) ?? "", isRate = last === "rate" && RATES.includes(words.at(-2) ?? "");
  const isShare = ACCURACIES.includes(last);
  if (!isRate && !isShare && !GENERAL.includes(last)) return null;
  const before = words.slice(0, isRate ? -2 : -1);
  return isShare || !saysNoScore(before.join("_")) ? { before, isShare } : null;
}
