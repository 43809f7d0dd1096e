/**
 * Healthy runs whose metrics have a memory: stationary or slowly rising, every column with a noise of its own.
 *
 * A column is a level (flat, or a slow line) and a noise of known kind: autoregressive of order 1 with a memory of 0 to
 * 0.98 per record, the same with heavy tails (Student's t of 3 degrees of freedom), or a slow wave. Nothing else happens,
 * so that whatever a rule says of such a run is a false alarm.
 * @module
 */
import { normals, uniform } from "../../../data/random.ts";
import type { Run } from "../../steps/diagnoses/synthetic.ts";

/** Records of a run. */
export const LENGTHS = [40, 60, 100, 150, 300, 1000] as const;
const MEMORIES = [0, 0.5, 0.9, 0.95, 0.98] as const;
const EVALUATED = 10; // Records between two evaluations.

/** A noise of mean 0 and variance 1. */
export interface Noise {
  readonly kind: "normal" | "heavy" | "wave";
  /** Share of the value before it that a value keeps; of a wave its periods in the run. */
  readonly memory: number;
}

/** What a column is without its noise, from 0 to 1 of the run, and the deviation of that. */
interface Column {
  readonly level: (at: number) => number;
  readonly noise: number;
  /** The noise multiplies. */
  readonly isFactor?: true;
  readonly least?: number;
  readonly most?: number;
}

const FREEDOM = 3; // Of Student's t: it has a variance, and no higher moment.
const WAVE = 0.9; // Share of a wave's deviation that is the wave, the rest normal.

/** A stationary series of mean 0 and variance 1; its first value is drawn as all others are. */
export function series({ kind, memory }: Noise, count: number, seed: number, stream: string): number[] {
  const draws = normals(seed, stream, (FREEDOM + 1) * (count + 1)), draw = (at: number) => draws[(FREEDOM + 1) * at]!;
  if (kind === "wave") {
    const phase = 2 * Math.PI * uniform(seed, `${stream} phase`, 0, 0, 0);
    return Array.from({ length: count }, (_, at) => {
      const wave = Math.SQRT2 * Math.sin(2 * Math.PI * memory * at / count + phase);
      return WAVE * wave + Math.sqrt(1 - WAVE ** 2) * draw(at);
    });
  }
  // A normal over the root of a chi square, scaled to variance 1.
  const heavy = (at: number) => {
    const squares = [1, 2, 3].reduce((sum, i) => sum + draws[(FREEDOM + 1) * at + i]! ** 2, 0);
    return draw(at) * Math.sqrt((FREEDOM - 2) / squares);
  };
  let kept = draw(count);
  return Array.from({ length: count }, (_, at) => {
    return kept = memory * kept + Math.sqrt(1 - memory ** 2) * (kind === "heavy" ? heavy(at) : draw(at));
  });
}

const line = (from: number, to = from) => (at: number) => from + (to - from) * at;

/** Columns of rollouts: flat, or with a reward that rises slowly. */
function rollouts(rises: boolean): Record<string, Column> {
  const rising = (from: number, to: number) => rises ? line(from, to) : line((from + to) / 2);
  return {
    loss: { level: line(0), noise: 0.01 },
    grad_norm: { level: rising(0.8, 0.6), noise: 0.25, isFactor: true },
    reward: { level: rising(0.35, 0.65), noise: 0.05, least: 0.02, most: 0.98 },
    reward_std: { level: line(0.35), noise: 0.08, isFactor: true },
    kl: { level: rising(0.005, 0.03), noise: 0.2, isFactor: true },
    entropy: { level: rising(0.6, 0.4), noise: 0.12, isFactor: true },
    completion_length: { level: rising(120, 150), noise: 0.1, isFactor: true },
    truncated_fraction: { level: line(0.04), noise: 0.3, isFactor: true, most: 1 },
    zero_spread_fraction: { level: rising(0.15, 0.25), noise: 0.05, least: 0, most: 1 },
    clip_fraction: { level: line(0.01), noise: 0.3, isFactor: true, most: 1 },
    step_ms: { level: line(20_000), noise: 0.1, isFactor: true },
  };
}

