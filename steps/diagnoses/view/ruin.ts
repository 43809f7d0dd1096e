/** A policy that a far too large learning rate ruins over tens of train steps, every number finite. @module */
import { type Course, COURSE_VALUES, courseOf, errorOf, extreme, sigmaOf, wayFrom } from "./course.ts";
import { isReinforcement } from "./groups.ts";
import { mayBeTiny, modelParameters, usualRateOfSize, usualRatesOfAnySize } from "./learning_rate.ts";
import { firstNonFinite } from "./non_finite.ts";
import { median, recordsOf, show, written } from "./numbers.ts";
import { gainEvidence, gainSince, gainText, paid, type Signal, spanOf, witnesses } from "./progress.ts";
import type { RunView } from "./run_view.ts";
import { setting, settingEvidence } from "./settings.ts";
import { startsAtBeginning } from "./start.ts";

/** Times the usual rate: of a model whose size is told, and of one that may be tiny and stand more. */
const FAR = 20, FAR_UNKNOWN = 100;
/** The same of a known size where much of what is printed breaks with the reward; so many columns of those printed. */
const LARGE = 3, MANY = 3;
const LARGE_UNKNOWN = 9, MOST = 3; // the same of a size that is not told
const ANY = 3, ONE = 1; // The same of a rate so many times that of the smallest models: none stands it.
const LOST = 0.25; // Share of what was spanned, or of the best level, that is lost.
const TAUGHT = 0.1, TAUGHT_SURE = 2; // Share of its best level, and standard errors, by which a run that was taught at this rate has risen.
const SURE = 4, BEYOND = 3; // Standard errors of the loss, and of what breaks beside it.
const DRIFTED = 0.3; // Nats per token that a run at a usual rate hardly reaches.
const EARLY = 0.5; // Share of the run within which it begins: a rate that a run stood for longer is not the cause.

/** Train steps from the start on within which a policy is gone at once, what of its entropy is then left at most, its KL at least. */
const FIRST_STEPS = 20, CHOICE_LEFT = 0.25, GONE_KL = 0.5;

/** Records of a long log, those with a reward before it was lost, and the part of the run in which it is lost at once. */
const LONG = 50, FEW = 2, AT_ONCE = 0.12;

const LARGEST = 1e308; // About the largest number there is.

/** The decision, for the page. */
export const SLOW_RUIN = [
  written`Over a long run ${FAR} times the usual rate and more (${FAR_UNKNOWN} where the size of the model is not told), where within the first ${EARLY} % of the run what it is for and the reward begin to fall, by ${SURE} standard errors and ${LOST} % of what it has spanned, and the KL, where it is printed, goes beyond ${DRIFTED} nats per token.`,
  written`Over a long run ${LARGE} times the usual rate of a model whose size is told (${LARGE_UNKNOWN} where it is not), where ${MANY} (${MOST}) of gradient, entropy, length, truncated share and KL break as well; or where no completion is rewarded after the first ${AT_ONCE} % of it, and some were before.`,
  written`At ${ANY} times the usual rate of the smallest models, which none stands: ${ONE} of them beside such a fall; or within the first ${FIRST_STEPS} train steps a KL of ${GONE_KL} nats per token, or less than ${CHOICE_LEFT} % of the first entropy left, for good, and nothing that the run is for ever rises.`,
];

/** True of a rate far above that of the smallest models, which stand most. */
export const noneStands = (view: RunView, rate: number): boolean => rate >= ANY * usualRatesOfAnySize(view)[1];

