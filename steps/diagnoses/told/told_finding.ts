/** A finding from what people tell: symptoms that together are a cause. @module */
import type { CannotTell, Found } from "../diagnosis.ts";
import type { Cause } from "../mod.ts";
import type { Evidence } from "../view/evidence.ts";
import { isReinforcement } from "../view/groups.ts";
import type { RunView } from "../view/run_view.ts";
import { settingEvidence } from "../view/settings.ts";
import { ENOUGH } from "../../../data/adapters/run/told_records.ts";
import { claimed, isReassured } from "./claimed.ts";
import { isBareCry } from "./firm.ts";
import { isTaught, type Pattern } from "./pattern.ts";
import { patternsOf } from "./patterns.ts";
import type { Symptom } from "./symptom.ts";
import { type SymptomName, SYMPTOMS, symptomsOf } from "./symptoms.ts";
import { printedOnes } from "../view/on_records.ts";

const SHOWN = 6; // Pieces of evidence.

/** Train steps between two records, from which on a handful of them is a course as people tell one. */
const FAR_APART = 50;

/** Told in words and in few records, where what people say counts; or a log of a few records that lie far apart. */
export function isToldInFewWords(view: RunView): boolean {
  const { isPost, imported, stepsPrinted, trainSteps: steps } = view;
  if (!isPost && !(imported && stepsPrinted) || printedRecords(view) >= ENOUGH) return false;
  return isPost || steps.length > 1 && (steps.at(-1)! - steps[0]!) / (steps.length - 1) >= FAR_APART;
}

/** Nothing is printed, and an answer says that it is as it should be. */
export const isAnsweredFine = (view: RunView): boolean => printedRecords(view) === 0 && isReassured(view);

/** What the patterns of a cause find; null where none is there, and of a run that its records tell. */
export function toldFinding(cause: Cause, view: RunView): Found | null {
  if (!isToldInFewWords(view) || isAnsweredFine(view)) return null;
  for (const pattern of patternsOf(cause)) {
    const found = matched(pattern, view);
    if (found !== null) return found;
  }
  return null;
}

const ALIKE = [
  "identical",
  "spread_zero",
  "gradient_zero",
  "loss_zero",
  "reward_flat",
  "reward_zero",
  "same_everywhere",
] as const;
const NO_SIGNAL = ["spread_zero", "gradient_zero", "loss_zero", "reward_flat", "reward_zero", "loss_flat"] as const;
/** What a reward that does not move is, only texts and the scale of the reward say. */
const BY_TEXT: ReadonlySet<Cause> = new Set<Cause>([
  "all_incorrect_reward_floor",
  "constant_reward",
  "zero_reward_variance",
  "all_correct_saturated",
]);

/** What answers show that are asked for after training. */
const OF_ANSWERS: ReadonlySet<Cause> = new Set<Cause>([
  "repeated_token_degeneration",
  "mode_collapse",
  "truncated_completions",
]);

/** True of a cause that only sampled and rewarded texts can have, in a run that has none; of wrong answers, where they are right. */
export const isForeign = (cause: Cause, view: RunView) =>
  view.isPost && (BY_TEXT.has(cause) && view.algorithm !== null && !isReinforcement(view) ||
    cause === "reward_collapse" && view.algorithm === "sft" && toldFinding("forgetting", view) !== null ||
    (DISPLACED[cause] ?? []).some((name) => symptomsOf(view).has(name)));

/** What shows that a cause with the same numbers is not it. */
const DISPLACED: Partial<Readonly<Record<Cause, readonly SymptomName[]>>> = {
  all_incorrect_reward_floor: ["answers_right"],
  broken_gradient_path: ["pairs_identical", "sides_tie"],
};

