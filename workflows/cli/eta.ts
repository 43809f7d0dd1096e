/** When a phase of a run will be over: from its pace, and from the trend of what ends it. @module */
import { duration } from "../terminal/terminal.ts";

/** Train steps to come; fewer when a condition ends them. */
export interface Expected {
  readonly count: number;
  readonly atMost: boolean;
  /** The measured accuracy that ends them, where one does. */
  readonly until?: number;
}

const PACE = 50; // Train steps that the pace is taken from.
const TREND = 24; // Measurements that the trend is taken from, the newest; at fewer than the least there is none.
const LEAST = 8;

/** Follows one phase. Times in ms. */
export class Eta {
  readonly #steps: { readonly at: number; readonly step: number }[] = [];
  readonly #measured: (readonly [step: number, accuracy: number])[] = [];

  /** `before`: train steps before the phase. */
  constructor(private readonly expected: Expected | undefined, private readonly before: number) {}

  /** A train step ended at a time; `accuracy` where it was measured. */
  add(step: number, at: number, accuracy: unknown): void {
    this.#steps.push({ at, step });
    if (this.#steps.length > PACE) this.#steps.shift();
    if (typeof accuracy === "number") this.#measured.push([step, accuracy]);
    if (this.#measured.length > TREND) this.#measured.shift();
  }

  /** Train steps left at most, null where the plan does not say. */
  left(): number | null {
    const last = this.#steps.at(-1);
    return this.expected === undefined || last === undefined
      ? null
      : Math.max(0, this.before + this.expected.count - last.step);
  }

  /**
   * "1 min 5 s" where the number of train steps is known; "~ 40 s" where a trend says when the accuracy that ends them is
   * reached; "≤ 2 min 10 s" where all that is known is how many there may be.
   */
  text(): string {
    const first = this.#steps[0], last = this.#steps.at(-1), left = this.left();
    if (left === null || first === undefined || last === undefined || last.step === first.step) return "–";
    const pace = (last.at - first.at) / (last.step - first.step) / 1000;
    const { atMost, until } = this.expected!;
    const reached = until === undefined ? null : reachedAt(this.#measured, until);
    if (reached !== null && reached - last.step < left) return `~ ${duration(Math.max(1, reached - last.step) * pace)}`;
    return `${atMost ? "≤ " : ""}${duration(left * pace)}`;
  }
}

/**
 * The train step at which a share of right samples reaches `until`: a straight line through its log-odds, since what is
 * learned rises slowly, then fast, then slowly again. Each measurement weighs p(1 - p), the inverse of the variance of
 * the log-odds of a measured share. Null where the share does not rise, or was measured too rarely.
 */
export function reachedAt(measured: readonly (readonly [step: number, share: number])[], until: number): number | null {
  if (measured.length < LEAST) return null;
  const points = measured.map(([step, share]) => {
    const p = inside(share);
    return { x: step, y: logOdds(p), weight: p * (1 - p) };
  });
  const total = points.reduce((sum, { weight }) => sum + weight, 0);
  const mean = (value: (point: typeof points[number]) => number) =>
    points.reduce((sum, point) => sum + point.weight * value(point), 0) / total;
  const x = mean((point) => point.x), y = mean((point) => point.y);
  const slope = mean((point) => (point.x - x) * (point.y - y)) / mean((point) => (point.x - x) ** 2);
  return slope > 0 ? x + (logOdds(inside(until)) - y) / slope : null;
}

const logOdds = (p: number) => Math.log(p / (1 - p));

/** A share of 0 or 1 has no log-odds: it is taken as one in 500 off. */
const inside = (share: number) => Math.min(0.998, Math.max(0.002, share));
