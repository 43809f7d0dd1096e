/** What is seen of rewards and held-out scores in a run that is told in few words or few records. @module */
import { messageEvidence } from "../view/messages.ts";
import { written } from "../view/numbers.ts";
import type { RunView } from "../view/run_view.ts";
import { all, anyOf, ends, endsOf, FALLEN_TO, fellFar, FLAT_TO, isFlat, notFinite, scored, toldEnds } from "./looks.ts";
import { claims, each, GOALS, PAID, type Symptom } from "./symptom.ts";

export const SCORE_NEAR_TOP = 0.85; // Where a score can hardly rise any more.
/** "92 % before and after" is neither a floor nor a standstill. */
const isBelowTop = (value: number | null) => value === null || (value > 1 ? value / 100 : value) < SCORE_NEAR_TOP;

const TIED = 0.8, SPREAD = 0.8; // Shares of groups without spread from which groups tie, and below which they do not.
/** Parts of a reward that the task wants: no form, no count. */
const OF_THE_TASK = /^reward\.(?!.*(?:format|xml|count|tag|length|step))/i;
const HARDLY = 0.02; // Deviation of rewards that is next to none.
const COURSE = 3; // Values of a part of the reward that are a course.
const FEW_FLAT = 3; // Values that are a level.
const ALL_ZERO = 3; // Records on which nothing is paid.
const ENOUGH_FLAT = 4, MANY_STEPS = 500; // Values, and the train steps between them, over which a reward should have moved.
const FLOOR = 0.02, TOP = 0.98, GOAL_FLOOR = 0.05; // Ends of a reward from 0 to 1, and where a goal lies on the floor.
/** Shares of the first value, and of the best one, by which a score has fallen or risen. */
const RISEN = 0.05, LOST = 0.1, LEFT = 0.7, GAINED = 0.1, LEAST_SIZE = 0.05;

/** What verl's dynamic sampling ends on. */
const FILTERED = /num_gen_batches\D{0,20}\d+\W+max_num_gen_batches|Generated too many\. Please check your data/i;

/** It came there: a task that is solved is no fault. */
const CLIMBED =
  /(?<![\p{L}])(?:reach\w*|hits?|climb\w*|ris(?:es|ing)|rose|g(?:oes|ets|ot|rows)|went|converg\w*|erreich\w*|attein\w*|alcan\w*|lleg\w*|cheg\w*|ating\w*|достиг\w*|доход\w*)(?![\p{L}])|达到|涨到|升到|到达|达成|収束|達し|到達|도달|올라/iu;

const rose = (first: number, last: number) => last > first + RISEN * Math.max(Math.abs(first), 1);

const ROSE_TO = written`it ends more than ${RISEN} above its first value, or ${RISEN} % of that where it is above 1`;

/** Hardly any spread on the first record and none ever after: the groups tied before anything was learned. */
const tiesSoon = (first: number, _: number, values: readonly number[]) =>
  first <= HARDLY && values.slice(1).every((value) => value === 0);

/** "Peaked at 0.6 around step 300 and fell to 0.1 by step 500". */
const LOST_AS_TOLD = anyOf(
  toldEnds("reward", ["reward.collapses"], fellFar),
  // "0.12 after 300 steps, 0.71 at step 100": two numbers, each told with its train step.
  (view) => isToldByStep(view) ? ends("reward", fellFar)(view) : null,
);

/** Each number of the reward is told, of a train step that is named. */
const isToldByStep = (view: RunView): boolean =>
  view.stepsPrinted &&
  view.column("reward").every((value, record) =>
    value === null ||
    view.isTold("reward", record) && view.toldAt("reward", record)?.trainStep === view.trainSteps[record]
  );

/** "From 0.31 to 0.33", and nobody says after how many train steps: two numbers are no level. */
function isOfNoTime(view: RunView): boolean {
  const cells = view.column("reward"),
    last = cells.findLastIndex((value) => value !== null),
    told = last < 0 ? null : view.toldAt("reward", last);
  return told !== null && told.trainStep === null && new Set(cells.filter((value) => value !== null)).size === 2;
}

const LOST_TO =
  written`of ${COURSE} values or more, of two where each is told with its train step or said to collapse, ${FALLEN_TO}`;

