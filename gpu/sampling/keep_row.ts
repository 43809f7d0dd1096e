/**
 * Which tokens of a row top-k, top-p and min-p leave, found by selection: nothing is sorted, the time grows with the row alone.
 *
 * Both filters cut the row, in the order of scores, where what lies below weighs so much: a token each for top-k, its
 * probability for top-p. The cut is found digit by digit of the scores' bits (radix selection), with the sum below it.
 * @module
 */
import { SLACK } from "./filters.ts";

/** The neutral value of each switches it off. */
export interface Filters {
  /** 0 = off. */
  readonly topK: number;
  /** 1 = off. */
  readonly topP: number;
  /** 0 = off. */
  readonly minP: number;
}

/** Bits of a score, from the highest, that one look at the candidates decides: few sums, so that small rows cost little. */
const DIGITS = [11, 11, 10] as const;
/** Numbers of a block whose largest stands for it when the k-th largest of a row is bounded from below. */
const BLOCK = 64;

const sums = new Float64Array(2 ** 11);
let kept = new Float32Array(64), largest = new Float32Array(64);
/** Places of a row under consideration, in their order, with the bits of their scores, ordered as the scores are. */
let candidates = new Int32Array(64), keys = new Uint32Array(64);

/** A lower end of a row, in the order of scores: how many candidates are left, all with that score, and what weighs less. */
interface Cut {
  readonly ties: number;
  readonly below: number;
}

/**
 * The probabilities of tokens that may be drawn, 0 for the others: a view that the next call overwrites.
 *
 * scores         float32 [rows · size], of which row `row` is read: what the filters order by
 * probabilities  float32 [rows · size], softmax(scores)
 *
 * top-k keeps the k largest scores and every tie of the k-th. top-p keeps, of those, the smallest set that reaches it, of
 * equal scores the first, at least one token (`topPKeeps`); min-p, of those, what is at least so many times as likely as the
 * likeliest. A row that is not finite is given back as it is.
 */
export function keepRow(
  scores: Float32Array,
  probabilities: Float32Array,
  row: number,
  size: number,
  { topK, topP, minP }: Filters,
): Float32Array {
  const s = scores.subarray(row * size, (row + 1) * size), p = probabilities.subarray(row * size, (row + 1) * size);
  if (Number.isNaN(p[0])) return p;
  let least = -Infinity, lastTie = size;
  if (topK > 0 && topK < size) least = kthLargest(s, topK);
  if (topP < 1) {
    const total = least === -Infinity ? sumOf(p) : sumAbove(s, p, least), limit = (1 - topP + SLACK) * total;
    // What is less likely than this is below the cut, all of it together.
    const count = consider(s, p, least, Math.min(limit / size, largestOf(p)));
    let { ties, below } = cut(count, limit, p, total - sumOfCandidates(p, count));
    while (ties > 1 && below + p[candidates[ties - 1]!]! <= limit) below += p[candidates[--ties]!]!;
    lastTie = candidates[ties - 1]!;
    least = s[lastTie]!;
  }
  return masked(s, p, { least, lastTie, likely: minP > 0 ? Math.fround(largestOf(p) * Math.fround(minP)) : 0 });
}

/** Four sums at a time: one would wait for itself. */
function sumOf(p: Float32Array): number {
  let a = 0, b = 0, c = 0, d = 0, i = 0;
  for (; i + 3 < p.length; i += 4) {
    a += p[i]!;
    b += p[i + 1]!;
    c += p[i + 2]!;
    d += p[i + 3]!;
  }
  for (; i < p.length; i++) a += p[i]!;
  return a + b + (c + d);
}

function sumAbove(scores: Float32Array, p: Float32Array, least: number): number {
  let sum = 0;
  for (let i = 0; i < p.length; i++) if (scores[i]! >= least) sum += p[i]!;
  return sum;
}

function sumOfCandidates(p: Float32Array, count: number): number {
  let sum = 0;
  for (let j = 0; j < count; j++) sum += p[candidates[j]!]!;
  return sum;
}

function largestOf(row: Float32Array, from = 0, to = row.length): number {
  let most = row[from]!;
  for (let i = from + 1; i < to; i++) if (row[i]! > most) most = row[i]!;
  return most;
}

/** The k-th largest score. The k-th largest of blocks' largest is not above it: what lies below that is no candidate. */
function kthLargest(scores: Float32Array, k: number): number {
  const { length } = scores, blocks = Math.ceil(length / BLOCK);
  let bound = -Infinity;
  if (k < blocks) {
    if (largest.length < blocks) largest = new Float32Array(blocks);
    const all = largest.subarray(0, blocks);
    for (let i = 0; i < blocks; i++) all[i] = largestOf(scores, i * BLOCK, Math.min(length, (i + 1) * BLOCK));
    cut(consider(all, all, -Infinity, -Infinity), blocks - k, null);
    bound = all[candidates[0]!]!;
  }
  const count = consider(scores, scores, bound, -Infinity);
  cut(count, count - k, null);
  return scores[candidates[0]!]!;
}

/** Makes candidates of the places with such a score and probability; returns how many there are. -0 counts as 0. */
function consider(scores: Float32Array, p: Float32Array, least: number, likely: number): number {
  const { length } = scores, bits = new Int32Array(scores.buffer, scores.byteOffset, length);
  if (keys.length < length) [keys, candidates] = [new Uint32Array(length), new Int32Array(length)];
  let count = 0;
  for (let i = 0; i < length; i++) {
    if (!(scores[i]! >= least && p[i]! >= likely)) continue;
    const b = bits[i]!;
    keys[count] = b >= 0 ? b ^ -0x80000000 : b === -0x80000000 ? b : ~b;
    candidates[count++] = i;
  }
  return count;
}

/**
 * The lowest score at which the candidates up to it weigh more than `limit`, or the highest score where none do. Leaves those
 * that have it as candidates, in their order; a candidate weighs 1 where there are no weights. What is lower than all
 * candidates weighs `below`.
 */
function cut(count: number, limit: number, weights: Float32Array | null, below = 0): Cut {
  let ties = count, shift = 32;
  for (const bits of DIGITS) {
    shift -= bits;
    const mask = 2 ** bits - 1;
    sums.fill(0);
    let highest = 0;
    for (let j = 0; j < ties; j++) {
      const digit = keys[j]! >>> shift & mask;
      sums[digit]! += weights === null ? 1 : weights[candidates[j]!]!;
      if (digit > highest) highest = digit;
    }
    let digit = 0, left = 0;
    while (digit < highest && below + sums[digit]! <= limit) below += sums[digit++]!;
    for (let j = 0; j < ties; j++) {
      if ((keys[j]! >>> shift & mask) !== digit) continue;
      candidates[left] = candidates[j]!;
      keys[left++] = keys[j]!;
    }
    ties = left;
  }
  return { ties, below };
}

/** What a token must have: a higher score than `least`, or that score up to place `lastTie`; and to be so likely. */
interface Bounds {
  readonly least: number;
  readonly lastTie: number;
  readonly likely: number;
}

function masked(scores: Float32Array, probabilities: Float32Array, { least, lastTie, likely }: Bounds): Float32Array {
  const { length } = scores;
  if (kept.length < length) kept = new Float32Array(length);
  for (let i = 0; i < length; i++) {
    const score = scores[i]!, p = probabilities[i]!;
    kept[i] = p >= likely && (score > least || score === least && i <= lastTie) ? p : 0;
  }
  return kept.subarray(0, length);
}
