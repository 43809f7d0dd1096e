/** What is seen of loss, gradient, KL, entropy and log-probs in a run that is told in few words or few records. @module */
import { all, anyOf, ends, notFinite, scoredLoss, type Test, toldEnds } from "./looks.ts";
import { EVAL_LOSS_RISES } from "../../../data/adapters/post/numbers/number_claims.ts";
import { written } from "../view/numbers.ts";
import type { RunView } from "../view/run_view.ts";
import { claims, each, type Symptom } from "./symptom.ts";

/** A gradient or a KL that is this many times what it was, a loss, and levels that noise does not reach. */
const GROWN = 20, LOSS_TIMES = 2, KL_LEVEL = 0.2, LARGE = 100, LEAST_RISE = 0.5;
const LOSS_FALLEN = 0.7; // Of the first loss.
const MOVED = 1e-3; // Nats of KL of a policy that has moved.
const ALL_ZERO = 3; // Records with a KL of 0: on the first it always is.
/** Times the smallest gradient, and a level, above which one is a spike; how many make it a habit. */
const SPIKE = 10, SPIKE_LEVEL = 3, SPIKES = 2, SEEN = 4;
const GONE = 0.02, COLLAPSED = 0.15; // Nats that are next to nothing; share of the first entropy.
const CLIPPED = 0.2; // Share of tokens.
const OFF_POLICY = 0.1; // Of a ratio from 1, or nats between two log-probs of one token.

/** A measure of how far two log-probs lie apart. */
const GAP = /error|diff|gap|mismatch|divergen|mult_prob|偏差|差异|差距|误差/i;

/** Two values and more far above the least; one that is told twice, with other digits, is one. */
const spikes: Test = (_, __, values) => {
  const usual = Math.min(...values), isFar = (value: number) => value > SPIKE * usual && value > SPIKE_LEVEL;
  // A gradient that is large at the beginning and small from then on has no spikes.
  const calm = values.findIndex((value) => !isFar(value));
  return new Set(values.slice(calm).filter(isFar).map(Math.round)).size >= SPIKES;
};

const SPIKES_FROM =
  written`of ${SEEN} records or more ${SPIKES} lie above ${SPIKE_LEVEL} and above ${SPIKE} times the least`;

/** Unsloth fills the first record of what it does not log with 0, and no other. */
const isFirstAlone = (view: RunView): boolean =>
  view.column("entropy")[0] === 0 && view.records > 1 && view.column("entropy").slice(1).every((v) => v === null);

/** Times its least number, beyond which a loss that fell and rose again has run off: "5, then 4, then 7". */
const TURNED = 1.5;

