/** Long runs of tests: curves with noise that has a memory, as metrics of batches have. */
import { healthyBut, type Run } from "./synthetic.ts";

/** A curve over the run, from 0 to 1. */
export type Curve = (at: number) => number;

/** Uniform draws of a fixed seed (Lehmer). */
export function uniform(seed: number): () => number {
  let state = (seed * 48271 + 11) % 2147483647;
  return () => (state = state * 48271 % 2147483647) / 2147483647;
}

/** A curve with normal noise of deviation `noise`, of which `memory` of the value before is kept. */
export function noisy(curve: Curve, noise: number, { records = 300, seed = 1, memory = 0.3 } = {}): number[] {
  const draw = uniform(seed);
  let kept = 0;
  return Array.from({ length: records }, (_, i) => {
    const normal = Math.sqrt(-2 * Math.log(draw())) * Math.cos(2 * Math.PI * draw());
    kept = memory * kept + Math.sqrt(1 - memory ** 2) * normal;
    return curve(i / (records - 1)) + noise * kept;
  });
}

/** From one value to another between two times, straight. */
export const between = (from: number, to: number, begin = 0, end = 1): Curve => (at) =>
  from + (to - from) * Math.min(1, Math.max(0, (at - begin) / (end - begin)));

/** The columns of a long run that learns, with what a test changes. */
export function longRun(
  changed: Record<string, readonly (number | null)[]> = {},
  { records = 300, seed = 1, ...more }: { readonly records?: number; readonly seed?: number } & Omit<Run, "columns"> =
    {},
): Run {
  const curve = (one: Curve, noise: number, salt: number) => noisy(one, noise, { records, seed: seed * 100 + salt });
  const reward = curve(between(0.3, 0.8), 0.06, 1);
  return healthyBut({
    loss: curve(() => 0, 0.01, 2),
    reward,
    "reward.accuracy_reward": reward,
    reward_std: curve(between(0.42, 0.36), 0.02, 3),
    zero_spread_fraction: curve(between(0.1, 0.25), 0.03, 4),
    grad_norm: curve(between(0.8, 0.6), 0.05, 5),
    learning_rate: Array(records).fill(1e-6),
    entropy: curve(between(0.6, 0.4), 0.02, 6),
    kl: curve((at) => 0.03 * at, 0.001, 7).map(Math.abs),
    completion_length: curve(between(120, 140), 4, 8),
    truncated_fraction: curve(() => 0.02, 0.004, 9),
    clip_fraction: Array(records).fill(0),
    ...changed,
  }, more);
}

/** The same with curves whose noise is a share of their size. */
export function longRunOf(
  curves: Record<string, Curve>,
  { rough = 0.1, ...more }: { readonly rough?: number } & Parameters<typeof longRun>[1] = {},
): Run {
  const { records = 300, seed = 1 } = more;
  const columns = Object.entries(curves).map(([name, curve], i) => {
    const noise = noisy(() => 1, rough, { records, seed: seed * 100 + 20 + i });
    return [name, noise.map((factor, record) => curve(record / (records - 1)) * factor)] as const;
  });
  return longRun(Object.fromEntries(columns), more);
}

/** Healthy long runs of `count` seeds: a rule must be silent on each. */
export function healthyRuns(count = 60): Run[] {
  return Array.from({ length: count }, (_, i) => longRun({}, { seed: i + 1, records: [150, 300, 600][i % 3]! }));
}