/** What the run is for falls early, for good, at many times the usual rate. */
export function slowRuin(view: RunView, rate: number) {
  // After a NaN a reward at its floor is an after-effect of the NaN.
  const isKnown = tellsSize(view), usual = usualRateOfSize(view), times = rate / usual;
  if (!isKnown && mayBeTiny(view) && !noneStands(view, rate)) return null;
  if (times < (isKnown ? LARGE : LARGE_UNKNOWN) || !isReinforcement(view) || firstNonFinite(view) !== null) return null;
  const isForNone = noneStands(view, rate);
  const atOnce = lostAtOnce(view, rate, usual) ?? (isForNone ? goneAtOnce(view, rate, isKnown) : null);
  if (atOnce !== null) return atOnce;
  const kl = courseOf(view, "kl"), drifts = kl === null || extreme(kl).value >= DRIFTED;
  const broken = RUIN_SIGNS.filter((symptom) => breaks(view, symptom)).map(({ column }) => column);
  const enough = isForNone ? ONE : isKnown ? MANY : MOST;
  if (broken.length < enough && !(drifts && times >= (isKnown ? FAR : FAR_UNKNOWN))) return null;
  const judges = witnesses(view, view.trainSteps[0]!), reward = paid(view);
  const fallen = judges.flatMap((signal) => fallOf(signal) ?? [])[0];
  // A reward that does not fall with the rest is what is learned, or says nothing: then the reward is at fault.
  if (fallen === undefined || reward !== null && fallOf(reward) === null) return null;
  // Where the size is not told a rate is far out only by what a large model stands: one that taught the run well was not.
  if (!isKnown && !isForNone && hasRisen(fallen)) return null;
  const { signal, best, end, at } = fallen, entry = setting(view, "learning_rate");
  const from = signal.trainSteps[at]!, record = Math.max(0, view.trainSteps.findIndex((step) => step >= from));
  return {
    trainSteps: view.stepsFrom(record),
    trend: true as const,
    message: `The learning rate ${show(rate)} is ${
      timesText(rate, usual)
    } times the usual one; since train step ${from} ${signal.name} fell from about ${show(best)} to ${show(end)}${
      kl === null ? "" : ` and the KL rose to ${show(kl.end)} nats per token`
    }${broken.length < 2 ? "" : `; ${broken.join(", ")} broke with it`}`,
    evidence: [
      entry !== null ? settingEvidence(entry) : view.evidence("learning_rate", 0),
      signal.evidence(at),
      signal.evidence(signal.course.records.at(-1)!),
      ...[...new Set([...(kl === null ? [] : ["kl"]), ...broken])].map((column) =>
        view.evidence(column, courseOf(view, column)!.records.at(-1)!)
      ),
    ],
    ruledOut: { reward_collapse: "the size of the updates explains it" },
  };
}

/** What a step size that is too large breaks beside the reward: a column, and from where on it has. */
const RUIN_SIGNS = [
  { column: "grad_norm", times: 1.5, either: false, least: 0 },
  { column: "entropy", times: 1.6, either: true, least: 0 },
  { column: "completion_length", times: 1.5, either: true, least: 0 },
  { column: "truncated_fraction", times: 2, either: false, least: 0.15 },
  { column: "kl", times: 4, either: false, least: 0.05 },
] as const;

/** True if a column ends several times above where it began (or below, where either is a break), or was there, beyond chance. */
function breaks(view: RunView, { column, times, either, least }: typeof RUIN_SIGNS[number]): boolean {
  const course = courseOf(view, column);
  if (course === null) return false;
  const { now, noise } = course, first = course.levels[0]!.value, top = column === "grad_norm" ? highest(course) : now;
  const grown = top >= times * first && top >= least, shrunk = either && now * times <= first;
  return grown && top - first > BEYOND * noise || shrunk && first - now > BEYOND * noise;
}

/** A rate in usual ones: of a printed number without bounds it has none either. */
const timesText = (rate: number, usual: number) => show(Math.min(LARGEST, rate / usual));

/** The highest mean of two neighbouring levels: a gradient is large while it ruins, and small where nothing is left. */
const highest = (course: Course) => extreme({ ...course, width: 2 }).value;

/** At once: a reward now and then in the first part of the run, and at its floor in all the rest. */
function lostAtOnce(view: RunView, rate: number, usual: number) {
  const cells = view.column("reward"), known = recordsOf(cells), isLost = (record: number) => cells[record] === 0;
  const last = known.findLastIndex((record) => !isLost(record)), rewarded = known.filter((record) => !isLost(record));
  if (known.length < LONG || rewarded.length < FEW || last > AT_ONCE * known.length) return null;
  const at = known[last + 1]!, entry = setting(view, "learning_rate");
  return {
    trainSteps: view.stepsFrom(at),
    trend: true as const,
    message: `The learning rate ${show(rate)} is ${timesText(rate, usual)} times the usual one; from train step ${
      view.trainSteps[at]
    } on no completion is rewarded, ${rewarded.length} records before had one`,
    evidence: [
      entry !== null ? settingEvidence(entry) : view.evidence("learning_rate", 0),
      view.evidence("reward", rewarded[0]!),
      view.evidence("reward", at),
      view.evidence("reward", known.at(-1)!),
    ],
    ruledOut: { all_incorrect_reward_floor: "some were right before" },
  };
}

