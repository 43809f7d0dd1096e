/** Cause `reward_hacking`: the policy raises the reward by a shortcut while the goal falls. @module */
import { type CannotTell, defineDiagnosis, type Found } from "./diagnosis.ts";
import { MORE_KL } from "./remedies/often.ts";
import { collapses, rewardHolds } from "./view/collapse.ts";
import { copying } from "./view/copying.ts";
import { isUnpaidOnNewPrompts } from "./view/memorised.ts";
import { isConfirmed, wayFrom } from "./view/course.ts";
import { fallsAmong } from "./view/falls.ts";
import { leavesBest, leavesStart } from "./view/onset.ts";
import { gainEvidence, gainSince, gainText, paid, type Signal, since, spanOf, truths } from "./view/progress.ts";
import { deviation, LATE, mean, percent, show, written } from "./view/numbers.ts";
import { flatness, goalsOf, rewardFunctions } from "./view/rewards.ts";
import { firstAndLast, quote } from "./view/texts.ts";
import type { RunView } from "./view/run_view.ts";
import type { Evidence } from "./view/evidence.ts";
import { rightOf } from "./view/right.ts";
import { type Terms, termsOf, trend } from "./view/terms.ts";

const RECORDS = 10; // Ten records make a trend; below that only an end state does.
const HIGH = 0.8; // Where a reward between 0 and 1 pays for nearly every completion.
/** Standard errors of a trend, and of a fall that ends at the floor, from above it. */
const SURE = 3.5, SURE_TO_FLOOR = 2, ABOVE = 0.05;
/** A change, or a level, of a share that is none; an accuracy that is none; a change that nobody overlooks. */
const SMALL = 0.02, NOTHING = 0.01, CLEAR = 0.2;
/** Share of the text that stands in the prompt: from here on it is copied; up to here the task asks for none of that. */
const COPIED = 0.5, AT_FIRST = 0.25;
const FIRST_LOOPING = 0.3; // Share of repeating texts at the beginning that is no habit of the model.
/** Share of its maximum at which a proxy is at it; flat records of a dead end; records that are the start. */
const AT_TOP = 0.95, STILL = 5;
const NOT_YET = 0.8, START = 3; // Share of it at the start of a proxy that has yet to take over.
/** Factors and a difference that look like a trend before there are records for one. */
const FALLEN = 0.85, RISEN = 1.08, RISEN_BY = 0.03;
const LOST = 0.12; // Share of its best level, and of its span, that a goal loses over a long run.

export default defineDiagnosis({
  codes: ["H01", "R06"],
  wastes: "wrong",
  about: "The policy raises the reward by a shortcut: a proxy goes up while the true goal falls or stays at its floor.",
  reads: ["reward.<name>", "accuracy", "evaluations.accuracy", "completion_length", "completions.text"],
  decision: [
    written`Over at least ten records a proxy (format, length, style, or the total reward) rises by ${SURE} standard errors while the goal (accuracy, or a held-out score) falls by ${SURE}, or ends at its floor after having been above. Since the goal left its best level the total reward has not fallen with it, nor has a held-out score risen.`,
    "Repeated text in more than half of the completions at a rising reward.",
    written`Copied text: ${COPIED} % of what is written stands in the prompt (${AT_FIRST} % at first) while nothing that the run is for rises and the reward does not fall.`,
    written`Over a long run: a held-out score or a goal has lost ${LOST} % of its best level and of what it spanned, by ${SURE} standard errors of its levels, while the reward rose; of a held-out score two of the last three evaluations must show it, and with one alone the verdict is open.`,
    written`In a run of ours the goal is what the task's verifier accepts. There any number of records is enough where the accuracy or the held-out score fell beyond chance (reward_collapse) and the reward did not; a reward that rises to ${HIGH} while nothing is accepted is a warning; so it is of a foreign log where no evaluation has one right.`,
    "With fewer records the verdict is open.",
  ],
  hint: "Stop at the best held-out score; make the proxy weigh less or verify what it stands for.",
  remedy: MORE_KL,
  byHand: "Fix the verifier: the shortcut shows in the completions.",
  lookAlikes: {
    all_correct_saturated: "there no other score falls",
    overfitting: "there the proxy does not rise on new prompts",
    length_collapse: "there no proxy rises",
  },
  taughtBy: "TRL: evidence_reward 0.8 to 3.0 while accuracy_reward fell to 0",
  check(view): Found | CannotTell | null {
    const terms = termsOf(view),
      slow = isUnpaidOnNewPrompts(view) ? null : slowly(view),
      doubt = slow !== null && "missing" in slow ? slow : null;
    return (doubt === null ? slow : null) ?? diverging(view, terms) ?? repeating(view, terms) ?? copied(view) ??
      endState(view) ?? atTheCostOf(view) ?? paidForNothing(view) ?? doubt ?? open(terms);
  },
});

