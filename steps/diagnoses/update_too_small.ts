/** Cause `update_too_small`: weights hardly move although learning rate and gradient look fine. @module */
import { defineDiagnosis, type Found } from "./diagnosis.ts";
import { change, finiteOf, isNumber, mean, median, recordsOf, ROUNDING, show, written } from "./view/numbers.ts";
import { AROUND } from "../../data/usual_learning_rate.ts";
import { setting, settingEvidence, settingFlag, settingNumber } from "./view/settings.ts";
import { spreadOf } from "./view/spread.ts";
import { isPreference } from "./view/groups.ts";
import { peakLearningRate, trainsSteps, updatesOf, usualRateOfSize } from "./view/learning_rate.ts";
import { STIR_LOSS, STIR_NATS, stirOf } from "./view/stirred.ts";
import type { RunView } from "./view/run_view.ts";

/** k3 of an fp32 policy that has not moved is at most 1e-7; one that learned for 20 updates is above 1e-5. */
const STILL = 1e-5, TENS = 20;
/** A clip of the gradient's norm that lets nothing through: what is left vanishes beside Adam's epsilon. */
export const CRUSHING = 1e-6;
const NO_RATE = 1e-9, MOVING_RATE = 1e-5; // A learning rate that moves no float32 weight, and one that moves every one.
const FLOAT32 = 2 ** -23; // Share of a float32 weight below which nothing can be added to it.
const SATURATED = 1e-3; // A gradient that is left of the run's own: Adam still divides by what it was.
const TOO_LOW = "Set the learning rate that is usual for the model's size.";
const UPDATES = 5, LAST = 8, MOST = 0.6; // Small updates that decide, and the share of the last ones that they must be.
/** Records of a KL of exactly 0 that decide, in a log and in a run of ours; of one that is all but 0. */
const EXACT_RECORDS = 8, OWN_EXACT_RECORDS = 4, RECORDS = 5;
const TREND = 10, LEAST_KL = 1e-7; // Times its first level, or this, that a KL has a trend.
/** Updates after which pairs must have moved a policy, and standard errors by which a margin that grows shows that they do. */
const PAIR_UPDATES = 200, GROWS = 3;
const SMALL = 0.02; // Clean runs lie between 0.17 and 1.09 (rules.md, N04).

export default defineDiagnosis({
  codes: ["N04", "N06", "S01"],
  wastes: "all",
  about: "The weights (almost) do not move although the learning rate and the gradient look fine.",
  reads: [
    "kl",
    "chosen_reward",
    "rejected_reward",
    "learning_rate",
    "grad_norm",
    "update_size",
    "relative_update",
    "settings.max_grad_norm",
  ],
  decision: [
    written`Our update size is below ${SMALL} on five records (in a run of ours on the very first) with a gradient above ${ROUNDING} (clean runs: 0.17 to 1.09) that has not fallen to ${SATURATED} of what it was.`,
    written`Or the printed KL stays at most ${STILL} without a trend over at least ${TENS} updates with a positive learning rate and gradient. Updates of groups without spread, which the KL alone pulls, say nothing of it, nor does a KL of 0 at a weight of 0 in a log.`,
    written`Or max_grad_norm is at most ${CRUSHING}; or the learning rate is at most ${NO_RATE}; or in a run of ours an update at the peak learning rate changes the weights by less than ${FLOAT32} of their norm (the median of at least ${UPDATES} with a gradient).`,
    written`On pairs: the implicit rewards of both sides are exactly 0 on every one of ${EXACT_RECORDS} records and more, and over ${TENS} updates, with a positive learning rate and gradient; or after ${PAIR_UPDATES} updates, over their second half, below ${STIR_NATS} nats times beta, while the loss lies within ${STIR_LOSS} % of an untrained policy's and the margin does not grow by ${GROWS} standard errors.`,
  ],
  hint:
    "Check that the optimizer owns the model's parameters, the gradient clip, the precision of the weights and the learning rate.",
  remedy: [{ step: "apply_update", key: "max_grad_norm", set: 1 }, { step: "apply_update", key: "epsilon", set: 1e-8 }],
  byHand: "Build the optimizer after the model is wrapped, over the wrapped model's parameters.",
  ours:
    "Check learning_rate, max_grad_norm and epsilon of the step that trains, and trainable of load_model. A gradient per weight (grad_norm over the root of the parameters) below epsilon moves nothing: lower epsilon or scale the loss up. If all of these are usual, it is a fault of ours: report it.",
  lookAlikes: {
    learning_rate_zero: "there the learning rate prints 0",
    flat_reward_no_learning: "there the KL does grow",
    benign_zero_loss: "there the KL moves away from 0",
    flipped_preference_labels: "there the policy moves, and its accuracy does not",
  },
  taughtBy: "TRL: KL exactly 0 for 30 steps at learning rate 3e-4 with grad_norm 0.5 to 1.1 (an optimizer over a copy)",
  check(view): Found | null {
    return crushed(view) ?? smallUpdate(view) ?? smallRate(view) ?? smallChange(view) ?? stillKl(view) ??
      stillPairs(view) ?? idlePairs(view);
  },
});

