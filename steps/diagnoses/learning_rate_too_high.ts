/** Cause `learning_rate_too_high`: the step size destroys the policy in its first updates. @module */
import { defineDiagnosis, type Found } from "./diagnosis.ts";
import { AFTER_FALL } from "./remedies/often.ts";
import { type Cells, finiteOf, isNonFinite, isNumber, percent, recordsOf, show, written } from "./view/numbers.ts";
import { collapses, rewardHolds } from "./view/collapse.ts";
import { noneStands, SLOW_RUIN, slowRuin } from "./view/ruin.ts";
import { type Break, breakOf, FIRST_UPDATES, FORGOTTEN, PAIR_SIDES, soon } from "./view/first_updates.ts";
import { firstNonFinite, passingNonFinite } from "./view/non_finite.ts";
import { isTaught } from "./view/taught.ts";
import { ownNumber, setting, settingEvidence, settingNumber } from "./view/settings.ts";
import { startsAtBeginning } from "./view/start.ts";
import { paid, since } from "./view/progress.ts";
import { mayBeTiny, peakLearningRate, usualRate } from "./view/learning_rate.ts";
import { ABSURD, DESTROYS } from "../../data/usual_learning_rate.ts";
import type { RunView } from "./view/run_view.ts";

/** Share of the records with a reward below which passes are silent about it; a clip fraction, on records, of reuse. */
const REWARDED = 0.6, CLIPPED = 0.2, CLIPPED_RECORDS = 3;

/** Of the many causes of NaN it is one from so many times the usual rate. */
const NAN_FAR = 1000;
const LARGE_UPDATE = 0.1, DESTROYING_UPDATE = 0.3; // Share of the weights' norm in a train step; clean runs: up to 0.056.
/** Several times the usual rate, and most of what the policy could do gone within a dozen train steps. */
const LARGE = 3, FALLS_WITHIN = 12;
/** Share of the completions cut at the cap: at most this at first, at least that on so many records. */
const ENDS = 0.5, CUT = 0.95, HELD = 5;

/** The gradient turns NaN at a step size far beyond the usual one. */
function nanBreak(view: RunView, times: number): Break | null {
  if (times < NAN_FAR || passingNonFinite(view) !== null) return null;
  const record = view.column("grad_norm").slice(0, soon(view)).findIndex(isNonFinite);
  return record > 0 ? { record, column: "grad_norm", what: "the gradient turns NaN" } : null;
}

/** Preferences of ours: both sides lose most of their likelihood in a dozen updates. */
function forgotten(view: RunView, rate: number, usual: number): Found | null {
  if (view.imported || rate < LARGE * usual) return null;
  const columns = PAIR_SIDES.map((name) => view.column(name));
  if (!columns.every((cells) => isNumber(cells[0]))) return null;
  const [chosen, rejected] = columns as [Cells, Cells];
  const lost = (cells: Cells, record: number) => isNumber(cells[record]) ? cells[0]! - cells[record]! : 0;
  const at = view.trainSteps.slice(0, FALLS_WITHIN + 1).findIndex((_, record) =>
    lost(chosen, record) > Math.max(FORGOTTEN, Math.abs(chosen[0]!)) && lost(rejected, record) > FORGOTTEN
  );
  if (at < 0) return null;
  const entry = setting(view, "learning_rate");
  return {
    trainSteps: [view.trainSteps[0]!, view.trainSteps[at]!],
    message: `The learning rate ${show(rate)} is ${show(rate / usual)} times the usual one; chosen and rejected lose ${
      show(lost(chosen, at))
    } and ${show(lost(rejected, at))} nats within ${at} updates`,
    evidence: [
      entry !== null ? settingEvidence(entry) : view.evidence("learning_rate", 0),
      ...PAIR_SIDES.flatMap((name) => [0, at].map((record) => view.evidence(name, record))),
    ],
    ruledOut: { update_too_small: "the gradient is small because the loss is saturated" },
  };
}

