/** What is seen of pairs, labels, numbers, weights and the machine of a run that is told in few words or few records. @module */
import { startLoss } from "../view/groups.ts";
import type { Evidence } from "../view/evidence.ts";
import { messageEvidence } from "../view/messages.ts";
import { isNumber, written } from "../view/numbers.ts";
import { isReferenceFree } from "../view/reference.ts";
import type { RunView } from "../view/run_view.ts";
import { isToldRounded } from "../view/rounded_rate.ts";
import { setting, settingEvidence } from "../view/settings.ts";
import { beginsLater, claimed, claimEvidence, type Saying } from "./claimed.ts";
import { anyOf, type Look } from "./looks.ts";
import { claims, each, type Symptom } from "./symptom.ts";

const RUN = ["training", "policy", "completions", "step_time"] as const;
/** Updates, and a rate, behind a first record that cannot have learned anything worth a word. */
const EARLY_UPDATES = 10, FIRST_RATE = 1e-5, WARMING = 1e-7, FIRST_EPOCH = 0.1;
/** How far the first loss lies from that of an untrained pair, and the first rewards from 0. */
const LOSS_OFF = 0.2, REWARD_OFF = 1;
const SLOWER = 3; // Times that a train step takes what it took.
const FAR_ABOVE = 0.1; // A loss that no update brings to 0.
/** How near a coin an accuracy and a loss lie, the gradient of a run that learns, and updates that should have taught. */
const COIN = 0.05, COIN_LOSS = 0.01, ALIVE = 1e-2, MANY_UPDATES = 200;
const HARDLY_RIGHT = 0.1; // Share of tokens.
const TINY = 0.05; // A loss of rows that are known by heart.
const SEVERAL = 2, ROUNDED = 1e-3; // Records, and how far a printed loss lies from ln 2.
const SURE = 0.7; // Accuracy of training pairs that are learned.
const PART = /^finetune_\w*(?:layers|modules)$|^train_\w*(?:layers|tower|vision|llm)$/,
  FREEZE = /^(?:freeze_\w+|frozen\w*)$/;

/** Numbers of a column that a log prints, and what is told. */
const known = (view: RunView, name: string) =>
  view.column(name).flatMap((value, record) => isNumber(value) ? [{ record, value }] : []);

/** DPO before it has learned anything: neither the loss nor the rewards are where equal models have them. */
function startsElsewhere(view: RunView): readonly Evidence[] | null {
  const isSigmoid = !/ipo|hinge|nca|bco|sppo|apo|discopop|exo|simpo|orpo|cpo/i.test(
    String(setting(view, "loss")?.value ?? ""),
  );
  if (view.algorithm !== "dpo" || view.records === 0 || !isSigmoid || isReferenceFree(view)) return null;
  const rate = view.column("learning_rate")[0], step = view.stepsPrinted ? view.trainSteps[0]! : Infinity;
  const [next, epoch] = [view.column("learning_rate")[1], view.column("epoch")[0]];
  // The rate still rises at the beginning of the first epoch.
  const isWarming = isNumber(next) && isNumber(rate) && next > rate && isNumber(epoch) && epoch <= FIRST_EPOCH;
  const isFirst = isNumber(rate) && rate > 0 &&
    (rate <= WARMING || rate <= FIRST_RATE && (step <= EARLY_UPDATES || isWarming));
  if (!isFirst) return null;
  const off = (name: string, start: number, by: number) => {
    const value = view.column(name)[0];
    return isNumber(value) && !view.isTold(name, 0) && Math.abs(value - start) > by ? [view.evidence(name, 0)] : [];
  };
  const shown = [
    ...off("loss", startLoss(view), LOSS_OFF),
    ...off("chosen_reward", 0, REWARD_OFF),
    ...off("rejected_reward", 0, REWARD_OFF),
  ];
  return shown.length === 0 ? null : [...shown, view.evidence("learning_rate", 0)];
}

/** Every step overflows although the scale is as small as it gets. */
function overflowsAtFloor(view: RunView): readonly Evidence[] | null {
  const lines = view.messages.filter(({ kind, text }) => {
    const scales = [...text.matchAll(/(?:scale\D{0,12}|reducing to )(\d[\d.]*)/gi)].map((hit) => Number(hit[1]));
    return (kind === "overflow" || kind === "loss_scale") && scales.length > 0 && Math.max(...scales) <= 1;
  });
  return lines.length === 0 ? null : lines.slice(0, 2).map((line) => messageEvidence(line));
}

/** The critic, with its loss or with its gradient, in one record. */
function criticNotFinite(view: RunView): readonly Evidence[] | null {
  const loss = view.column("value_loss"), gradient = view.column("critic_grad_norm");
  const at = loss.findIndex((value, record) => Number.isNaN(value) && Number.isNaN(gradient[record]));
  return at < 0 ? null : [view.evidence("value_loss", at), view.evidence("critic_grad_norm", at)];
}

