/** Cause `rollout_trainer_mismatch`: sampled and scored distributions differ. @module */
import { defineDiagnosis, type Found } from "./diagnosis.ts";
import { course, departure, levelOver } from "./view/course.ts";
import { isReinforcement } from "./view/groups.ts";
import { isNumber, median, recordsOf, show, written } from "./view/numbers.ts";
import { latest, latestError } from "./view/pairs.ts";
import { settingNumber } from "./view/settings.ts";
import { startsAtBeginning } from "./view/start.ts";
import { gainSince } from "./view/progress.ts";
import type { RunView } from "./view/run_view.ts";

/** A comparison of sampler and trainer, with the documented limits beyond which it is a fault. */
interface Signal {
  readonly column: string;
  readonly above?: number;
  readonly below?: number;
  readonly reason: string;
}

const GAP = 0.01, EFFECTIVE = 0.3, KL = 0.1, RATIO_LOW = 0.5, RATIO_HIGH = 2, LOGPROBS = 0.1;

const SIGNALS: readonly Signal[] = [
  { column: "sampler_probability_gap", above: GAP, reason: `verl calls above ${GAP} a problem` },
  { column: "effective_sample_fraction", below: EFFECTIVE, reason: "most of the sample carries no weight" },
  { column: "sampler_kl", below: -KL, above: KL, reason: `a KL between sampler and trainer above ${KL}` },
  {
    column: "sampler_ratio_mean",
    below: RATIO_LOW,
    above: RATIO_HIGH,
    reason: `the mean ratio is outside ${RATIO_LOW} to ${RATIO_HIGH}`,
  },
  { column: "sampler_ratio_std", above: 1, reason: "ratios scatter by more than 1" },
  { column: "sampler_probability_gap_max", above: 1.1, reason: "NeMo-RL wants token_mult_prob_error below 1.05" },
  { column: "sampler_logprob_gap_mean", above: LOGPROBS, reason: "1e-3 to 1e-2 nats are usual between engines" },
];

const NEAR = 2; // Times its limit up to which a comparison is a note where what the run is for rises.

const APARTNESS = "sampler and trainer drift apart";
const MOST = 0.5; // Nats on the worst token of a batch that are no rounding.
/** What grows as they do (`sign` 1), or falls, and by how much at least: a share of its limit. */
const DRIFTS = [
  { column: "sampler_probability_gap", sign: 1, least: 0.3 * GAP, what: APARTNESS },
  { column: "sampler_kl", sign: 1, least: 0.3 * KL, what: APARTNESS },
  { column: "sampler_k3_kl", sign: 1, least: 0.3 * KL, what: APARTNESS },
  { column: "sampler_logprob_gap", sign: 1, least: MOST, what: APARTNESS },
  { column: "sampler_logprob_gap_mean", sign: 1, least: 0.3 * LOGPROBS, what: APARTNESS },
  {
    column: "effective_sample_fraction",
    sign: -1,
    least: 0.5 * EFFECTIVE,
    what: "ever less of the sample carries weight",
  },
  { column: "sampler_lag", sign: 1, least: 1, what: "the policy that samples grows ever older" },
] as const;
/** Standard errors of a drift, times that it has grown; the part of it that the second half must have, and its errors; where it began. */
const FAR_APART = 3; // Times the least, and its start, that a gap has grown which is a fault wherever it stops.
const SURE = 5, HALF_AS_MUCH = 1.5, SECOND_HALF = 3, SURE_HALF = 3;

const CERTAIN = 0.02; // Nats by which no fp32 engine errs on one token: one record is proof.
const APART = 1e-3; // Nats, or a ratio less 1, that one fp32 engine does not differ by often.
const ROUNDED = 1; // Nats on one token that products rounded to 8 bits do not explain: 0.23 is the most that was seen.
const ROUNDED_COPY = 8; // The same of a copy of 4 bits, where the trainer has the weights themselves: 4.9 was seen.
const FAR = 10; // Nats per token in the first record that are no drift.
const RECENT = 20, OWN_RECORDS = 3; // Records whose median is compared, and those that a run of ours must have.