/** Completions that ended by themselves run to the length cap within a few train steps, and stay there for some. */
function runaway(view: RunView, rate: number, usual: number): Found | null {
  const cut = view.column("truncated_fraction"), known = recordsOf(cut);
  if (view.imported || rate < LARGE * usual || known.length <= HELD || cut[known[0]!]! > ENDS) return null;
  const at = known.slice(1, FALLS_WITHIN + 1).find((record, i) => {
    const spell = known.slice(i + 1, i + 1 + HELD);
    return spell.length === HELD && spell.every((other) => cut[other]! >= CUT) && record === spell[0];
  });
  if (at === undefined || rewardHolds(view) !== null) return null;
  const entry = setting(view, "learning_rate"), first = known[0]!;
  return {
    trainSteps: [view.trainSteps[first]!, view.trainSteps[at]!],
    message: `The learning rate ${show(rate)} is ${show(rate / usual)} times the usual one; the share of completions ` +
      `at the length cap went from ${percent(cut[first]!)} to ${percent(cut[at]!)} in ${at - first} train steps`,
    evidence: [
      entry !== null ? settingEvidence(entry) : view.evidence("learning_rate", 0),
      view.evidence("truncated_fraction", first),
      view.evidence("truncated_fraction", at),
    ],
    hint:
      "Go on from a checkpoint before the fall, or start again, with a tenth of this learning rate, and no more than the usual one.",
    remedy: [AFTER_FALL],
    ruledOut: { truncated_completions: "the first completions end by themselves" },
  };
}

/** A policy that loses more than half of its best level within a few train steps, at several times the usual rate. */
function suddenFall(view: RunView, rate: number, usual: number): Found | null {
  const fall = collapses(view).find(({ isTotal, from, lost }) => isTotal && lost - from <= FALLS_WITHIN);
  // A reward that does not fall with the rest is what is learned: then the reward is at fault.
  if (fall === undefined || rate < LARGE * usual || rewardHolds(view) !== null) return null;
  // A foreign log does not say what else changed: there the fall must be one of the first updates, at a rate far out.
  const reward = paid(view), rises = reward !== null && since(reward, view.trainSteps[0]!).direction === "rises";
  const isOther = rate < DESTROYS * usual || firstNonFinite(view) !== null || rises ||
    mayBeTiny(view) && !noneStands(view, rate);
  if (view.imported && (isOther || !startsAtBeginning(view) || fall.lost > view.trainSteps[0]! + FALLS_WITHIN)) {
    return null;
  }
  const entry = setting(view, "learning_rate"), steps = fall.lost - fall.from;
  return {
    trainSteps: [fall.from, fall.lost],
    message: `The learning rate ${show(rate)} is ${show(rate / usual)} times the usual one; ${fall.what} fell from ${
      show(fall.best)
    } to less than half in ${steps} train step${steps === 1 ? "" : "s"}`,
    evidence: [entry !== null ? settingEvidence(entry) : view.evidence("learning_rate", 0), ...fall.evidence],
    hint:
      "Go on from a checkpoint before the fall, or start again, with a tenth of this learning rate, and no more than the usual one.",
    remedy: [AFTER_FALL],
    ruledOut: { reward_collapse: "the size of the updates explains it" },
  };
}

/** What moves: of a run of ours with an adapter, the adapter alone. */
const trained = (view: RunView) =>
  ownNumber(view, "adapter_parameters") === null ? "the weights" : "the adapter's weights";

/** Weights that a train step changes by a tenth: what else there is to see says how bad that is. */
function byUpdate(view: RunView, found: Found | null): Found | null {
  const relative = view.column("relative_update");
  const worst = Math.max(0, ...finiteOf(relative));
  if (worst <= LARGE_UPDATE || worst <= DESTROYING_UPDATE && found !== null) return null;
  const at = relative.indexOf(worst);
  return {
    severity: worst > DESTROYING_UPDATE ? "error" : "warning",
    trainSteps: [view.trainSteps[at]!],
    message: `One train step changes ${trained(view)} by ${percent(worst)} of their norm`,
    evidence: [view.evidence("relative_update", at), view.evidence("learning_rate", at)],
    ...(view.imported || collapses(view).length === 0 ? {} : { remedy: [AFTER_FALL] }),
  };
}