/** A proxy rises beyond chance while a goal falls, or ends at its floor. */
function diverging(view: RunView, { goals, proxies, records }: Terms): Found | null {
  const falling = goals.find((goal) =>
    goal.sigma < -SURE && goal.by < -SMALL || (goal.to <= SMALL && goal.from >= ABOVE && goal.sigma < -SURE_TO_FLOOR)
  );
  const rising = proxies.filter((proxy) => proxy.sigma > SURE && proxy.by > SMALL).sort((a, b) => b.sigma - a.sigma)[0];
  if (records < RECORDS || falling === undefined || rising === undefined || falling.name === rising.name) return null;
  const held = falling.heldOut ?? null;
  if (held !== null && !isConfirmed(held.course, falling.from)) return null;
  const from = held !== null ? heldOutFallsFrom(view, held) : leavesBest(view, falling.column);
  const isDoubtful = from !== null && held === null &&
    (!isPaidSince(view, view.trainSteps[from]!) || isHeldUp(view, view.trainSteps[from]!));
  if (isDoubtful) return null;
  return {
    ...(from === null
      ? { trainSteps: view.trainSteps.slice(-LATE) }
      : { trainSteps: view.stepsFrom(from), trend: true }),
    message: `${rising.name} rose from ${show(rising.from)} to ${show(rising.to)} while ${falling.name} went from ${
      show(falling.from)
    } to ${show(falling.to)}`,
    evidence: [
      view.evidence(rising.column, 0),
      lastEvidence(view, rising.column),
      falling.heldOut?.evidence(falling.heldOut.course.records.at(-1)!) ?? lastEvidence(view, falling.column),
      ...lateCompletion(view),
    ],
    ruledOut: { all_correct_saturated: `${falling.name} falls` },
  };
}

/** What is paid does not fall with the goal: else it is not what the policy learns. */
function isPaidSince(view: RunView, trainStep: number): boolean {
  const reward = paid(view);
  return reward === null || since(reward, trainStep).direction !== "falls";
}

/** Held-out prompts are the same all along: where they are answered better, those of training have become harder. */
function isHeldUp(view: RunView, trainStep: number): boolean {
  return truths(view).some((truth) => truth.kind === "held out" && since(truth, trainStep).direction === "rises");
}

/** The record at which what is held out left its best level. */
function heldOutFallsFrom(view: RunView, { course, trainSteps }: Signal): number | null {
  const { by, left } = wayFrom(course, 1, { until: "end" });
  if (by >= 0) return null;
  const at = view.trainSteps.findIndex((step) => step >= trainSteps[course.levels[left]!.from]!);
  return at < 0 ? null : at;
}

/** The train steps from the one on at which a column left its first level; the last ones of a short run. */
function risesFrom(view: RunView, column: string): Pick<Found, "trainSteps" | "trend"> {
  const from = leavesStart(view, column);
  return from === null
    ? { trainSteps: view.trainSteps.slice(-LATE) }
    : { trainSteps: view.stepsFrom(from), trend: true };
}

