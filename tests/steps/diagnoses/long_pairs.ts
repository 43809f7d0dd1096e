/** Long runs on pairs, made from what their rewards are over the run: every column follows from them. */
import { type Curve, noisy } from "./long_run.ts";
import type { Run } from "./synthetic.ts";

/** What approaches `to` with most of its way in `part` of the run. */
export const settles = (to: number, part = 0.3) => (t: number) => to * (1 - Math.exp(-t / part));
/** What is 0 until a share of the run and then goes on growing to `to`. */
export const from = (start: number, to: number, power = 1) => (t: number) =>
  t <= start ? 0 : to * ((t - start) / (1 - start)) ** power;

/** A run on pairs as its rewards make it; all are functions of the share of the run that is over. */
interface Pairs {
  readonly seed: number;
  readonly algorithm?: "dpo" | "kto";
  readonly records?: number;
  /** Margin in training and on held-out pairs, and the chosen texts' reward. */
  readonly margin?: Curve;
  readonly held?: Curve | null;
  readonly chosen?: Curve;
  /** Standard deviation of a batch's mean margin, as a share of how far pairs lie apart. */
  readonly rough?: number;
  readonly beta?: number;
}

const EVALUATIONS = 15;
/** Points of a normal with equal weight. */
const POINTS = [-1.53, -0.89, -0.49, -0.16, 0.16, 0.49, 0.89, 1.53];

/** Pairs of a mean margin differ by their own: 1 and as much as the margin itself, less. */
const spreadOf = (margin: number) => 0.5 + 0.45 * Math.abs(margin);
const over = (margin: number, of: (x: number) => number) =>
  POINTS.reduce((sum, point) => sum + of(margin + spreadOf(margin) * point), 0) / POINTS.length;
const dpoLoss = (margin: number) => over(margin, (x) => Math.log1p(Math.exp(-Math.max(-30, x))));
const ktoLoss = (margin: number) => over(margin / 2, (x) => 1 / (1 + Math.exp(x)));

export function longPairs(
  { seed, algorithm = "dpo", records = 300, rough = 0.2, beta = 0.1, ...paths }: Pairs,
): Run {
  const margin = paths.margin ?? settles(1.5), chosen = paths.chosen ?? settles(-0.2);
  const held = paths.held === undefined ? (t: number) => 0.75 * margin(t) : paths.held;
  const [batch, texts, gradient, evaluation] = [1, 2, 3, 4].map((stream) =>
    noisy(() => 0, 1, { records, seed: 100 * seed + stream })
  ) as [number[], number[], number[], number[]];
  const lossOf = algorithm === "dpo" ? dpoLoss : ktoLoss;
  const rows = Array.from({ length: records }, (_, i) => {
    // Before any update the policy is its reference.
    const t = i / records, moved = i === 0 ? 0 : 1;
    const own = moved * (margin(t) + rough * spreadOf(margin(t)) * batch[i]!);
    const c = moved * (chosen(t) + rough * (0.1 + 0.2 * Math.abs(chosen(t))) * texts[i]!),
      length = 250 + 20 * gradient[i]!;
    return {
      loss: Math.max(1e-9, lossOf(own)),
      grad_norm: 5 * Math.exp(0.3 * gradient[i]!),
      chosen_reward: c,
      rejected_reward: c - own,
      reward_margin: own,
      chosen_logprob: -length + c / beta,
      rejected_logprob: -length - 30 + (c - own) / beta,
      ...(algorithm === "kto" ? {} : { preference_accuracy: over(own, (x) => x > 0 ? 1 : x === 0 ? 0.5 : 0) }),
      learning_rate: 5e-7 * Math.min(1, 10 * t) * (1 - t),
    };
  });
  const at = Array.from({ length: EVALUATIONS }, (_, i) => Math.floor((i + 1) * records / EVALUATIONS));
  const heldMargins = held === null ? [] : at.map((step, i) => {
    const level = held(step / records);
    return level + 0.02 * spreadOf(level) * evaluation[i]!;
  });
  return {
    algorithm,
    columns: Object.fromEntries(Object.keys(rows[0]!).map((name) => [name, rows.map((row) => row[name as "loss"]!)])),
    evaluationSteps: held === null ? [] : at,
    evaluations: held === null ? {} : {
      loss: heldMargins.map(lossOf),
      reward_margin: heldMargins,
      ...(algorithm === "kto" ? {} : { preference_accuracy: heldMargins.map((m) => over(m, (x) => x > 0 ? 1 : 0)) }),
    },
  };
}

/** Healthy runs on pairs of every shape, one a seed: slow and fast, noisy and smooth, with and without held-out pairs. */
export function healthyPairs(seed: number): Run {
  const draws = noisy(() => 0, 1, { records: 3, seed: 1000 + seed, memory: 0 }) as [number, number, number];
  const size = Math.exp(0.5 * draws[0]), part = 0.3 * Math.exp(0.5 * draws[1]);
  const margin = settles(1.2 * size, part), share = 0.3 * Math.tanh(draws[2]);
  return longPairs({
    seed,
    algorithm: seed % 3 === 0 ? "kto" : "dpo",
    records: [40, 90, 200, 600][seed % 4]!,
    rough: [0.05, 0.2, 0.5][seed % 3 === 0 ? 1 : seed % 5 % 3]!,
    margin,
    held: seed % 4 === 1 ? null : (t) => 0.75 * margin(t),
    chosen: (t) => share * margin(t),
    beta: [0.01, 0.1, 0.3][seed % 7 % 3]!,
  });
}