export default defineDiagnosis({
  codes: ["M01", "M02"],
  wastes: "wrong",
  applies: isReinforcement,
  about:
    "The distribution that sampled is not the one that is trained: another engine, stale weights, constrained decoding.",
  reads: SIGNALS.map((signal) => signal.column).concat(
    "kl",
    "sampler_logprob_gap",
    "ratio_mean",
    "sampler_k3_kl",
    "sampler_lag",
  ),
  decision: [
    written`The median of a comparison of sampler and trainer is beyond its documented limit: probabilities differ by more than ${GAP}, effective sample below ${EFFECTIVE}, KL above ${KL}, ratios outside ${RATIO_LOW} to ${RATIO_HIGH}, log-probs apart by more than ${LOGPROBS}; up to ${NEAR} times that a note where what the run is for has risen.`,
    written`One fp32 engine of ours: apart by more than ${APART} twice or ${CERTAIN} once (${ROUNDED} with weights of 8 or 4 bits); below that a comparison beyond its limit is a note.`,
    "A ratio other than 1 in the only update of a rollout of ours.",
    written`A warning over a long run: such a comparison, or the age of the policy that samples, grows to ${HALF_AS_MUCH} times its start and by ${SURE} standard errors and goes on in the second half, or has grown by ${FAR_APART} times its start (an effective sample falls by half of its limit).`,
    written`A KL of at least ${FAR} in the first record of the run, where it cannot be drift.`,
  ],
  hint:
    "Use the same precision and the same sampling options on both sides, sync weights, and correct by truncated importance weights.",
  remedy: [{ step: "sample_groups", key: "top_p", set: 1 }, { step: "sample_groups", key: "top_k", set: 0 }],
  byHand: "Check weight sync, logits processors, quantisation and the head's precision.",
  ours: "Sampler and trainer share their weights: with plain sampling options this is a fault of ours, report it.",
  lookAlikes: {
    wrong_reference_model: "there the KL is about 1 and the ratio 1",
    kl_explosion: "there the KL starts small",
  },
  taughtBy: "Unsloth with constrained decoding: KL 1.08e4 in the first record",
  check(view): Found | null {
    const signal = bySignal(view), note = signal?.severity === "info", apart = driftsApart(view);
    // Over a long run it began before it was beyond a limit.
    if (signal !== null && !note && apart !== null) return { ...signal, trainSteps: apart.trainSteps };
    return (note ? null : signal) ?? oneEngineApart(view) ?? staleRatio(view) ?? farAtOnce(view) ?? apart ?? signal;
  },
});

/**
 * What came about over the run no constant option makes: only weights that are not synced drift. Options are offered where
 * the run shows that they are not plain.
 */
function cameAbout(view: RunView): Partial<Found> {
  const [temperature, topP, topK] = (["temperature", "top_p", "top_k"] as const).map((name) =>
    settingNumber(view, name)
  );
  const isPlain = (temperature ?? 1) === 1 && (topP ?? 1) === 1 && (topK ?? 0) <= 0;
  return !view.imported || !isPlain ? {} : {
    hint:
      "Sync the sampler's weights after every update, and correct by truncated importance weights: what comes about " +
      "over the run is no option that stays the same.",
    byHand: "Check that the sampler gets the weights of every update.",
    remedy: [],
  };
}

/** A comparison that the log prints is beyond its limit. */
function bySignal(view: RunView): Found | null {
  for (const { column, above = Infinity, below = -Infinity, reason } of SIGNALS) {
    const bad = (value: number) => value > above || value < below;
    const values = view.finite(column), level = median(values.slice(-RECENT));
    if (values.length === 0 || !bad(level) || !view.imported && values.length < OWN_RECORDS) continue;
    const at = view.column(column).findIndex((value) => isNumber(value) && bad(value));
    if (at < 0) continue;
    const bound = roundingBound(view);
    const ofRounding = bound !== null && view.finite("sampler_logprob_gap").every((gap) => gap <= bound);
    const isNear = level <= NEAR * above && level >= below / NEAR && !isStill(view);
    return {
      ...(bad(median(values.slice(0, RECENT))) ? {} : cameAbout(view)),
      ...(ofRounding ? EXPECTED : isNear ? { severity: "info" as const } : {}),
      trainSteps: view.trainSteps.slice(at),
      message: `${column} is ${show(level)}: ${reason}`,
      evidence: [view.evidence(column, at)],
    };
  }
  return null;
}

/** True unless something that the run is for has risen since it began; of a part of a run it is not to be seen. */
function isStill(view: RunView): boolean {
  return !view.isWhole || (gainSince(view, view.trainSteps[0]!)?.still ?? true);
}

