/** Cause `reward_collapse`: the policy has lost what it could do. @module */
import { type CannotTell, defineDiagnosis, type Found } from "./diagnosis.ts";
import { AFTER_FALL, MORE_KL, NO_BONUS, SMALLER_TRIAL } from "./remedies/often.ts";
import { inForce } from "./remedies/options.ts";
import { collapse, SLIGHT, SURE_FALL, WORSE } from "./view/collapse.ts";
import { levelsSince, wayFrom } from "./view/course.ts";
import { ENTROPY_SURE, ENTROPY_TIMES, entropyRise } from "./view/entropy_rise.ts";
import type { Evidence } from "./view/evidence.ts";
import { heightSpan, paid, spanOf, truths, witnesses } from "./view/progress.ts";
import { isUsualRate, peakLearningRate, usualRateOfSize } from "./view/learning_rate.ts";
import { percent, show, written } from "./view/numbers.ts";
import type { RunView } from "./view/run_view.ts";
import { asSentence } from "./view/words.ts";

/** Of a long run: share of what it spanned, and of its scale, that is lost; standard errors; stretches since. */
const GONE = 0.6, LEAST = 0.25, SURE = 6, SINCE = 6, LEVELS = 12;

/** A warning: share of its height that is lost, standard errors, levels in a row that go down. */
const AT_RISK = 0.15, CLEAR = 6, DOWN = 4;

export default defineDiagnosis({
  codes: ["S03"],
  wastes: "all",
  about: "The run has lost what it could do: the held-out score, the accuracy or the reward ends far below its best.",
  reads: [
    "evaluations.correct",
    "accuracy",
    "reward",
    "evaluations.accuracy",
    "evaluations.reward",
    "relative_update",
    "entropy",
  ],
  decision: [
    written`The held-out score, the accuracy of the completions or the reward ends below half of its best level (of a reward that can be negative: a standard deviation of the single rewards below it), by more than chance: the standard error is the binomial one of the prompts asked (in a foreign log that of neighbouring records, or more where they wander), ${SURE_FALL.own} of them (held-out ${SURE_FALL.evaluations}: then a warning; foreign ${SURE_FALL.imported}) and 2 ln m more in the square for the m pairs of windows compared; a training level over an eighth of the run of which less than half is left, whatever the memory of its noise. Below ${WORSE.training} of the best (held-out ${WORSE.heldOut}) by ${SLIGHT} it is a warning. Training values do not count while the same held-out prompts are still solved, where that tells: of so many prompts that a like fall would show, or, in a foreign log, by a score that has risen over the run beyond chance; a flat or noisy one says nothing. Over a long run, of what is no share, also where ${GONE} % of what was spanned and ${LEAST} % of the scale are lost since the best level, by ${SURE} standard errors of the levels and for ${SINCE} stretches: a warning. A warning also where what the run is for has lost ${AT_RISK} % of its height by ${CLEAR} standard errors and goes down over ${DOWN} stretches in a row. Below half by less than chance, or a held-out score by what is chance once in a hundred runs, the verdict is open.`,
    written`An entropy that stands at ${ENTROPY_TIMES} times its lowest level, by ${ENTROPY_SURE} standard errors, which it must have risen by since the best, is named: then the change lowers it.`,
  ],
  spoils: true,
  hint:
    "Go on from a checkpoint before the fall, or start again, with a smaller learning rate or a stronger KL to the reference.",
  remedy: [{ step: "apply_update", key: "learning_rate", mul: 0.1, usual: true, min: 1e-8 }],
  lookAlikes: {
    learning_rate_too_high: "there the size of the updates says why",
    reward_hacking: "there a proxy rises meanwhile",
    zero_reward_variance: "there the reward was never higher",
    overfitting: "there the training accuracy stays",
  },
  taughtBy: "a run of ours: 85.5 % to 0.5 % of the held-out sums in four train steps at learning rate 1e-3",
  check(view): Found | CannotTell | null {
    const fall = collapse(view);
    if (fall === null) return slowly(view) ?? falling(view);
    const level = (value: number) => fall.isShare ? percent(value) : show(value);
    const message = `${fall.what} fell from ${level(fall.best)} (train step ${fall.from}) to ${
      level(fall.end)
    } (train step ${fall.to})`;
    if (!fall.isSure) {
      return slowly(view) ?? falling(view) ??
        { missing: ["an evaluation of more prompts"], because: `${message}, which may be chance` };
    }
    return {
      severity: fall.isTotal ? "error" : "warning",
      trainSteps: [fall.begins, fall.to],
      trend: true,
      ...told(view, asSentence(message), fall.evidence, fall.from),
      ruledOut: { zero_reward_variance: "the run has had a signal" },
    };
  },
});

