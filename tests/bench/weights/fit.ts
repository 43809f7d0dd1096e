/**
 * Fits the weights of evidence: a multinomial logit over a run's suspected causes and "nothing known", with a pull.
 *
 * Of a case the likelihood is Σᵢ rᵢ pᵢ, where rᵢ says how right a cause is (1 the primary one, less an accepted one);
 * where no cause is right, the probability that it is nothing known. Its log has the gradient Σᵢ (qᵢ − pᵢ) xᵢ with
 * qᵢ = rᵢ pᵢ / Σⱼ rⱼ pⱼ and xᵢ the pieces of each kind.
 * @module
 */
import { sharesOf } from "../../../steps/diagnoses/differential/differential.ts";
import { type Kind, WEIGHTS, type Weights } from "../../../steps/diagnoses/differential/weights.ts";
import type { Case } from "./cases.ts";

const PULL = 0.02; // L2 towards the start: half of it, times the squared distance in nats, is taken from the mean log-likelihood.
const STEPS = 1500, RATE = 0.5;

type Name = Kind | "nothing";
const NAMES = Object.keys(WEIGHTS) as Name[];
/**
 * Where the fit begins and what it is pulled to: set by hand before any fit. The fitted weights must not stand here: they
 * have seen every source, and would take what they saw into a fit that leaves one out.
 */
export const PRIOR: Weights = {
  fatal: 4.5,
  error: 4,
  warning: 3,
  info: 0,
  first: 0.8,
  explains: 0.4,
  follows: -3,
  later: -1,
  doubt: -0.7,
  open: 2,
  nothing: 1,
};

/** A note is no suspect: its weight is never read. */
const FIXED = ["info"];

export interface FitOptions {
  /** Kinds that weigh nothing. */
  readonly without?: readonly string[];
  readonly start?: Weights;
}

/** How likely the label of a case is, and what makes it so: each cause's share of it. */
function likelihood({ evidence, right }: Case, weights: Weights) {
  const shares = sharesOf(evidence, weights), hit = right.reduce((sum, r, i) => sum + r * shares[i]!, 0);
  if (hit > 0) return { shares, value: hit, truth: right.map((r, i) => r * shares[i]! / hit) };
  return { shares, value: 1 - shares.reduce((sum, share) => sum + share, 0), truth: right.map(() => 0) };
}

/** Mean negative log-likelihood per case, in nats. */
export function logLoss(cases: readonly Case[], weights: Weights): number {
  return cases.reduce((sum, row) => sum - Math.log(Math.max(1e-12, likelihood(row, weights).value)), 0) / cases.length;
}

/** The gradient of the mean log-likelihood of the cases by each weight. */
export function gradient(cases: readonly Case[], weights: Weights): Weights {
  const total = Object.fromEntries(NAMES.map((name) => [name, 0])) as Record<Name, number>;
  for (const row of cases) {
    const { shares, truth } = likelihood(row, weights);
    row.evidence.forEach(({ pieces }, i) => {
      const missing = (truth[i]! - shares[i]!) / cases.length;
      for (const { kind } of pieces) total[kind] += missing;
      total.nothing -= missing;
    });
  }
  return total;
}

/** The weights of greatest likelihood, pulled towards those of the start; by plain gradient ascent. */
export function fit(cases: readonly Case[], { without = [], start = PRIOR }: FitOptions = {}): Weights {
  const still = [...without, ...FIXED];
  const origin = Object.fromEntries(NAMES.map((name) => [name, without.includes(name) ? 0 : start[name]]));
  const weights = { ...origin } as Record<Name, number>;
  for (let step = 0; step < STEPS; step++) {
    const ascent = gradient(cases, weights);
    for (const name of NAMES) {
      if (!still.includes(name)) weights[name] += RATE * (ascent[name] - PULL * (weights[name] - origin[name]!));
    }
  }
  return weights;
}