/** Over a long run: since its best level a held-out score or a goal has fallen, and the reward has not. */
function slowly(view: RunView): Found | CannotTell | null {
  const reward = paid(view);
  let doubt: CannotTell | null = null;
  if (reward === null) return null;
  for (const truth of truths(view)) {
    const { course, trainSteps } = truth, span = spanOf(course);
    const { from, by, sigma, best, left } = wayFrom(course, 1, { until: "end" });
    if (sigma > -SURE || -by <= SMALL * Math.max(Math.abs(from), span) || -by < LOST * Math.max(from, span)) continue;
    const first = Math.max(0, best - course.width + 1), trainStep = trainSteps[course.levels[first]!.from]!;
    const since_ = since(reward, trainStep);
    if (since_.direction !== "rises" || truth.kind === "goal" && isHeldUp(view, trainStep)) continue;
    if (truth.kind === "held out" && !isConfirmed(course, from, best)) {
      doubt ??= {
        missing: ["another evaluation"],
        because: `the reward rises and ${truth.name} fell from ${show(from)} to ${
          show(course.values.at(-1))
        }, in its last evaluation alone`,
      };
      continue;
    }
    if (truth.kind === "held out" && !fallsAmong(truth.course.values, truths(view).length)) continue;
    const record = course.levels[left]!.from, onset = trainSteps[record]!;
    const at = view.trainSteps.findIndex((step) => step >= onset);
    return {
      trainSteps: view.stepsFrom(Math.max(0, at)),
      trend: true,
      message: `The reward went from about ${show(since_.from)} to ${
        show(since_.to)
      } while ${truth.name} fell from about ${show(from)} to ${show(course.end)}`,
      evidence: [
        view.evidence("reward", Math.max(0, at)),
        lastEvidence(view, "reward"),
        truth.evidence(course.levels[best]!.to),
        truth.evidence(course.records.at(-1)!),
        ...lateCompletion(view),
      ],
      ruledOut: { all_correct_saturated: `${truth.name} falls` },
    };
  }
  return doubt;
}

/** The reward rises with texts that repeat themselves, where no goal is printed. */
function repeating(view: RunView, { goals }: Terms): Found | null {
  const reward = view.finite("reward");
  if (reward.length < RECORDS || goals.length > 0) return null;
  const { sigma, by, to } = trend("reward", "reward", reward), { first, last } = firstAndLast(view);
  const gained = sigma > SURE && by > CLEAR * Math.max(0.5, Math.abs(to));
  if (!gained || last.looping <= 0.5 || first.looping >= FIRST_LOOPING) return null;
  return {
    ...risesFrom(view, "reward"),
    message: `The reward rose to ${show(to)} while ${percent(last.looping)} of the completions repeat themselves`,
    evidence: [view.evidence("reward", view.records - 1), ...view.completions.slice(-1).map((row) => quote(row))],
  };
}

/** More and more of what is written stands in the prompt, and nothing that the run is for has risen. */
function copied(view: RunView): Found | null {
  const thirds = copying(view), reward = paid(view);
  if (thirds === null || reward === null) return null;
  const [from, to] = [mean(thirds.first), mean(thirds.last)];
  const error = Math.hypot(deviation(thirds.first), deviation(thirds.last)) / Math.sqrt(thirds.last.length);
  if (from > AT_FIRST || to < COPIED || to - from <= SURE * error) return null;
  const gain = gainSince(view, view.trainSteps[0]!);
  if (gain === null || !gain.still || since(reward, view.trainSteps[0]!).direction === "falls") return null;
  return {
    trainSteps: view.trainSteps.filter((step) => step >= thirds.since),
    message: `${percent(to)} of what is written stands in the prompt (at first ${percent(from)}), and ${
      gainText(gain)
    }`,
    evidence: [lastEvidence(view, "reward"), ...gainEvidence(gain, view.trainSteps[0]!), ...lateCompletion(view)],
    hint: "Score what is not in the prompt: completions copy it, and are paid as before.",
  };
}

/** Runs of ours: what should not fall has fallen beyond chance, in any number of steps, and the reward has not. */
function atTheCostOf(view: RunView): Found | null {
  const held = rewardHolds(view);
  const fall = collapses(view).find(({ what }) => what !== "the reward");
  if (held === null || fall === undefined) return null;
  return {
    trainSteps: [fall.begins, fall.to],
    message: `The reward went from ${show(held.from)} to ${show(held.to)} while ${fall.what} fell from ${
      show(fall.best)
    } to ${show(fall.end)}`,
    evidence: [lastEvidence(view, "reward"), ...fall.evidence],
    ruledOut: { reward_collapse: "the reward does not fall: the policy learns what is paid" },
  };
}