/** A break in the first updates, a rate that none stands, or a sudden fall later on. */
function byRate(view: RunView, rate: number): Found | null {
  const usual = usualRate(view);
  if (rate < DESTROYS * usual) {
    return suddenFall(view, rate, usual) ?? runaway(view, rate, usual) ?? forgotten(view, rate, usual) ??
      slowRuin(view, rate);
  }
  const begins = startsAtBeginning(view) || view.records === 0;
  // Trainers print no reward on the passes that reuse a rollout.
  const silentPasses = view.finite("reward").length < REWARDED * view.finite("loss").length;
  const reused = ((settingNumber(view, "updates_per_rollout") ?? 1) > 1 || silentPasses) &&
    view.finite("clip_fraction").filter((value) => value > CLIPPED).length >= CLIPPED_RECORDS;
  const broken = begins
    ? breakOf(view) ??
      nanBreak(view, rate / usual)
    : null;
  const absurd = rate >= ABSURD && !/sgd|adafactor|muon|lbfgs/i.test(String(setting(view, "optimizer")?.value ?? ""));
  if (broken === null && (!absurd || reused)) {
    return suddenFall(view, rate, usual) ?? runaway(view, rate, usual) ?? slowRuin(view, rate);
  }
  const entry = setting(view, "learning_rate");
  return {
    // Prompt tuning and optimizers of another scale stand more: where the run learns, its rate alone is no fault.
    ...(broken === null && isTaught(view) ? { severity: "info" } : {}),
    // What breaks in the records after it, an earlier update has done.
    trainSteps: broken === null ? [] : [view.trainSteps[0]!, view.trainSteps[broken.record]!],
    message: `The learning rate ${show(rate)} is ${show(rate / usual)} times the usual one${
      broken === null ? "" : `; ${broken.what} within ${broken.record} update${broken.record === 1 ? "" : "s"}`
    }`,
    evidence: [
      entry !== null ? settingEvidence(entry) : view.evidence("learning_rate", 0),
      ...(broken === null ? [] : [
        view.evidence(broken.column, Math.max(0, broken.record - 1)),
        view.evidence(broken.column, broken.record),
      ]),
    ],
    ruledOut: broken === null ? {} : { garbled_generation: "the first record was fine" },
  };
}

/** What the updates of one trainer, the warm start's or the rollouts', say. */
function tooHigh(view: RunView): Found | null {
  const rate = peakLearningRate(view);
  const found = rate === null ? null : byRate(view, rate);
  return byUpdate(view, found) ?? found;
}

export default defineDiagnosis({
  codes: ["C03", "N03"],
  wastes: "all",
  about: "The learning rate is so large that the first updates destroy the policy.",
  reads: ["learning_rate", "relative_update", "entropy", "reward", "loss", "settings.learning_rate"],
  decision: [
    written`A weight change above ${DESTROYING_UPDATE} of the weights' norm in one train step; above ${LARGE_UPDATE} a warning, unless the rest holds as well (clean runs: at most 0.056).`,
    written`A learning rate of at least ${DESTROYS} times the trainer's default with a break within the first ${FIRST_UPDATES} updates: entropy below a tenth or above three times its start with the reward at its floor, reward to the floor for good, loss doubled, chosen and rejected both ${FORGOTTEN} nats down (with rewards, where printed, that fall by beta times as much, for good and beyond the scatter of batches), NaN. From a rate of ${ABSURD} on also without one (a note where a long run is taught all the same).`,
    written`In a run of ours ${LARGE} times the usual one, where within ${FALLS_WITHIN} train steps the held-out score, the accuracy or the reward falls from its best to below half; or chosen and rejected both lose ${FORGOTTEN} nats, the chosen ones more than they had; or completions of which at most ${ENDS} % were cut at the cap are cut to ${CUT} % on ${HELD} records within ${FALLS_WITHIN} train steps while the reward does not rise. Of a foreign log such a fall counts at ${DESTROYS} times the usual rate within the first ${FALLS_WITHIN} train steps.`,
    ...SLOW_RUIN,
    "A supervised warm start is judged the same, by its own usual rate.",
  ],
  spoils: true,
  hint: "Go on from a checkpoint before the break, or start again, with the usual learning rate or less.",
  remedy: [{ step: "apply_update", key: "learning_rate", usual: true }],
  lookAlikes: {
    old_logprob_nan: "there the learning rate is usual",
    kl_explosion: "there the growth is slow",
    training_divergence: "there neither configuration nor first updates prove the cause",
  },
  taughtBy: "TRL: learning rate 0.3, reward 1.06 to 0 and entropy 0.32 to 0.0005 in one update",
  check(view): Found | null {
    const found = tooHigh(view), before = view.warmStart === null ? null : tooHigh(view.warmStart);
    // What the warm start has broken, the rollouts cannot mend.
    if (before === null || (before.severity === "warning" && found !== null)) return found;
    return {
      ...before,
      message: `In the warm start: ${before.message}`,
      remedy: [{ step: "fine_tune", key: "learning_rate", usual: true }],
    };
  },
});