/** Gone within the first updates, at a rate that no model stands: far from the reference, or without a choice, and nothing is ever gained. */
function goneAtOnce(view: RunView, rate: number, isKnown: boolean) {
  if (!startsAtBeginning(view)) return null;
  const gain = gainSince(view, view.trainSteps[0]!);
  if (gain === null || !gain.still || gain.since.direction === "open" && gain.since.by > 0) return null;
  const gone = goneBy(view, "kl", (value) => value >= GONE_KL) ??
    goneBy(view, "entropy", (value, first) => value <= CHOICE_LEFT * first);
  if (gone === null) return null;
  const { column, from, at } = gone, cells = view.column(column), entry = setting(view, "learning_rate");
  return {
    trainSteps: view.stepsFrom(from),
    trend: true as const,
    ...(isKnown ? {} : { hint: rateHint(view), remedy: [] }),
    message: `The learning rate ${show(rate)} is ${usualText(view, rate, isKnown)}; the ${
      column === "kl" ? "KL" : column
    } went from ${show(cells[from]!)} to ${show(cells[at]!)} nats per token by train step ${view.trainSteps[at]}, and ${
      gainText(gain)
    }`,
    evidence: [
      entry !== null ? settingEvidence(entry) : view.evidence("learning_rate", 0),
      view.evidence(column, from),
      view.evidence(column, at),
      ...gainEvidence(gain, view.trainSteps[0]!),
    ],
    ruledOut: { entropy_collapse: "the size of the updates explains it", kl_explosion: "there the growth is slow" },
  };
}

/** How far out a rate is, by what is then advised: the usual rate of a size that is told, else that of the smallest models. */
function usualText(view: RunView, rate: number, isKnown: boolean): string {
  const usual = isKnown ? usualRateOfSize(view) : usualRatesOfAnySize(view)[1];
  return `${timesText(rate, usual)} times the usual one${isKnown ? "" : " of even the smallest models"}`;
}

/** What to do about a rate that is too large for any model, where the size of this one is not told. */
function rateHint(view: RunView): string {
  const [large, smallest] = usualRatesOfAnySize(view).map((rate) => rate.toExponential());
  return `Start again with the usual learning rate of the model's size, from ${large} for large models to ${smallest} for ` +
    `the smallest; the log alone does not tell the size: give the configuration beside it, or the folder of the run.`;
}

/** The record of the first train steps from which a column is beyond a border, most of the run as well; null where none is. */
function goneBy(view: RunView, column: string, isGone: (value: number, first: number) => boolean) {
  const cells = view.column(column), known = recordsOf(cells), from = known[0];
  if (from === undefined || known.length < COURSE_VALUES) return null;
  const first = cells[from]!, last = view.trainSteps[from]! + FIRST_STEPS;
  const at = known.find((record) => isGone(cells[record]!, first));
  const rest = known.filter((record) => record >= (at ?? Infinity)).map((record) => cells[record]!);
  return at === undefined || view.trainSteps[at]! > last || !isGone(median(rest), first) ? null : { column, from, at };
}

/** True if the model's size is known. */
function tellsSize(view: RunView): boolean {
  return !view.imported || modelParameters(view) !== null;
}

/** True where a signal has risen, beyond chance and by a share of its best level, before it fell. */
function hasRisen({ signal: { course }, best }: NonNullable<ReturnType<typeof fallOf>>): boolean {
  const first = course.levels[0]!.value;
  return best - first > Math.max(TAUGHT_SURE * errorOf(course), TAUGHT * Math.abs(best));
}

function fallOf(signal: Signal) {
  const { course } = signal, { from, by, sigma, left } = wayFrom(course, 1, { until: "end" });
  const share = Math.max(Math.abs(from), spanOf(course), median(course.values.map(Math.abs)));
  if (sigma > -SURE || -by < LOST * share || sigmaOf(course) > 0) return null;
  return left > EARLY * course.levels.length
    ? null
    : { signal, best: from, end: course.end, at: course.levels[left]!.from };
}