/** What is missing where people tell a level, and neither a text nor the scale; null where a cause may be named. */
export function toldTooLittle(cause: Cause, view: RunView): CannotTell | null {
  if (!view.isPost) return null;
  if (OF_ANSWERS.has(cause) && isTaught(view) && view.messages.some(({ kind }) => kind === "served_otherwise")) {
    return {
      missing: ["answers under the chat template and the weights of training"],
      because: "what answers is not what was trained: use the template and the weights of training at inference",
    };
  }
  if (cause === "greedy_sampling" && !ALIKE.some((name) => symptomsOf(view).has(name))) {
    return {
      missing: ["the completions of one group"],
      because: "sampling may be near-greedy, and nothing says that completions are alike",
    };
  }
  if (printedRecords(view) > 0) return null;
  if (cause === "broken_gradient_path" && symptomsOf(view).has("spread_zero")) {
    return {
      missing: ["a group whose rewards differ"],
      because: "no gradient arrives, as it must where the rewards of each group are equal",
    };
  }
  if (cause === "group_size_too_small" && !NO_SIGNAL.some((name) => symptomsOf(view).has(name))) {
    return {
      missing: ["the reward and its spread within groups"],
      because: "groups are small, and nothing says that they tie",
    };
  }
  if (cause === "no_supervised_tokens" && symptomsOf(view).has("parts_frozen") && !isSaidOfLabels(view)) {
    return {
      missing: ["the count of label tokens"],
      because: "a loss and a gradient of 0 are told: no label counts, or nothing is trained",
    };
  }
  if (!BY_TEXT.has(cause)) return null;
  const symptoms = symptomsOf(view),
    hasReward = view.has("reward") || [...view.columns.keys()].some((name) => name.startsWith("reward."));
  const isKnown = view.completions.length > 0 || symptoms.has("readable") || symptoms.has("identical");
  const isBetween = cause === "zero_reward_variance" && symptoms.has("reward_between");
  const isTold = (["reward_code_constant", "format_learned", "groups_filtered"] as const).some((name) =>
    symptoms.has(name)
  );
  const isShown = (cause === "all_correct_saturated" || cause === "all_incorrect_reward_floor") &&
    toldFinding(cause, view) !== null;
  // A mean of 0 without spread is 0 for every completion.
  const isFloor = cause === "all_incorrect_reward_floor" && symptoms.has("reward_zero") && symptoms.has("spread_zero");
  if (isKnown && hasReward || isBetween || isTold || isFloor || isShown) return null;
  return {
    missing: [hasReward ? "a printed completion" : "the reward", "the scale of the reward"],
    because: `it may be ${cause}, and nothing printed tells it from what looks the same`,
  };
}

const isSaidOfLabels = (view: RunView) =>
  view.messages.some(({ kind }) => kind === "no_labels") || symptomsOf(view).has("labels_zero");

/** Records that a log prints; those that stand for what is told do not count. */
export const printedRecords = (view: RunView): number => printedOnes(view).length;

function matched(
  { all, none = [], options, when, isFirm, message, hint, confirm, advice }: Pattern,
  view: RunView,
): Found | null {
  if (when !== undefined && !when(view)) return null;
  const symptoms = symptomsOf(view), settings = options?.(view) ?? [];
  if (options !== undefined && settings.length === 0 || none.some((name) => symptoms.has(name))) return null;
  const there: SymptomName[] = [];
  for (const wanted of all) {
    const name = [wanted].flat().find((one) => symptoms.has(one));
    if (name === undefined) return null;
    there.push(name);
  }
  if (isFirm === true && printedRecords(view) === 0) {
    const { says = [] } = SYMPTOMS[there[0]!] as Symptom;
    if (isBareCry(view, claimed(view, says))) return null;
  }
  const evidence = [
    ...settings.map((entry) => settingEvidence(entry)),
    ...quotedOnce(there.flatMap((name) => symptoms.get(name)!)),
  ].slice(0, SHOWN);
  // Where a course turns and ends a symptom shows, not where it begins.
  const steps = there.flatMap((name) => {
    const own = symptoms.get(name)!.flatMap(({ train_step }) => train_step ?? []);
    return own.length > 2 ? own.slice(1) : own.slice(-1);
  });
  return {
    trainSteps: [...new Set(steps)].sort((a, b) => a - b),
    message: there.length < 2 ? message : `${message} (${there.map((name) => SYMPTOMS[name].about).join(", ")})`,
    evidence,
    ...(hint === undefined ? {} : { hint, remedy: [] }),
    ...(confirm === undefined ? {} : { confirm }),
    ...advice?.(view),
  };
}

/** Of rows that quote the same words of a line the first: one quotation is one proof. */
function quotedOnce(rows: readonly Evidence[]): Evidence[] {
  const isQuoted = ({ value, line }: Evidence) => typeof value === "string" && line !== null;
  return rows.filter((row, at) =>
    !isQuoted(row) ||
    rows.findIndex(({ source, line, value }) => source === row.source && line === row.line && value === row.value) ===
      at
  );
}
