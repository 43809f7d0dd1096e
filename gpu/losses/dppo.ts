/** DPPO: tokens whose probability moved too far lose their gradient, by the distance of distributions. @module */
import { z } from "zod";
import type { Value } from "../onnx/graph.ts";
import type { RolloutLoss } from "./objective.ts";
import { CLIP } from "./presets.ts";
import { rolloutObjective } from "./rollout_objective.ts";

const CAP = 20;

const params = z.strictObject({
  divergence: z.enum(["tv", "kl"]).optional().describe(
    "how far a token's probability may move: total variation, or binary KL in nats; tv if absent",
  ),
  clip_low: z.number().min(0).optional().describe(`dppo: how far down; ${CLIP} if absent`),
  clip_high: z.number().min(0).optional().describe(`dppo: how far up; ${CLIP} if absent`),
  ratio_cap: z.number().positive().optional().describe(`dppo: upper bound of the ratio as a weight; ${CAP} if absent`),
  log_ratio_bound: z.number().positive().nullable().optional().describe(
    "dppo: bound of a token's log-ratio on both sides, nats; none if absent or null",
  ),
});

export interface DppoLoss extends RolloutLoss {
  readonly objective: "dppo";
  readonly divergence: "tv" | "kl";
  readonly low: number;
  readonly high: number;
  readonly cap: number;
}

/**
 * -sg(min(ratio, cap)) · [token stays] · advantage · logprobs, per token. A token of positive advantage stays where its
 * probability rose by at most `high`, one of negative where it fell by at most `low`: as a difference of probabilities,
 * or as the binary KL of the old to the new one, of which moves back are free.
 * Source: DPPO 2026; verl `core_algos.compute_policy_loss_dppo_tv`, `_dppo_kl`.
 */
export const dppo = rolloutObjective<DppoLoss, typeof params, "clip_fraction" | "dual_clip_fraction">({
  method: {
    formula: "-A·sg(min(r, ratio_cap))·lp where A > 0: p - p_old <= clip_high, else p - p_old >= -clip_low (tv); " +
      "binary KL(p_old, p) <= the bound or the ratio moves back (kl)",
    source: "DPPO 2026; verl core_algos.compute_policy_loss_dppo_tv, _dppo_kl",
    names: {
      verl:
        "policy_loss.loss_mode=dppo_tv, dppo_kl: clip_ratio_low 0.2, clip_ratio_high 0.2, clip_ratio_c 3 (20 if unset)",
    },
  },
  params,
  lossOf: ({ divergence = "tv", clip_low = CLIP, clip_high = CLIP, ratio_cap = CAP, log_ratio_bound }) => ({
    objective: "dppo",
    divergence,
    low: clip_low,
    high: clip_high,
    cap: ratio_cap,
    ...(log_ratio_bound ? { logRatioBound: log_ratio_bound } : {}),
  }),
  settings: ({ divergence, low, high, cap }) => ({ divergence, clip_low: low, clip_high: high, ratio_cap: cap }),
  isMinusAdvantage: () => false,
  metrics: { clip_fraction: () => ({ over: "token" }), dual_clip_fraction: () => ({ over: "token" }) },
  terms(loss, { advantages, logprobs, ratio, input }) {
    const now = logprobs.stopGradient(), p = now.exp(), old = (loss.onPolicy ? now : input("old_logprobs")).exp();
    const stays = STAYS[loss.divergence](p, old, loss, advantages.greater(0));
    const valid = stays.cast(advantages.dtype);
    const weight = ratio.clip(null, loss.cap).stopGradient();
    return {
      loss: weight.mul(advantages).mul(valid).mul(logprobs).neg(),
      metrics: {
        clip_fraction: valid.neg().add(1),
        dual_clip_fraction: stays.and(ratio.greater(loss.cap)).cast(advantages.dtype),
      },
    };
  },
});

type Stays = (p: Value, old: Value, loss: DppoLoss, rises: Value) => Value;

/** Bool [B, T]: whether the token stays. */
const STAYS: Record<DppoLoss["divergence"], Stays> = {
  tv: (p, old, { low, high }, rises) => {
    const moved = p.sub(old);
    return either(rises, moved.lessOrEqual(high), moved.greaterOrEqual(-low));
  },
  kl: (p, old, { low, high }, rises) => {
    const rest = (x: Value) => x.neg().add(1);
    const kl = old.mul(old.div(p).log()).add(rest(old).mul(rest(old).div(rest(p)).log()));
    return either(rises, kl.lessOrEqual(high).or(p.lessOrEqual(old)), kl.lessOrEqual(low).or(p.greaterOrEqual(old)));
  },
};

/** `yes` where `chosen`, else `no`: all bool. */
function either(chosen: Value, yes: Value, no: Value): Value {
  return chosen.and(yes).or(chosen.where(0, 1).greater(0).and(no));
}
