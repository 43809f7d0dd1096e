/** What is right on the prompts of training and no longer on new ones: the prompts are learned, not the task. @module */
import { collapses } from "./collapse.ts";
import { beginsAt, fallBeside } from "./falls.ts";
import { isReinforcement } from "./groups.ts";
import { show } from "./numbers.ts";
import { heightOf, MOSTLY_SOLVED, paid, since, truths } from "./progress.ts";
import type { RunView } from "./run_view.ts";
import { scoreEvidence, taskScores } from "./scores.ts";
import { asSentence, scoreName } from "./words.ts";

const COMPARABLE = 0.6; // Share of the best held-out level that training had then.
const TAIL = 2; // Evaluations that are the end.

/**
 * A held-out score has collapsed while what the task wants of training (its goal, or all that is paid, where the same is measured
 * on held-out prompts) has risen since. A shortcut would be paid on new prompts as well. Null where it is not so.
 */
export function rightOnOldPrompts(view: RunView) {
  const fall = isReinforcement(view) ? fallOf(view) : null;
  if (fall === null) return null;
  // Where another score of new prompts holds, the prompts of its task are not learned by heart: that is forgetting.
  const holds = ["rises", "flat"];
  const held = truths(view).filter(({ kind }) => kind === "held out");
  if (held.some((signal) => holds.includes(since(signal, fall.from).direction))) return null;
  const reward = paid(view);
  const training = [
    ...truths(view).filter(({ kind }) => kind === "goal"),
    ...(isUnpaid(view, fall.from) && reward !== null ? [reward] : []),
  ];
  const meanwhile = training.map((signal) => ({ signal, since: since(signal, fall.from) }));
  const rises = meanwhile.find(({ signal, since: { direction, halves } }) =>
    direction === "rises" || halves || direction === "flat" && heightOf(signal.course) >= MOSTLY_SOLVED
  );
  if (rises === undefined || meanwhile.some(({ since: { direction } }) => direction === "falls")) return null;
  const { signal, since: way } = rises;
  // Where the two lay far apart while both were good they are not of the same task.
  if (way.from < COMPARABLE * fall.best) return null;
  return {
    best: fall.from,
    trainSteps: view.trainSteps.filter((step) => step >= fall.begins),
    trend: true as const,
    message: `${asSentence(fall.what)} fell from ${show(fall.best)} (train step ${fall.from}) to ${
      show(fall.end)
    } while ${signal.name} of training went from about ${show(way.from)} to ${show(way.to)}`,
    evidence: [...fall.evidence, signal.evidence(signal.course.records.at(-1)!)],
    ruledOut: { reward_hacking: "it is what the task wants that rises on the prompts of training" },
  };
}

/** A held-out score that has collapsed, or, since what rises beside it is a second witness, has lost so much beyond its scatter. */
function fallOf(view: RunView) {
  const sure = collapses(view).find(({ isHeldOut }) => isHeldOut);
  if (sure !== undefined) return sure;
  for (const series of taskScores(view)) {
    const { values, trainSteps } = series, fall = fallBeside(values);
    if (fall === null) continue;
    return {
      what: scoreName(series),
      best: fall.best,
      end: fall.end,
      from: trainSteps[fall.bestAt]!,
      begins: trainSteps[beginsAt(values, fall, TAIL)]!,
      evidence: [scoreEvidence(series, fall.bestAt), scoreEvidence(series, values.length - 1)],
    };
  }
  return null;
}

/** True if all that is paid, measured on held-out prompts, has collapsed: it is no shortcut, which would be paid there too. */
export function isUnpaidOnNewPrompts(view: RunView): boolean {
  const fall = fallOf(view);
  return fall !== null && isUnpaid(view, fall.from);
}

const isUnpaid = (view: RunView, step: number) =>
  truths(view).some((signal) =>
    signal.kind === "held out" && signal.isPaid && since(signal, step).direction === "falls"
  );