function crushed(view: RunView): Found | null {
  const clip = settingNumber(view, "max_grad_norm");
  if (clip === null || !(clip > 0 && clip <= CRUSHING)) return null;
  return {
    trainSteps: [],
    message: `max_grad_norm ${clip} scales every gradient to nothing; the printed grad_norm is from before the clip`,
    evidence: [settingEvidence(setting(view, "max_grad_norm")!)],
    hint: "Set max_grad_norm to 1, or leave it out.",
  };
}

/** True where the rewards of a record say nothing: what a gradient there has is the pull of the KL alone. */
function isWithoutSignal(view: RunView, record: number): boolean {
  const none = (name: string) => Math.abs(view.column(name)[record] ?? 0) <= ROUNDING;
  return spreadOf(view).flat[record] === true && none("advantage_mean") && none("advantage_std");
}

/** The measured size of the updates. */
function smallUpdate(view: RunView): Found | null {
  const size = view.column("update_size");
  const gradient = view.column("grad_norm");
  const largest = Math.max(0, ...finiteOf(gradient));
  const small = size.flatMap((value, record) =>
    isNumber(value) && value < SMALL && isNumber(gradient[record]) &&
      gradient[record]! > Math.max(ROUNDING, SATURATED * largest) &&
      (view.column("learning_rate")[record] ?? 1) > 0 && !isWithoutSignal(view, record)
      ? [record]
      : []
  );
  // Adam's first step is 1 whatever the gradient: a run of ours shows it in its first record.
  const first = !view.imported && small[0] === 0 && view.trainSteps[0] === 1;
  const last = small.at(-1);
  const lately = small.length >= UPDATES && small.length >= MOST * finiteOf(size.slice(-LAST)).length &&
    last! >= size.length - 2;
  if (last === undefined || !(first || lately)) return null;
  return {
    trainSteps: view.stepsAt(small),
    message: `The update is ${show(size[last])} of what the learning rate allows, with a gradient of ${
      show(gradient[last])
    }`,
    evidence: [view.evidence("update_size", last), view.evidence("grad_norm", last)],
  };
}

function smallRate(view: RunView): Found | null {
  const rates = view.finite("learning_rate");
  const rate = settingNumber(view, "learning_rate") ?? (rates.length > 0 ? Math.max(...rates) : null);
  const small = rate !== null && rate > 0 && rate <= NO_RATE;
  if (!small || rates.length > 0 && Math.max(...rates) > NO_RATE) return null;
  const entry = setting(view, "learning_rate");
  return {
    trainSteps: [],
    message: `The learning rate of ${rate} is below what moves a weight`,
    evidence: [entry === null ? view.evidence("learning_rate", 0) : settingEvidence(entry)],
    hint: TOO_LOW,
    remedy: [{ step: "apply_update", key: "learning_rate", usual: true }],
  };
}

/** Runs of ours: what an update changes is lost in the rounding of the weights, also at the peak of the schedule. */
function smallChange(view: RunView): Found | null {
  const peak = peakLearningRate(view), known = settingNumber(view, "learning_rate") ?? 0;
  if (view.imported || peak === null) return null;
  const [relative, rate, gradient] = ["relative_update", "learning_rate", "grad_norm"].map((name) => view.column(name));
  const records = recordsOf(relative!).filter((record) =>
    isNumber(rate![record]) && rate![record]! > 0 && isNumber(gradient![record]) && gradient![record]! > ROUNDING &&
    !isWithoutSignal(view, record)
  );
  // A warm-up, and a schedule's end, are not what the run was asked to do.
  const changes = records.map((record) => relative![record]! * Math.max(peak, known) / rate![record]!);
  if (changes.length < UPDATES || !(median(changes) < FLOAT32)) return null;
  const last = records.at(-1)!;
  return {
    trainSteps: view.stepsAt(records),
    message: `An update at learning rate ${show(Math.max(peak, known))} changes the weights by ${
      show(median(changes))
    } of their norm, less than float32 can add: nothing is learned`,
    evidence: ["relative_update", "learning_rate", "grad_norm"].map((name) => view.evidence(name, last)),
    hint: TOO_LOW,
    remedy: [{ step: "apply_update", key: "learning_rate", usual: true }],
  };
}