/** A trainer that leaves NaN out of its mean prints it so. */
function dropsToZero(view: RunView): readonly Evidence[] | null {
  const losses = known(view, "loss"), at = losses.findIndex(({ value }) => value === 0);
  const isLasting = at > 0 && losses.slice(at).every(({ value }) => value === 0);
  return isLasting && losses[at - 1]!.value > FAR_ABOVE
    ? [losses[at - 1]!, losses[at]!].map(({ record }) => view.evidence("loss", record))
    : null;
}

/** "It jumps up and becomes 0", said at once. */
const jumpsToZero: Look = (view) => {
  const high = claimed(view, ["loss.explodes", "loss.rises"]).map(({ text }) => text);
  return claims(["loss.zero"], ({ text }) => high.includes(text))(view);
};

/** Tokens are hardly ever right, and the loss is 0: no loss of finite numbers is. */
function wrongForNothing(view: RunView): readonly Evidence[] | null {
  const right = view.column("token_accuracy");
  const at = view.column("loss").findIndex((loss, record) =>
    loss === 0 && isNumber(right[record]) && right[record]! < HARDLY_RIGHT && !view.isTold("loss", record)
  );
  return at < 0 ? null : [view.evidence("loss", at), view.evidence("token_accuracy", at)];
}

/** Accuracy and loss of a coin, although gradients arrive. */
function pairsAtChance(view: RunView): readonly Evidence[] | null {
  const name = ["preference_accuracy", "accuracy", "reward.accuracy"].find((one) => known(view, one).length > 0);
  const accuracy = name === undefined ? undefined : known(view, name).at(-1);
  const loss = known(view, "loss").at(-1), gradient = known(view, "grad_norm").at(-1);
  if (accuracy === undefined || loss === undefined || gradient === undefined || gradient.value < ALIVE) return null;
  const isChance = Math.abs(accuracy.value - 0.5) <= COIN && Math.abs(loss.value - Math.LN2) <= COIN_LOSS;
  const steps = Math.max(view.trainSteps.at(-1) ?? 0, ...view.claims.flatMap(({ to }) => to ?? 0));
  return isChance && view.stepsPrinted && steps >= MANY_UPDATES
    ? [view.evidence(name!, accuracy.record), view.evidence("loss", loss.record)]
    : null;
}

/** A reward model for which no chosen side ever scores higher, nor lower: its loss is that of equal scores. */
function sidesTie(view: RunView): readonly Evidence[] | null {
  const loss = known(view, "loss"), accuracy = known(view, "accuracy");
  const margins = ["margin", "reward_margin"].flatMap((name) => known(view, name));
  const isTie = learnsPairs(view) && accuracy.length >= SEVERAL && accuracy.every(({ value }) => value === 0) &&
    margins.every(({ value }) => value === 0) && loss.every(({ value }) => Math.abs(value - Math.LN2) <= ROUNDED);
  return isTie && loss.length >= SEVERAL
    ? [view.evidence("accuracy", accuracy[0]!.record), view.evidence("loss", loss[0]!.record)]
    : null;
}

/** Rows of two texts without a reference, whose scores are compared. */
const learnsPairs = (view: RunView) => view.algorithm === "sft" && !view.prints("token_accuracy");

/** Options that leave a part of the model out of training. */
function partsFrozen(view: RunView): readonly Evidence[] | null {
  const found = view.settings.filter(({ name, value }) =>
    PART.test(name) && value === false || FREEZE.test(name) && value === true
  );
  return found.length === 0 ? null : found.slice(0, 2).map((entry) => settingEvidence(entry));
}

function stepsSlower(view: RunView): readonly Evidence[] | null {
  const times = known(view, "step_ms");
  return times.length >= SLOWER && times.at(-1)!.value > SLOWER * times[0]!.value
    ? [view.evidence("step_ms", times[0]!.record), view.evidence("step_ms", times.at(-1)!.record)]
    : null;
}

/** The last number of a column stands as asked. */
const lastOf = (name: string, test: (value: number) => boolean): Look => (view) => {
  const last = known(view, name).at(-1);
  return last !== undefined && test(last.value) ? [view.evidence(name, last.record)] : null;
};

/** Of all that is said of it, only what holds throughout. */
const always = (...sayings: readonly Saying[]): Look => (view) => {
  const said = claimed(view, sayings).filter(({ throughout, from, to }) =>
    throughout || from !== null && to !== null && to > from
  );
  return said.length === 0 ? null : said.slice(0, 2).map(claimEvidence);
};

