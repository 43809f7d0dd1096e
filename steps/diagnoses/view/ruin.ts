/** A policy that a far too large learning rate ruins over tens of train steps, every number finite. @module */
import { courseOf, departure, errorOf, extreme, sigmaOf } from "./course.ts";
import { isReinforcement } from "./groups.ts";
import { firstNonFinite } from "./non_finite.ts";
import { median, show, written } from "./numbers.ts";
import { aims, paid, type Signal } from "./progress.ts";
import type { RunView } from "./run_view.ts";
import { setting, settingEvidence } from "./settings.ts";

/** Times the usual rate: of a model whose size is told, and of one that may be tiny and stand more. */
const FAR = 20, FAR_UNKNOWN = 100;
const LOST = 0.4; // Share of what was spanned, or of the best level, that is lost.
const SURE = 4; // Standard errors of the loss.
const DRIFTED = 0.3; // Nats per token that a run at a usual rate hardly reaches.
const EARLY = 0.5; // Share of the run within which it begins: a rate that a run stood for longer is not the cause.

/** The decision, for the page. */
export const SLOW_RUIN =
  written`Over a long run: ${FAR} times the usual rate and more (${FAR_UNKNOWN} where the size of the model is not told), where within the first ${EARLY} % of the run what it is for and the reward begin to fall, by ${SURE} standard errors and ${LOST} % of what it has spanned, and the KL, where it is printed, goes beyond ${DRIFTED} nats per token.`;

/** What the run is for falls early, for good, at many times the usual rate. */
export function slowRuin(view: RunView, rate: number, usual: number) {
  // After a NaN a reward at its floor is an after-effect of the NaN.
  if (rate < (tellsSize(view) ? FAR : FAR_UNKNOWN) * usual || !isReinforcement(view) || firstNonFinite(view) !== null) {
    return null;
  }
  const kl = courseOf(view, "kl");
  if (kl !== null && extreme(kl).value < DRIFTED) return null;
  const fallen = aims(view).flatMap((signal) => fallOf(signal) ?? [])[0], reward = paid(view);
  // A reward that does not fall with the rest is what is learned, or says nothing: then the reward is at fault.
  if (fallen === undefined || reward !== null && fallOf(reward) === null) return null;
  const { signal, best, end, at } = fallen, entry = setting(view, "learning_rate");
  const from = signal.trainSteps[at]!, record = Math.max(0, view.trainSteps.findIndex((step) => step >= from));
  return {
    trainSteps: view.stepsFrom(record),
    message: `The learning rate ${rate} is ${
      show(rate / usual)
    } times the usual one; since train step ${from} ${signal.name} fell from ${show(best)} to ${show(end)}${
      kl === null ? "" : ` and the KL rose to ${show(kl.end)} nats per token`
    }`,
    evidence: [
      entry !== null ? settingEvidence(entry) : view.evidence("learning_rate", 0),
      signal.evidence(at),
      signal.evidence(signal.course.records.at(-1)!),
      ...(kl === null ? [] : [view.evidence("kl", kl.records.at(-1)!)]),
    ],
    ruledOut: { reward_collapse: "the size of the updates explains it" },
  };
}

/** True if the model's size is known, or stands in its name as "1.7B" does. */
function tellsSize(view: RunView): boolean {
  return !view.imported || /\d[bB]\b/.test(String(setting(view, "model")?.value ?? ""));
}

function fallOf(signal: Signal) {
  const { course } = signal, best = extreme(course), low = extreme(course, -1);
  const lost = best.value - course.end;
  const share = Math.max(Math.abs(best.value), best.value - low.value, median(course.values.map(Math.abs)));
  if (lost < Math.max(SURE * errorOf(course), LOST * share) || sigmaOf(course) > 0) return null;
  const left = departure(course, best.value, course.end, { after: best.at });
  return left > EARLY * course.levels.length
    ? null
    : { signal, best: best.value, end: course.end, at: course.levels[left]!.from };
}