export const NUMBER_SYMPTOMS = {
  loss_zero: { about: "the loss is 0", says: ["loss.zero", "policy_loss.zero"], shows: all("loss", 1, (v) => v === 0) },
  loss_not_finite: {
    about: "the loss is NaN",
    says: ["loss.not_finite", "policy_loss.not_finite"],
    shows: notFinite("loss", "policy_loss"),
  },
  loss_rises: {
    about: "the loss rises",
    border:
      written`it ends above ${LOSS_TIMES} times its first value and more than ${LEAST_RISE} above it; where it is only told, above ${TURNED} times its least`,
    says: each(["loss"], ["rises", "explodes"]),
    shows: anyOf(
      ends("loss", (first, last) => first > 0 && last > LOSS_TIMES * first && last - first > LEAST_RISE),
      toldEnds(
        "loss",
        ["loss.rises"],
        (first, last, values) =>
          last > first && last > TURNED * Math.min(...values) && last - Math.min(...values) > LEAST_RISE,
      ),
    ),
  },
  loss_drops: { about: "the training loss drops", says: ["loss.collapses"] },
  loss_falls: {
    about: "the loss falls",
    border: written`it ends below ${LOSS_FALLEN} % of its first value`,
    says: ["loss.falls"],
    undone: each(["loss"], ["rises", "explodes"]),
    shows: ends("loss", (first, last) => last < LOSS_FALLEN * first && first > 0),
  },
  loss_flat: { about: "the loss does not move", says: ["loss.constant"] },
  gradient_zero: { about: "the gradient is 0", says: ["grad_norm.zero"], shows: all("grad_norm", 1, (v) => v === 0) },
  gradient_not_finite: { about: "the gradient is NaN", says: ["grad_norm.not_finite"], shows: notFinite("grad_norm") },
  gradient_large: {
    about: "the gradient explodes",
    border: written`it ends above ${LARGE}, and above ${GROWN} times its first value`,
    says: each(["grad_norm"], ["explodes", "rises", "high", "noisy"]),
    shows: ends("grad_norm", (first, last) => last > LARGE && last > GROWN * first),
  },
  kl_zero: {
    about: "the KL is 0",
    border: written`it is 0 on all of ${ALL_ZERO} records or more`,
    says: ["kl.zero"],
    shows: all("kl", ALL_ZERO, (v) => v === 0),
  },
  kl_not_finite: {
    about: "the KL is NaN",
    says: ["kl.not_finite"],
    shows: notFinite("kl", "kl_sequence", "approx_kl"),
  },
  kl_grows: {
    about: "the KL grows without end",
    border: written`it ends above ${KL_LEVEL} nats per token, and above ${GROWN} times its first value`,
    says: each(["kl"], ["rises", "explodes", "high", "collapses"]),
    shows: ends("kl", (first, last) => last > KL_LEVEL && last > GROWN * first),
  },
  kl_moves: {
    about: "the KL is above 0",
    border: written`it ends above ${MOVED} nats per token`,
    shows: ends("kl", (_, last) => last > MOVED, 1),
  },
  masked: {
    about: "loss, gradient and entropy are exactly 0",
    shows: (view) =>
      all("loss", 1, (v) => v === 0)(view) && all("grad_norm", 1, (v) => v === 0)(view) &&
      all("entropy", 1, (v) => v === 0)(view),
  },
  nan_from_start: {
    about: "the first record is NaN already",
    shows: (view) => {
      const name = ["grad_norm", "loss"].find((one) => Number.isNaN(view.column(one)[0]) && !view.isTold(one, 0));
      return name === undefined ? null : [view.evidence(name, 0)];
    },
  },
  kl_negative: { about: "the KL is negative", says: ["kl.negative"] },
  eval_loss_rises: {
    about: "the held-out loss rises",
    border:
      written`it ends at ${EVAL_LOSS_RISES.times} times its least or more, and ${EVAL_LOSS_RISES.by} or more above it`,
    says: each(["eval_loss"], ["rises", "explodes", "worsens"]),
    undone: ["eval_loss.falls"],
    shows: scoredLoss((_, last, values) => {
      const least = Math.min(...values);
      return last >= EVAL_LOSS_RISES.times * least && last - least >= EVAL_LOSS_RISES.by;
    }),
  },
  eval_loss_nan: {
    about: "the held-out loss is NaN",
    says: ["eval_loss.not_finite"],
    shows: (view) => {
      const at = view.evaluation("loss").findIndex((value) => Number.isNaN(value));
      return at < 0 ? null : [view.evaluationEvidence("loss", at)];
    },
  },
  gradient_spikes: {
    about: "single gradients stand far above the rest",
    border: SPIKES_FROM,
    says: each(["grad_norm"], ["noisy"]),
    shows: ends("grad_norm", spikes, SEEN),
  },
  spikes_grow: { about: "each of them is larger than the one before", says: ["grad_norm.worsens"] },
  loss_jumps: { about: "the loss jumps", says: ["loss.noisy", "loss.explodes"] },
  spikes_shown: {
    about: "several gradients are many times the rest",
    border: SPIKES_FROM,
    shows: ends("grad_norm", spikes, SEEN),
  },
  clipped: {
    about: "many tokens are clipped",
    border: written`more than ${CLIPPED} % of the tokens are on the last record`,
    says: each(["clip_fraction"], ["rises", "high", "explodes"]),
    shows: ends("clip_fraction", (_, last) => last > CLIPPED, 1),
  },
  entropy_falls: {
    about: "the entropy falls to almost nothing",
    border: written`it ends below ${COLLAPSED} % of its first value`,
    says: each(["entropy"], ["falls", "collapses", "zero", "low"]),
    shows: ends("entropy", (first, last) => last < COLLAPSED * first && first > 0),
  },
  entropy_rises: { about: "the entropy rises", says: each(["entropy"], ["rises", "explodes"]) },
  entropy_gone: {
    about: "the entropy is next to nothing",
    border: written`it is at most ${GONE} nats on every record`,
    shows: (view) => isFirstAlone(view) ? null : all("entropy", 1, (v) => v <= GONE)(view),
  },
  logprobs_not_finite: { about: "log-probs are NaN", says: ["logprobs.not_finite"] },
  critic_still: { about: "the critic's loss does not move", says: ["value_loss.constant"] },
  critic_off: {
    about: "the critic's loss grows without end",
    border: written`it ends above ${GROWN} times its first value`,
    says: each(["value_loss"], ["rises", "explodes"]),
    shows: ends("value_loss", (first, last) => first > 0 && last > GROWN * first),
  },
  critic_nan: { about: "the critic's loss is NaN", says: ["value_loss.not_finite"] },
  weights_not_finite: { about: "weights are NaN", says: ["parameters.not_finite"] },
  logprobs_differ: {
    about: "sampled and recomputed log-probs differ",
    border:
      written`the mean ratio begins further than ${OFF_POLICY} from 1, or the log-probs of a token lie more than ${OFF_POLICY} nats apart on every record`,
    shows: anyOf(
      ends("ratio_mean", (first) => Math.abs(first - 1) > OFF_POLICY, 1),
      ends("sampler_logprob_gap_mean", (_, __, values) => Math.min(...values) > OFF_POLICY, 1),
      claims(["logprobs.rises", "logprobs.explodes"], ({ text }) => GAP.test(text)),
    ),
    says: ["logprobs.differs", "ratio.differs", "ratio.explodes", "ratio.high", "kl.differs", "logprobs.high"],
  },
} as const satisfies Record<string, Symptom>;
