/**
 * Whether the patched fork earns less than the plain one: a paired test over the train steps that both have.
 * @module
 */
import type { Comparison } from "./record.ts";

/**
 * Whether a fork's reward falls over its own train steps: its later half against its first, step by step. For changes
 * after which rewards mean something else: sampling at temperature 1 earns less than greedy decoding, rightly.
 */
export function compareHalves(rewards: ReadonlyMap<number, number>): Comparison {
  const values = [...rewards].sort(([a], [b]) => a - b).map(([, reward]) => reward);
  const half = Math.floor(values.length / 2);
  const numbered = (part: readonly number[]) => new Map(part.map((reward, index) => [index, reward]));
  return compareRewards(numbered(values.slice(0, half)), numbered(values.slice(values.length - half)));
}

const LEVEL = 0.05;
const EXACT = 14; // Up to so many steps every sign is tried; beyond, the sum is close to normal.

/** Rewards by train step; a patch is worse when the paired sign-flip test says so at 5 %. */
export function compareRewards(
  plain: ReadonlyMap<number, number>,
  patched: ReadonlyMap<number, number>,
): Comparison {
  const differences = [...patched].filter(([step]) => plain.has(step)).map(([step, reward]) =>
    reward - plain.get(step)!
  )
    .filter(Number.isFinite);
  const steps = differences.length;
  if (steps === 0) return { steps, difference: null, p: null, worse: false };
  const difference = differences.reduce((sum, value) => sum + value, 0) / steps;
  if (steps < 2) return { steps, difference, p: null, worse: false };
  const p = steps <= EXACT ? flipped(differences) : normalTail(differences);
  return { steps, difference, p, worse: difference < 0 && p < LEVEL };
}

/** Share of all sign patterns whose sum is at most the one seen. */
function flipped(differences: readonly number[]): number {
  const seen = differences.reduce((sum, value) => sum + value, 0) + 1e-12;
  const patterns = 2 ** differences.length;
  let extreme = 0;
  for (let pattern = 0; pattern < patterns; pattern++) {
    let sum = 0;
    for (let i = 0; i < differences.length; i++) {
      sum += (pattern >> i) & 1 ? -Math.abs(differences[i]!) : Math.abs(differences[i]!);
    }
    if (sum <= seen) extreme++;
  }
  return extreme / patterns;
}

/** The same for many steps: the sum under random signs has variance Σd². */
function normalTail(differences: readonly number[]): number {
  const sum = differences.reduce((total, value) => total + value, 0);
  const spread = Math.sqrt(differences.reduce((total, value) => total + value * value, 0));
  return spread === 0 ? 1 : normalCdf(sum / spread);
}

/** Φ(x) by Abramowitz and Stegun 7.1.26; error below 1.5e-7. */
function normalCdf(x: number): number {
  const z = Math.abs(x) / Math.SQRT2, t = 1 / (1 + 0.3275911 * z);
  const polynomial = ((((1.061405429 * t - 1.453152027) * t + 1.421413741) * t - 0.284496736) * t + 0.254829592) * t;
  const erf = 1 - polynomial * Math.exp(-z * z);
  return x < 0 ? (1 - erf) / 2 : (1 + erf) / 2;
}