/** Runs of ours: a reward rises to its top while the task's verifier has never accepted more than 1 % of a batch. */
function paidForNothing(view: RunView): Found | null {
  const reward = view.finite("reward"), right = rightOf(view, RECORDS);
  if (right === null || reward.length < RECORDS) return null;
  const { from, to, sigma } = trend("reward", "reward", reward);
  const most = Math.max(...right.values);
  if (most > NOTHING || sigma <= SURE || to < HIGH || to - from < CLEAR) return null;
  return {
    severity: "warning",
    ...risesFrom(view, "reward"),
    message: `The reward rose from ${show(from)} to ${show(to)} and ${
      most === 0 ? `no ${right.what} is right` : `at most ${percent(most)} of the ${right.what}s are right`
    }`,
    evidence: [
      view.evidence("reward", 0),
      lastEvidence(view, "reward"),
      right.evidence,
      ...lateCompletion(view),
    ],
    hint: view.imported
      ? "Score held-out answers by hand: if they are wrong, mend the reward; if they are right, the evaluation."
      : "If the verifier does not say what you want, set verifier: none in load_prompts; else mend the reward.",
  };
}

const late = (values: readonly number[]) => show(mean(lateHalf(values)));
const lateHalf = (values: readonly number[]) => values.slice(Math.floor(values.length / 2));

/** A proxy at its maximum on every sample while the goal is 0 on every sample. */
function endState(view: RunView): Found | null {
  const goals = goalsOf(view);
  const proxy = rewardFunctions(view).find((entry) => {
    const top = Math.max(...entry.values);
    return entry.kind === "shape" && top > 0 && mean(lateHalf(entry.values)) >= AT_TOP * top;
  });
  if (proxy === undefined || goals.length === 0) return null;
  if (!goals.every((entry) => Math.abs(mean(lateHalf(entry.values))) <= NOTHING)) return null;
  // A function that stands at its top while nothing is paid in all weighs nothing.
  if (Math.abs(mean(lateHalf(view.finite("reward")))) <= NOTHING) return null;
  const top = Math.max(...proxy.values), flat = flatness(view);
  const still = flat !== null && flat.share >= 0.5 && flat.records.length >= STILL;
  // A goal that was reached before the proxy took over is lost, whether the groups still differ or not.
  const lost = proxy.values.length >= RECORDS && proxy.values[0]! < NOT_YET * top &&
    goals.some((entry) => mean(entry.values.slice(0, START)) >= ABOVE);
  if (!still && !lost) return null;
  const at = still ? flat.records.at(-1)! : lastKnown(view, proxy.column);
  return {
    ...(still ? { trainSteps: view.stepsAt(flat.records) } : risesFrom(view, proxy.column)),
    message: `${proxy.name} is ${late(proxy.values)} of at most ${show(top)} while ${goals[0]!.name} is ${
      late(goals[0]!.values)
    }`,
    evidence: [view.evidence(proxy.column, at), view.evidence(goals[0]!.column, at)],
    ruledOut: { all_correct_saturated: `${goals[0]!.name} is ${late(goals[0]!.values)}` },
  };
}

/** The last record with a value of a column, NaN too; the last of all where there is none. */
function lastKnown(view: RunView, name: string): number {
  const record = view.column(name).findLastIndex((value) => value !== null);
  return record < 0 ? Math.max(0, view.records - 1) : record;
}

function lastEvidence(view: RunView, name: string): Evidence {
  return view.evidence(name, lastKnown(view, name));
}

function lateCompletion(view: RunView): Evidence[] {
  return view.completions.slice(-1).map((row) => quote(row, "a late completion"));
}

/** Too few records for a trend that looks like it. */
function open({ goals, proxies, records }: Terms): CannotTell | null {
  if (records < 2 || records >= RECORDS) return null;
  const goal = goals.find((entry) => entry.by <= -SMALL && entry.to < FALLEN * entry.from);
  const proxy = proxies.find((entry) =>
    entry.name !== "reward" && entry.by >= RISEN_BY && entry.to > RISEN * entry.from
  );
  if (goal === undefined || proxy === undefined) return null;
  return {
    missing: ["later records"],
    because:
      `${proxy.name} rises and ${goal.name} falls, but ${records} records are no trend (reward_hacking wants ten)`,
  };
}
