/**
 * The only source of random numbers: every draw is a function of its key (seed, stream, train step, row, index).
 *
 * Nothing is advanced and nothing is remembered, so a draw is the same whatever the batch, the order or a resume.
 * The function is Philox 4x32-10 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC 2011; constants
 * and known answers from DEShawResearch/random123): counter = (index / 4, row, train step, upper bits of the seed),
 * key = (lower bits of the seed, hash of the stream's name).
 * @module
 */

const M0 = 0xd2511f53;
const M1 = 0xcd9e8d57;
const W0 = 0x9e3779b9;
const W1 = 0xbb67ae85;
const TWO_POW_MINUS_24 = 2 ** -24;
const TWO_POW_MINUS_32 = 2 ** -32;
const TWO_POW_32 = 2 ** 32;

/** The four words of the block that was computed last. */
const BLOCK = new Uint32Array(4);

/** One Philox 4x32-10 block: counter c0..c3, key k0 k1, all uint32; the result is in `out` [4]. */
export function philox(
  c0: number,
  c1: number,
  c2: number,
  c3: number,
  k0: number,
  k1: number,
  out: Uint32Array = BLOCK,
): Uint32Array {
  for (let round = 0; round < 10; round++) {
    // 32 x 32 -> 64 bit products, the high word by 16-bit halves (no BigInt: this loop is the cost of every draw).
    const a = c0 & 0xffff, b = c0 >>> 16;
    const low0 = Math.imul(c0, M0);
    let t = Math.imul(a, M0 & 0xffff) >>> 0;
    let u = (b * (M0 & 0xffff)) + (t >>> 16);
    let v = (a * (M0 >>> 16)) + (u % 0x10000);
    const high0 = (b * (M0 >>> 16)) + Math.floor(u / 0x10000) + Math.floor(v / 0x10000);
    const c = c2 & 0xffff, d = c2 >>> 16;
    const low1 = Math.imul(c2, M1);
    t = Math.imul(c, M1 & 0xffff) >>> 0;
    u = (d * (M1 & 0xffff)) + (t >>> 16);
    v = (c * (M1 >>> 16)) + (u % 0x10000);
    const high1 = (d * (M1 >>> 16)) + Math.floor(u / 0x10000) + Math.floor(v / 0x10000);
    c0 = high1 ^ c1 ^ k0;
    c1 = low1;
    c2 = high0 ^ c3 ^ k1;
    c3 = low0;
    k0 = (k0 + W0) | 0;
    k1 = (k1 + W1) | 0;
  }
  out[0] = c0;
  out[1] = c1;
  out[2] = c2;
  out[3] = c3;
  return out;
}

const STREAMS = new Map<string, number>();