export const UPDATE_SYMPTOMS = {
  labels_zero: { about: "no token carries a label", says: ["labels.zero"] },
  starts_elsewhere: {
    about: "loss and rewards are off before anything is learned",
    border:
      written`with a learning rate of at most ${WARMING}, or of at most ${FIRST_RATE} by update ${EARLY_UPDATES} or while it still rises, the loss lies more than ${LOSS_OFF} from that of equal models, or a reward more than ${REWARD_OFF} from 0`,
    shows: startsElsewhere,
  },
  gold_opposed: { about: "pairs that people labelled are ranked the other way round", says: ["gold.low"] },
  pairs_learned: {
    about: "the pairs of training are told apart",
    border: written`more than ${SURE} % of the pairs are at the end`,
    says: each(["preference_accuracy", "margin"], ["rises", "high"]),
    shows: (view) =>
      ["preference_accuracy", "accuracy", "reward.accuracy"].map((name) => lastOf(name, (value) => value > SURE)(view))
        .find((found) => found !== null) ?? null,
  },
  pairs_identical: {
    about: "chosen and rejected are the same text",
    says: ["chosen.identical", "rejected.identical"],
  },
  sides_tie: {
    about: "chosen and rejected score the same in every pair",
    border: written`on ${SEVERAL} records or more the accuracy is 0 and the loss within ${ROUNDED} of ln 2`,
    shows: sidesTie,
  },
  pairs_swapped: { about: "chosen and rejected are swapped in the data", says: ["labels.wrong"] },
  one_class: { about: "all rows carry the same label", says: ["labels.identical"] },
  margin_zero: { about: "the margin is 0", says: ["margin.zero"] },
  loss_tiny: {
    about: "the training loss is next to nothing",
    border: written`it ends below ${TINY} and above 0`,
    shows: lastOf("loss", (value) => value > 0 && value < TINY),
  },
  rate_zero: {
    about: "the learning rate is 0 throughout",
    shows: (view) => isToldRounded(view) ? null : always("learning_rate.zero")(view),
  },
  overflow_at_floor: {
    about: "steps overflow at the smallest loss scale",
    says: each(["loss_scale"], ["low", "zero", "collapses"]),
    shows: overflowsAtFloor,
  },
  overflows: { about: "numbers leave their range", says: each(RUN, ["overflows"]) },
  parts_frozen: {
    about: "a part of the model is frozen",
    says: ["parameters.frozen", "policy.frozen"],
    shows: partsFrozen,
  },
  steps_slower: {
    about: "train steps take longer and longer",
    border: written`of ${SLOWER} records or more the last takes above ${SLOWER} times what the first takes`,
    says: [...each(RUN, ["slows"]), ...each(["step_time"], ["rises", "explodes"])],
    shows: stepsSlower,
  },
  loss_drops_to_zero: {
    about: "the loss prints 0 after it was far above",
    border: written`it is 0 for good after more than ${FAR_ABOVE}`,
    shows: anyOf(
      dropsToZero,
      claims(["loss.zero"], beginsLater),
      jumpsToZero,
    ),
  },
  gradient_none: {
    about: "the gradients are None",
    shows: claims(["grad_norm.zero"], ({ text }) => /(?<![A-Za-z])None(?![A-Za-z])/.test(text)),
  },
  wrong_for_nothing: {
    about: "tokens are hardly ever right, at a loss of 0",
    border: written`less than ${HARDLY_RIGHT} % of the tokens are right`,
    shows: wrongForNothing,
  },
  eval_not_finite: {
    about: "the held-out loss is NaN",
    says: ["eval_loss.not_finite", "evaluation.not_finite"],
    shows: (view) => {
      const at = view.evaluation("loss").findIndex((value) => value !== null && !Number.isFinite(value));
      return at < 0 ? null : [view.evaluationEvidence("loss", at)];
    },
  },
  pairs_at_chance: {
    about: "pairs are guessed after hundreds of updates",
    border:
      written`after ${MANY_UPDATES} updates or more, with a gradient of ${ALIVE} or more, the accuracy ends within ${COIN} of 0.5 and the loss within ${COIN_LOSS} of ln 2`,
    shows: pairsAtChance,
  },
  critic_not_finite: { about: "the critic's loss and gradient are NaN", shows: criticNotFinite },
  killed: { about: "the system ends the run", says: each(RUN, ["killed"]) },
  memorised: {
    about: "the training set is known by heart",
    says: each(["policy", "training", "completions", "evaluation"], ["memorised"]),
  },
  other_tasks_fall: {
    about: "what the base could do is lost",
    says: each(["policy", "evaluation", "accuracy", "completions", "training"], ["forgets"]),
  },
} as const satisfies Record<string, Symptom>;