/** A fall with what goes with it since the best was reached, and the change that follows from that. */
function told(view: RunView, message: string, evidence: readonly Evidence[], best: number) {
  const rise = entropyRise(view, best);
  return {
    message: `${message}${rise === null ? "" : `; ${rise.text}`}${pace(view)}`,
    evidence: [...evidence, ...rise?.evidence ?? []],
    ...(rise === null ? remedyOf(view) : againstEntropy(view)),
  };
}

/**
 * A rate that is usual is not what the policy fell by: first of all it is held nearer to where it came from. In a run of ours,
 * which goes on from what was reached, smaller steps come to that.
 */
function remedyOf(view: RunView): Pick<Found, "remedy"> {
  const held = isUsualRate(view) ? MORE_KL : [];
  return view.imported ? held.length > 0 ? { remedy: held } : {} : { remedy: [...held, AFTER_FALL] };
}

/** What pays for randomness goes first; a rate that is usual for one run drives the entropy of another up. */
function againstEntropy(view: RunView): Pick<Found, "remedy" | "hint"> {
  const paid = Number(inForce(view, "entropy_coef").now) > 0;
  return {
    hint: `Go on from a checkpoint before the fall, or start again, with what lowers the entropy: ${
      paid ? "no entropy bonus, " : ""
    }a smaller learning rate, a stronger KL to the reference.`,
    remedy: [...(paid ? [NO_BONUS] : []), view.imported ? SMALLER_TRIAL : AFTER_FALL, ...MORE_KL],
  };
}

/** How large the updates were, where it is known. */
function pace(view: RunView): string {
  const relative = Math.max(0, ...view.finite("relative_update"));
  const [rate, usual] = [peakLearningRate(view), usualRateOfSize(view)];
  const facts = [
    relative > 0 ? `a train step changes the weights by up to ${percent(relative)} of their norm` : "",
    rate !== null && rate > 0 ? `learning rate ${show(rate)}, usual is ${show(usual)}` : "",
  ].filter((fact) => fact !== "");
  return facts.length === 0 ? "" : `; ${facts.join(", ")}`;
}

/** Over a long run, whatever its scale: most of what was gained is gone, far beyond chance and for good. */
function slowly(view: RunView): Found | null {
  for (const { name, course, trainSteps, evidence } of [...truths(view), ...[paid(view)].flatMap((one) => one ?? [])]) {
    // Shares and rewards that start at 0 are judged above, by what chance does to them.
    if (course.levels.length < LEVELS || course.values.every((value) => value >= 0 && value <= 1)) continue;
    const { from, by, sigma, best, left } = wayFrom(course, 1, { until: "end" });
    const gone = -by >= GONE * spanOf(course) && -by >= LEAST * heightSpan(course);
    if (!gone || sigma > -SURE || levelsSince(course, left) < SINCE) continue;
    const at = course.levels[left]!.from;
    return {
      severity: "warning",
      trainSteps: [trainSteps[at]!, trainSteps[course.records.at(-1)!]!],
      trend: true,
      ...told(
        view,
        `${asSentence(name)} fell from ${show(from)} to ${show(course.end)} since train step ${trainSteps[at]}`,
        [evidence(course.levels[best]!.to), evidence(at), evidence(course.records.at(-1)!)],
        trainSteps[course.levels[best]!.to]!,
      ),
      ruledOut: { zero_reward_variance: "the run has had a signal" },
    };
  }
  return null;
}

/** A warning before it is lost: what the run is for has gone down from stretch to stretch, far beyond chance. */
function falling(view: RunView): Found | null {
  for (const signal of witnesses(view, view.trainSteps[0]!)) {
    const { course, name, trainSteps, evidence } = signal, last = course.levels.slice(-DOWN);
    const { from, by, sigma, best, left } = wayFrom(course, 1),
      floor = Math.min(0, ...course.levels.map(({ value }) => value));
    const goesOn = last.every(({ value }, i) => i === 0 || value < last[i - 1]!.value);
    if (course.levels.length < LEVELS || !goesOn || -by < AT_RISK * (from - floor) || sigma > -CLEAR) continue;
    const at = course.levels[left]!.from;
    return {
      severity: "warning",
      trainSteps: trainSteps.filter((step) => step >= trainSteps[at]!),
      trend: true,
      ...told(
        view,
        `At risk: ${name} goes down from ${show(from)} to ${show(course.now)} since train step ${
          trainSteps[at]
        }, stretch by stretch`,
        [evidence(course.levels[best]!.to), evidence(at), evidence(course.records.at(-1)!)],
        trainSteps[course.levels[best]!.to]!,
      ),
    };
  }
  return null;
}