function stillKl(view: RunView): Found | null {
  if (view.algorithm === "kto" || view.algorithm === "dpo" || view.algorithm === "sft") return null;
  const kl = view.column("kl");
  const known = recordsOf(kl);
  if (known.length > 0 && known.every((record) => isWithoutSignal(view, record))) return null;
  const values = known.map((record) => Math.abs(kl[record]!));
  // Without a weight a trainer may print the KL that it does not compute as 0.
  if (view.imported && settingNumber(view, "kl_coef") === 0 && values.every((value) => value === 0)) return null;
  if (view.rounding("kl") > STILL && view.decimals("kl")! >= 2) return null;
  const rates = view.finite("learning_rate");
  // A KL of exactly 0 at a rate that moves every weight is no rounding of a small one: eight records decide.
  const exact = values.length >= (view.imported ? EXACT_RECORDS : OWN_EXACT_RECORDS) &&
    values.every((value) => value === 0) && rates.length > 0 &&
    Math.max(...rates) >= MOVING_RATE &&
    settingFlag(view, "bf16") !== true;
  // Runs of ours measure the size of each update; only an update that never reaches the policy shows here.
  if (!exact && view.has("update_size")) return null;
  if (!exact && (known.length < RECORDS || trainsSteps(view) < TENS)) return null;
  if (Math.max(...values) > STILL) return null;
  const quarter = Math.ceil(values.length / 4);
  if (mean(values.slice(-quarter)) > TREND * Math.max(mean(values.slice(0, quarter)), LEAST_KL)) return null;
  const gradient = view.finite("grad_norm");
  if (gradient.length > 0 && median(gradient) <= ROUNDING) return null;
  if (rates.length > 0 && Math.max(...rates) <= 0) return null;
  const last = known.at(-1)!;
  return {
    trainSteps: view.stepsAt(known),
    message: `After ${trainsSteps(view)} updates at learning rate ${
      show(rates.length > 0 ? Math.max(...rates) : null)
    } the KL is still ${show(kl[last])}: the policy has not moved`,
    evidence: [
      view.evidence("kl", last),
      ...(gradient.length > 0 ? [view.evidence("grad_norm", last)] : []),
      ...(rates.length > 0 ? [view.evidence("learning_rate", last)] : []),
    ],
    ruledOut: { benign_zero_loss: "a policy that learns moves away from its reference" },
    confirm: "compare two checkpoints byte by byte",
  };
}

/** Implicit rewards are the log-ratio to the reference: exactly 0 update after update, the policy still is the reference. */
function stillPairs(view: RunView): Found | null {
  const sides = ["chosen_reward", "rejected_reward"], rates = view.finite("learning_rate");
  if (!isPreference(view) || view.has("update_size") || trainsSteps(view) < TENS) return null;
  const isStill = sides.every((name) => {
    const values = view.finite(name);
    return values.length >= EXACT_RECORDS && values.every((value) => value === 0) && (view.decimals(name) ?? 0) < 2;
  });
  const gradient = view.finite("grad_norm");
  if (!isStill || !(Math.max(...rates) > 0) || gradient.length > 0 && !(median(gradient) > ROUNDING)) return null;
  const last = recordsOf(view.column(sides[0]!)).at(-1)!;
  return {
    trainSteps: view.stepsAt(recordsOf(view.column(sides[0]!))),
    message: `After ${trainsSteps(view)} updates at learning rate ${
      show(Math.max(...rates))
    } the implicit rewards are still exactly 0: the policy has not moved from its reference`,
    evidence: [...sides, "learning_rate", ...(gradient.length > 0 ? ["grad_norm"] : [])].map((name) =>
      view.evidence(name, last)
    ),
    confirm:
      "compare two checkpoints byte by byte; a reference that is copied from the policy at each update looks so, too",
  };
}

/** The same with what rounding leaves of it: hundreds of updates, and the policy is where its reference is. */
function idlePairs(view: RunView): Found | null {
  const rates = view.finite("learning_rate"), peak = Math.max(0, ...rates), gradient = view.finite("grad_norm");
  if (!isPreference(view) || view.has("update_size") || updatesOf(view) < PAIR_UPDATES || peak <= 0) return null;
  const stir = stirOf(view), margin = change(view.finite("reward_margin"));
  const known = recordsOf(view.column("chosen_reward")), last = known.at(-1);
  if (stir === null || stir.moved || last === undefined || known.length < EXACT_RECORDS) return null;
  if (margin.by > GROWS * margin.error || gradient.length > 0 && !(median(gradient) > ROUNDING)) return null;
  const isLow = peak * AROUND < usualRateOfSize(view);
  return {
    trainSteps: view.stepsAt(known),
    message: `After ${updatesOf(view)} updates at learning rate ${show(peak)}${
      isLow ? ` (usual is ${show(usualRateOfSize(view))})` : ""
    } the implicit rewards are still ${show(stir.reward)} in size: the policy has not moved from its reference`,
    evidence: ["chosen_reward", "rejected_reward", "loss", "learning_rate", "grad_norm"].filter((name) =>
      isNumber(view.column(name)[last])
    ).map((name) => view.evidence(name, last)),
    ...(isLow ? { hint: TOO_LOW, remedy: [{ step: "apply_update", key: "learning_rate", usual: true }] } : {}),
    ruledOut: { flipped_preference_labels: "no label has been learned yet" },
    confirm: "compare two checkpoints byte by byte",
  };
}
