/**
 * How far two parts of a series lie apart by chance, where its noise has a memory.
 *
 * Model: x(t) = curve + AR(1) of variance S and memory p per record + white noise of variance W. From second differences
 * at lag h, in which any line cancels and a bend, a step or a spike is in few of them,
 *
 *     D(h) = Var(x(t+h) - 2 x(t) + x(t-h)) = 2 S (1 - p^h) (3 - p^h) + 6 W,
 *
 * so that no mean and no trend has to be estimated: the bias that makes the autocorrelation of a short series too small
 * (Kendall 1954: -(1 + 3p) / n) does not arise, and p -> 1, a random walk, is no special case. D(h) is the square of a
 * median deviation. Two means of L and M records whose nearest records are g apart differ by
 *
 *     Var = S (A(L) + A(M) - 2 p^g B(L) B(M)) + W (1/L + 1/M),   B(L) = (1 - p^L) / (1 - p) / L,
 *
 * A(L) the variance of a mean of L records of an AR(1) of variance 1 (Priestley 1981, 5.3.2): bounded by what an AR(1)
 * can reach, and of a random walk growing with the distance. A series does not tell its memory exactly, a short one hardly: the variance
 * is the mean over memories and shares of white noise, each weighted by how likely it makes the D(h) (gammas with as many
 * degrees of freedom as there are lags in the series), every p from 0 to 1 as likely beforehand as any other.
 * @module
 */
import { mean, median } from "./numbers.ts";

const MOST = 480; // Values that are looked at; of a longer series means of neighbours.
const LAGS = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64];
const WIDEST = 1 / 9; // Share of the series that a lag has at most: beyond it a step is in too many differences for their median.
const FEW = 12; // Values from which on the second lag is told as well.
const WHITE = [0, 0.3, 0.6, 0.9, 1]; // Shares of D(1) that are white noise.
const MAD = 1.4826; // Median absolute deviation to standard deviation of a normal.
const OF_WHITE = 6; // D of white noise of variance 1.
const SHORTEST = 0.5; // Values in which the shortest memory is down to 1/e: white noise, nearly.
const LEAST = 0.1; // Of D(1), to the square: values that alternate differ by nothing at lag 2.
const UNLIKELY = 1e-3; // Weight beside the most likely at which a model counts for nothing.

/** A noise that the series may have. */
interface Model {
  readonly weight: number;
  /** Variance of the part with a memory and of the white one, and the memory per value. */
  readonly slow: number;
  readonly white: number;
  readonly memory: number;
}

/** The noises that a series may have; its values are means of `per` records. */
export interface Wander {
  readonly per: number;
  readonly models: readonly Model[];
}

/** What a series shows of its noise. */
export function wanderOf(values: readonly number[]): Wander {
  const count = Math.min(MOST, values.length), per = values.length / count;
  const cut = (at: number) => Math.round(at * per);
  const means = per === 1 ? values : Array.from({ length: count }, (_, at) => mean(values.slice(cut(at), cut(at + 1))));
  const one = seconds(means, 1), usual = median(one);
  // Where most values are one and the same, a median says nothing of the others, and a single jump looks like a memory.
  if (!(usual > 0)) {
    return { per, models: [{ weight: 1, slow: 0, white: mean(one.map((value) => value ** 2)) / OF_WHITE, memory: 0 }] };
  }
  const seen = LAGS.filter((lag) => lag <= Math.max(count < FEW ? 1 : 2, WIDEST * count)).map((lag) => ({
    lag,
    variance: (MAD * Math.max(median(seconds(means, lag)), LEAST * usual)) ** 2,
    freedom: (count - 2 * lag) / lag,
  }));
  const models = timesOf(count).flatMap((time) => WHITE.map((share) => fitted(seen, time, share)));
  const best = Math.max(...models.map(({ likely }) => likely));
  const weighted = models.map(({ likely, ...model }) => ({ ...model, weight: Math.exp(likely - best) }))
    .filter(({ weight }) => weight > UNLIKELY);
  const all = weighted.reduce((sum, { weight }) => sum + weight, 0);
  return { per, models: weighted.map((model) => ({ ...model, weight: model.weight / all })) };
}