/** The number of a named stream: FNV-1a over UTF-16 units with murmur3's finaliser, uint32. */
export function streamKey(stream: string): number {
  const known = STREAMS.get(stream);
  if (known !== undefined) return known;
  let hash = 0x811c9dc5;
  for (let i = 0; i < stream.length; i++) {
    const unit = stream.charCodeAt(i);
    hash = Math.imul(hash ^ (unit & 0xff), 0x01000193);
    hash = Math.imul(hash ^ (unit >>> 8), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  hash = (hash ^ (hash >>> 16)) >>> 0;
  STREAMS.set(stream, hash);
  return hash;
}

function checkKey(seed: number, trainStep: number, row: number, index: number): void {
  if (!Number.isSafeInteger(seed) || seed < 0) {
    throw new RangeError(`Cannot draw with seed ${seed}: want an integer from 0 to 2^53 - 1`);
  }
  if (!(trainStep >= 0 && trainStep < TWO_POW_32 && row >= 0 && row < TWO_POW_32 && index >= 0)) {
    throw new RangeError(
      `Cannot draw at train step ${trainStep}, row ${row}, index ${index}: want numbers from 0 to 2^32 - 1`,
    );
  }
}

/**
 * One uniform draw in [0, 1): a multiple of 2^-24, so float32 holds it exactly and never rounds it to 1.
 *
 * seed       integer, 0 to 2^53 - 1
 * stream     who draws, e.g. "sampler", "shuffle"; different names are independent
 * trainStep, row, index   integers; the place of the draw
 */
export function uniform(seed: number, stream: string, trainStep: number, row: number, index: number): number {
  checkKey(seed, trainStep, row, index);
  philox(index >>> 2, row, trainStep, Math.floor(seed / TWO_POW_32), seed >>> 0, streamKey(stream));
  return (BLOCK[index & 3]! >>> 8) * TWO_POW_MINUS_24;
}

/** `count` words of 32 random bits from the block `first` on, four a block; uint32 [count]. */
export function philoxWords(
  seed: number,
  stream: string,
  trainStep: number,
  row: number,
  first: number,
  count: number,
): Uint32Array {
  checkKey(seed, trainStep, row, first);
  const high = Math.floor(seed / TWO_POW_32), low = seed >>> 0, key = streamKey(stream);
  const out = new Uint32Array(count);
  for (let i = 0; i < count; i += 4) {
    philox(first + (i >>> 2), row, trainStep, high, low, key);
    for (let lane = 0; lane < 4 && i + lane < count; lane++) out[i + lane] = BLOCK[lane]!;
  }
  return out;
}

/** `count` draws from the standard normal distribution, float32 [count] (Box-Muller, 32-bit uniforms). */
export function normals(seed: number, stream: string, count: number, trainStep = 0, row = 0): Float32Array {
  checkKey(seed, trainStep, row, count);
  const high = Math.floor(seed / TWO_POW_32), low = seed >>> 0, key = streamKey(stream);
  const out = new Float32Array(count);
  for (let i = 0; i < count; i += 4) {
    philox(i >>> 2, row, trainStep, high, low, key);
    for (let pair = 0; pair < 4; pair += 2) {
      // (word + 1/2) / 2^32 lies inside (0, 1): the logarithm is finite.
      const radius = Math.sqrt(-2 * Math.log((BLOCK[pair]! + 0.5) * TWO_POW_MINUS_32));
      const angle = 2 * Math.PI * (BLOCK[pair + 1]! * TWO_POW_MINUS_32);
      if (i + pair < count) out[i + pair] = radius * Math.cos(angle);
      if (i + pair + 1 < count) out[i + pair + 1] = radius * Math.sin(angle);
    }
  }
  return out;
}

/** One integer from 0 to bound - 1, from 53 bits (bias below bound x 2^-53). */
export function integer(
  seed: number,
  stream: string,
  trainStep: number,
  row: number,
  index: number,
  bound: number,
): number {
  if (!Number.isSafeInteger(bound) || bound < 1) {
    throw new RangeError(`Cannot draw an integer below ${bound}: want a bound of at least 1`);
  }
  checkKey(seed, trainStep, row, index);
  philox(index >>> 1, row, trainStep, Math.floor(seed / TWO_POW_32), seed >>> 0, streamKey(stream));
  const lane = (index & 1) * 2;
  const fraction = ((BLOCK[lane]! >>> 5) * 2 ** 26 + (BLOCK[lane + 1]! >>> 6)) * 2 ** -53;
  return Math.floor(fraction * bound);
}

/** `count` integers from 0 to bound - 1, in the order of their index. */
export function integers(
  seed: number,
  stream: string,
  trainStep: number,
  row: number,
  count: number,
  bound: number,
): number[] {
  return Array.from({ length: count }, (_, index) => integer(seed, stream, trainStep, row, index, bound));
}

/** A shuffled copy of `items` (Fisher-Yates, from the end). */
export function shuffle<Item>(
  items: readonly Item[],
  seed: number,
  stream: string,
  trainStep = 0,
  row = 0,
): Item[] {
  const out = [...items];
  for (let i = out.length - 1; i > 0; i--) {
    const j = integer(seed, stream, trainStep, row, i, i + 1);
    const item = out[i]!;
    out[i] = out[j]!;
    out[j] = item;
  }
  return out;
}