/** Long runs: sampler and trainer come ever further apart, or the policy that samples grows ever older. */
function driftsApart(view: RunView): Found | null {
  for (const { column, sign, least, what } of DRIFTS) {
    const cells = view.column(column).map((value) => isNumber(value) ? sign * Math.abs(value) : null);
    const found = view.memo(`drift of ${column}`, () => course(column, cells));
    if (found === null) continue;
    const { levels, start, width } = found, now = latest(found), half = Math.floor(levels.length / 2);
    const middle = levelOver(levels, half - Math.floor(width / 2), half - Math.floor(width / 2) + width);
    // What fills up and then stands still is a queue, not a drift: it must have grown in the second half.
    const grown = now - start, second = now - middle, error = latestError(found);
    const goesOn = second * SECOND_HALF >= grown && second > SURE_HALF * error;
    if (!goesOn && !(column !== "sampler_lag" && grown > FAR_APART * Math.max(least, Math.abs(start)))) continue;
    if (grown <= Math.max(least, SURE * error) || sign > 0 && now < HALF_AS_MUCH * start) continue;
    const onset = levels[departure(found, start, now)]!.from, last = found.records.at(-1)!;
    return {
      ...cameAbout(view),
      severity: "warning",
      trainSteps: view.stepsFrom(onset),
      message: `${column} goes from about ${show(Math.abs(start))} to ${show(Math.abs(now))} from train step ${
        view.trainSteps[onset]
      } on: ${what}`,
      evidence: [found.records[0]!, onset, last].map((record) => view.evidence(column, record)),
    };
  }
  return null;
}

/**
 * Runs of ours with weights of few bits: the most that rounding explains, nats on one token; null where nothing is rounded.
 * The sampler rounds what it multiplies by them, the trainer does not; where all weights train these alone are not rounded.
 */
function roundingBound(view: RunView): number | null {
  const setting = (name: string) => view.settings.find((setting) => setting.name === name)?.value ?? null;
  const weights = setting("weights");
  if (view.imported || weights === null || weights === "float32") return null;
  return weights === "int4" && setting("lora_rank") === null ? ROUNDED_COPY : ROUNDED;
}

/** What the comparison says where such rounding explains it; it is made only where a correction is asked for. */
const EXPECTED = {
  severity: "info",
  hint:
    "The sampler computes with weights of 8 or 4 bits and rounds what it multiplies by them; the correction that was asked " +
    "for is for that.",
  remedy: [],
} as const;

/** Runs of ours: sampler and trainer are one engine. */
function oneEngineApart(view: RunView): Found | null {
  const gap = view.column("sampler_logprob_gap"), rounded = roundingBound(view), bound = rounded ?? APART;
  const bad = view.imported ? [] : recordsOf(gap).filter((record) => gap[record]! > bound);
  if (bad.length < 2 && !bad.some((record) => gap[record]! > CERTAIN)) return null;
  return {
    trainSteps: view.stepsAt(bad),
    message: `Sampler and trainer differ by ${show(gap[bad[0]!])} nats on one token; ${
      rounded === null ? "one fp32 engine gives 1e-5" : `rounding to 8 or 4 bits gives less than ${rounded}`
    }`,
    evidence: [view.evidence("sampler_logprob_gap", bad[0]!)],
  };
}

/** Runs of ours: in the only update of a rollout the ratio is 1. */
function staleRatio(view: RunView): Found | null {
  if (view.imported || settingNumber(view, "updates_per_rollout") !== 1) return null;
  const ratio = view.column("ratio_mean");
  const off = ratio.findIndex((value, record) =>
    isNumber(value) && Math.abs(value - 1) > APART && view.column("loss_tokens")[record] !== 0
  );
  if (off < 0) return null;
  return {
    trainSteps: [view.trainSteps[off]!],
    message: `The ratio of the only update of a rollout is ${show(ratio[off])}, want 1: old_logprobs are stale`,
    evidence: [view.evidence("ratio_mean", off)],
  };
}

/** A KL in the first record that no drift reaches. */
function farAtOnce(view: RunView): Found | null {
  const kl = view.column("kl")[0];
  if (!isNumber(kl) || kl < FAR || !startsAtBeginning(view)) return null;
  return {
    trainSteps: [view.trainSteps[0]!],
    message: `The KL is ${show(kl)} nats per token in the first record: no drift is that fast`,
    evidence: [view.evidence("kl", 0), ...(view.has("learning_rate") ? [view.evidence("learning_rate", 0)] : [])],
    ruledOut: {
      kl_explosion: "it is there from the first record",
      wrong_reference_model: "another model gives about 1 nat per token",
    },
  };
}