/** Values in which a memory is down to 1/e: from hardly one to all there are, each twice the one before. */
function timesOf(count: number): number[] {
  const times = [];
  for (let time = SHORTEST; time <= count; time *= 2) times.push(time);
  return times;
}

/** Sizes of the second differences at a lag. */
function seconds(values: readonly number[], lag: number): number[] {
  return values.slice(2 * lag).map((value, i) => Math.abs(value - 2 * values[i + lag]! + values[i]!));
}

/** The variances that fit a memory and a share of white noise, and the logarithm of how likely these are. */
function fitted(
  seen: readonly { readonly lag: number; readonly variance: number; readonly freedom: number }[],
  time: number,
  share: number,
): Omit<Model, "weight"> & { readonly likely: number } {
  const memory = Math.exp(-1 / time), of = (lag: number) => 2 * (1 - memory ** lag) * (3 - memory ** lag), one = of(1);
  const shapes = seen.map(({ lag }) => share + (1 - share) * of(lag) / one);
  const freedom = seen.reduce((sum, each) => sum + each.freedom, 0);
  const size = seen.reduce((sum, each, i) => sum + each.freedom * each.variance / shapes[i]!, 0) / freedom;
  // Of a gamma log M + D / M, whose second part sums to a constant at the size that fits best.
  const misfit = seen.reduce((sum, each, i) => sum + each.freedom * Math.log(size * shapes[i]!), 0) / 2;
  // Each p from 0 to 1 is as likely as any other beforehand: of times that double, exp(-1 / time) / time.
  const before = -1 / time - Math.log(time);
  return { slow: size * (1 - share) / one, white: size * share / OF_WHITE, memory, likely: before - misfit };
}

/**
 * The values without the one step that explains most of them: the part behind it moved to the level of the part before. A fall
 * at once is in a quarter of the differences of the widest lag, and would pass for the memory that excuses it.
 */
export function withoutStep(values: readonly number[]): number[] {
  const all = values.reduce((sum, value) => sum + value, 0);
  let [best, at, by, before] = [0, 0, 0, 0];
  for (let count = 1; count < values.length; count++) {
    before += values[count - 1]!;
    const after = values.length - count, step = (all - before) / after - before / count;
    const explained = step ** 2 * count * after;
    if (explained > best) [best, at, by] = [explained, count, step];
  }
  return values.map((value, i) => i < at ? value : value - by);
}

/** Standard error of the difference of two means of so many records, the nearest of which are `apart`. 0 of a constant. */
export function differenceError(wander: Wander, one: number, other: number, apart: number): number {
  const { per, models } = wander, [mine, theirs] = [one / per, other / per], gap = Math.max(1, apart / per);
  return Math.sqrt(models.reduce((sum, { weight, slow, white, memory }) => {
    const shared = 2 * memory ** gap * within(memory, mine) * within(memory, theirs);
    const own = ofMean(memory, mine) + ofMean(memory, theirs) - shared;
    return sum + weight * (slow * Math.max(0, own) + white / mine + white / theirs);
  }, 0));
}

/**
 * Variance that a mean of so many records brings into its difference from one `apart`, where the other is not told: the two add
 * up. What they have in common, 2 p^g B(L) B(M), is shared out as p^g (B(L)^2 + B(M)^2): the same for equal lengths, and
 * too much, so that the variance is too small, for unequal ones.
 */
export function meanVariance({ per, models }: Wander, records: number, apart: number): number {
  const length = records / per, gap = Math.max(1, apart / per);
  return models.reduce((sum, { weight, slow, white, memory }) => {
    const own = ofMean(memory, length) - memory ** gap * within(memory, length) ** 2;
    return sum + weight * (slow * Math.max(0, own) + white / length);
  }, 0);
}

/** Mean of the first powers of a memory. */
function within(memory: number, length: number): number {
  return length <= 1 ? 1 : (1 - memory ** length) / (1 - memory) / length;
}

/** Variance of a mean of so many values of an AR(1) of variance 1. */
function ofMean(memory: number, length: number): number {
  if (length <= 1) return 1;
  return ((1 + memory) / (1 - memory) - 2 * memory * (1 - memory ** length) / (1 - memory) ** 2 / length) / length;
}