export const REWARD_SYMPTOMS = {
  spread_there: {
    about: "groups have spread",
    border:
      written`the deviation within groups is above 0 on every record, or less than ${SPREAD} % of the groups tie on each`,
    shows: anyOf(
      ends("group_reward_std", (_, __, values) => Math.min(...values) > 0, 1),
      ends("zero_spread_fraction", (_, __, values) => Math.max(...values) < SPREAD, 1),
    ),
  },
  reward_between: {
    about: "the reward lies between its ends",
    border: written`all values lie between ${FLOOR} and ${TOP}`,
    shows: anyOf(
      ends("reward", (_, __, values) => values.every((v) => v > FLOOR && v < TOP), 1),
      endsOf(/^reward\./, (_, __, values) => values.every((v) => v > FLOOR && v < TOP), 1),
    ),
  },
  reward_code_constant: {
    about: "the reward function gives one value",
    shows: (view) => {
      const found = view.messages.find(({ kind }) => kind === "constant_reward_function");
      return found === undefined ? null : [messageEvidence(found)];
    },
  },
  reward_zero: {
    about: "the reward is 0 or one penalty",
    border: written`it is 0 on all of ${ALL_ZERO} records or more`,
    says: each(PAID, ["zero"]),
    shows: anyOf(
      all("reward", ALL_ZERO, (v) => v === 0),
      claims(["reward.constant"], ({ value, throughout }) => throughout && value !== null && value < 0),
    ),
  },
  reward_flat: {
    about: "the reward does not move",
    border: written`of ${FEW_FLAT} values or more ${FLAT_TO}`,
    says: each(GOALS, ["constant", "noisy", "garbled"]),
    counts: ({ subject, value }) => subject !== "evaluation" || isBelowTop(value),
    shows: (view) =>
      isOfNoTime(view) ? null : ends("reward", (a, b, values) => isFlat(a, b, values) && !rose(a, b), FEW_FLAT)(view),
  },
  flat_for_long: {
    about: "it does not over hundreds of train steps",
    border: written`over ${MANY_STEPS} train steps or more, of ${ENOUGH_FLAT} values or more, ${FLAT_TO}`,
    shows: (view) => {
      const steps = view.trainSteps, isLong = view.stepsPrinted && steps.at(-1)! - steps[0]! >= MANY_STEPS;
      return isLong ? ends("reward", isFlat, ENOUGH_FLAT)(view) : null;
    },
  },
  reward_top: {
    about: "the reward is at its maximum",
    shows: claims(
      each(PAID, ["at_maximum", "constant"]),
      ({ predicate, value, from, throughout, text }) =>
        !CLIMBED.test(text) && (predicate === "constant" ? value === 1 && throughout : throughout || from !== null),
    ),
  },
  reward_falls: {
    about: "the reward falls",
    border: LOST_TO,
    says: each(PAID, ["falls", "collapses", "worsens"]),
    shows: anyOf(ends("reward", fellFar, COURSE), endsOf(OF_THE_TASK, fellFar, COURSE), LOST_AS_TOLD),
  },
  reward_collapses: {
    about: "the reward falls far below its best",
    border: LOST_TO,
    says: each(PAID, ["collapses"]),
    shows: anyOf(
      ends("reward", fellFar, COURSE),
      endsOf(OF_THE_TASK, fellFar, COURSE),
      LOST_AS_TOLD,
      claims(each(PAID, ["falls", "worsens"]), ({ value, throughout }) => value === 0 || throughout),
    ),
  },
  reward_rises: {
    about: "the reward rises",
    border: ROSE_TO,
    says: each(PAID, ["rises"]),
    undone: each(PAID, ["falls", "collapses", "worsens"]),
    shows: ends("reward", rose),
  },
  format_learned: {
    about: "the format is learned",
    border: ROSE_TO,
    says: each(["format_reward"], ["rises", "high", "correct"]),
    shows: endsOf(/^reward\.format/, (first, last) => rose(first, last)),
  },
  answers_unpaid: {
    about: "no answer is paid",
    says: each(["accuracy_reward", "accuracy"], ["zero", "low"]),
  },
  groups_filtered: {
    about: "no batch is left of groups whose rewards differ",
    shows: (view) => {
      const found = view.messages.find(({ text }) => FILTERED.test(text));
      return found === undefined ? null : [messageEvidence(found)];
    },
  },
  reward_not_finite: {
    about: "the reward is NaN",
    says: [...each(PAID, ["not_finite"]), "reward_model.not_finite"],
    shows: notFinite("reward"),
  },
  spread_zero: {
    about: "the rewards of a group are equal",
    border:
      written`at least ${TIED} % of the groups tie on every record; or the deviation within groups is 0, or at most ${HARDLY} at first and 0 on ${
        ENOUGH_FLAT - 1
      } records or more from then on`,
    says: ["group_reward_std.zero", "advantage.zero", "zero_spread.high", "zero_spread.rises"],
    shows: anyOf(
      all("zero_spread_fraction", 1, (v) => v >= TIED),
      all("group_reward_std", 1, (v) => v === 0),
      ends("group_reward_std", tiesSoon, ENOUGH_FLAT),
    ),
  },
  goal_falls: {
    about: "the held-out score falls",
    border: written`it ends more than ${LOST} % below its first value, or below ${LEFT} % of its best`,
    says: each(["evaluation", "accuracy"], ["falls", "collapses", "worsens"]),
    shows: scored((first, last, values) => last < first - LOST * Math.abs(first) || last < LEFT * Math.max(...values)),
  },
  goal_flat: {
    about: "the held-out score does not move",
    border: written`of ${FEW_FLAT} values or more ${FLAT_TO}`,
    says: each(["evaluation", "accuracy"], ["constant"]),
    shows: scored(isFlat, FEW_FLAT),
  },
  goal_rises: {
    about: "the held-out score rises",
    border: written`it ends more than ${GAINED} % (of ${LEAST_SIZE} at least) above its first value`,
    says: each(["evaluation", "accuracy"], ["rises"]),
    undone: each(["evaluation", "accuracy"], ["falls", "collapses", "worsens"]),
    shows: scored((first, last) => last > first + GAINED * Math.max(Math.abs(first), LEAST_SIZE)),
  },
  goal_at_floor: {
    about: "the goal stays at its floor",
    border:
      written`what is paid for the answer is at most ${GOAL_FLOOR} on all of ${FEW_FLAT} records or more; where it is only told, a score below ${SCORE_NEAR_TOP}`,
    says: each(["accuracy", "accuracy_reward", "evaluation"], ["zero", "constant", "low"]),
    counts: ({ value }) => isBelowTop(value),
    shows: endsOf(/^reward\.(?:acc|correct|answer)/i, (_, __, values) => Math.max(...values) <= GOAL_FLOOR, FEW_FLAT),
  },
} as const satisfies Record<string, Symptom>;