/** Columns of pairs: a margin that stays, or grows slowly. */
function pairs(rises: boolean): Record<string, Column> {
  const rising = (from: number, to: number) => rises ? line(from, to) : line((from + to) / 2);
  return {
    loss: { level: rising(0.6, 0.5), noise: 0.06, isFactor: true },
    grad_norm: { level: line(5), noise: 0.25, isFactor: true },
    chosen_reward: { level: rising(0.05, 0.2), noise: 0.1 },
    reward_margin: { level: rising(0.2, 0.8), noise: 0.12 },
    preference_accuracy: { level: rising(0.62, 0.75), noise: 0.04, least: 0, most: 1 },
    chosen_logprob: { level: line(-250), noise: 0.05, isFactor: true },
    rejected_logprob: { level: line(-280), noise: 0.05, isFactor: true },
    step_ms: { level: line(20_000), noise: 0.1, isFactor: true },
  };
}

const EVALUATIONS = {
  rollouts: (rises: boolean): Record<string, Column> => ({
    accuracy: { level: rises ? line(0.35, 0.6) : line(0.5), noise: 0.03, least: 0, most: 1 },
  }),
  pairs: (rises: boolean): Record<string, Column> => ({
    loss: { level: rises ? line(0.62, 0.54) : line(0.58), noise: 0.03, isFactor: true },
    reward_margin: { level: rises ? line(0.2, 0.6) : line(0.4), noise: 0.06 },
    preference_accuracy: { level: rises ? line(0.62, 0.72) : line(0.67), noise: 0.03, least: 0, most: 1 },
  }),
};

export type Kind = keyof typeof EVALUATIONS;

/** A column with a noise that its seed draws: its kind, its memory, and half to twice its usual deviation. */
function cellsOf(name: string, column: Column, count: number, seed: number): number[] {
  const choice = (index: number) => uniform(seed, `false alarms of ${name}`, 0, 0, index);
  const kind = (["normal", "normal", "normal", "heavy", "wave"] as const)[Math.floor(5 * choice(0))]!;
  const memory = kind === "wave" ? 3 + 5 * choice(1) : MEMORIES[Math.floor(MEMORIES.length * choice(1))]!;
  const size = column.noise * 2 ** (2 * choice(2) - 1);
  return series({ kind, memory }, count, seed, `false alarms ${name}`).map((noise, at) => {
    const level = column.level(count < 2 ? 0 : at / (count - 1));
    const value = column.isFactor ? level * Math.exp(size * noise) : level + size * noise;
    return Math.min(column.most ?? Infinity, Math.max(column.least ?? -Infinity, value));
  });
}

/** The run of a seed: of odd ones the reward, or the margin, rises slowly; the others stay where they are. */
export function healthyRun(kind: Kind, records: number, seed: number): Run {
  const rises = seed % 2 === 1, columns = kind === "rollouts" ? rollouts(rises) : pairs(rises);
  const drawn = (given: Record<string, Column>, count: number, salt: string) =>
    Object.fromEntries(
      Object.entries(given).map(([name, column]) => [name, cellsOf(`${salt} ${name}`, column, count, seed)]),
    );
  const cells = drawn(columns, records, kind), evaluations = Math.floor(records / EVALUATED);
  if (kind === "pairs") {
    // Before the first update the policy is its reference.
    for (const [name, value] of [["loss", Math.LN2], ["chosen_reward", 0], ["reward_margin", 0]] as const) {
      cells[name]![0] = value;
    }
    cells.rejected_reward = cells.chosen_reward!.map((reward, at) => reward - cells.reward_margin![at]!);
  }
  return {
    algorithm: kind === "pairs" ? "dpo" : "grpo",
    scope: "batch",
    columns: { ...cells, learning_rate: Array(records).fill(1e-6) },
    evaluations: drawn(EVALUATIONS[kind](rises), evaluations, `held-out ${kind}`),
    evaluationSteps: Array.from({ length: evaluations }, (_, at) => EVALUATED * (at + 1)),
  };
}
