/** Codes of moments against a computation of their own in float64. */
import assert from "node:assert/strict";
import {
  BLOCK,
  CODES,
  decoded,
  ditherRamp,
  ditherShift,
  encoded,
  type Moment,
  paddedSize,
} from "../../../gpu/optimizers/block_codes.ts";
import { Graph } from "../../../gpu/onnx/graph.ts";
import { floats, runGraph } from "../run_graph.ts";

const SIZE = 700, PADDED = 768;

/** What a number becomes when it is stored and read again, and its code and scale. */
async function stored(values: readonly number[], moment: Moment, dither: readonly number[]) {
  const graph = new Graph(), x = graph.input("x", { dtype: "float32", shape: [SIZE] });
  const told = encoded(x, moment, graph.input("dither", { dtype: "float32", shape: [PADDED] }));
  graph.output("codes", told.codes);
  graph.output("scales", told.scales);
  graph.output("back", decoded(told, moment, SIZE));
  const fed = { x: floats([SIZE], values), dither: floats([PADDED], dither) };
  return await runGraph(graph, fed, { codes: [PADDED], scales: [PADDED / BLOCK], back: [SIZE] });
}

/** Over fourteen orders of magnitude; the second block is 0, the third small. */
function numbers(moment: Moment): number[] {
  return Array.from({ length: SIZE }, (_, i) => {
    if (i >= BLOCK && i < 2 * BLOCK) return 0;
    const size = 10 ** (-14 * ((i * 0.377) % 1)) * (i < BLOCK ? 3 : 1e-9);
    return moment === "m" && i % 2 ? -size : size;
  }).map(Math.fround);
}
const even = (value: number) => Array<number>(PADDED).fill(value);

/** The codes of a moment by their definition, as shares of the scale: 0 and a geometric row up to 1. */
function shares(moment: Moment): number[] {
  const { steps, decades } = CODES[moment];
  return [0, ...Array.from({ length: steps }, (_, k) => 10 ** (-decades * (1 - k / (steps - 1))))];
}

for (const moment of ["m", "v"] as const) {
  Deno.test(`encoded() takes one of the two codes of ${moment} beside a number, and decoded() reads it`, async () => {
    const values = numbers(moment), { zero } = CODES[moment], all = shares(moment), seen = new Set<boolean>();
    for (const dither of [0, 0.3, 0.999]) {
      const { codes, scales, back } = await stored(values, moment, even(dither));
      for (const [i, x] of values.entries()) {
        const block = Math.floor(i / BLOCK), own = values.slice(block * BLOCK, (block + 1) * BLOCK);
        const scale = Math.max(...own.map(Math.abs)), share = scale === 0 ? 0 : Math.abs(x) / scale;
        assert.equal(scales![block], scale);
        const low = all.findLastIndex((code) => code <= share * (1 + 1e-5)), code = Math.abs(codes![i]! - zero);
        const isOn = Math.abs(all[low]! - share) <= 1e-4 * share, high = isOn ? low : low + 1;
        const chance = isOn ? 0 : (share - all[low]!) / (all[high]! - all[low]!);
        const least = moment === "v" && x > 0 ? 1 : 0;
        assert(
          [low, high].map((place) => Math.max(place, least)).includes(code),
          `${x}: ${code}, want ${low} or ${high}`,
        );
        if (!isOn && Math.abs(chance - dither) > 1e-2 && low >= least) {
          assert.equal(code, dither < chance ? high : low, `${x}`);
          seen.add(dither < chance);
        }
        const read = Math.sign(x) * all[code]! * scale;
        assert(Math.abs(back![i]! - read) <= 1e-4 * Math.abs(read), `${back![i]}, want ${read}`);
        if (moment === "v" && x > 0) assert(back![i]! > 0, "what divides is not 0");
        if (share === 1) assert.equal(back![i], x, "the largest is exact");
      }
    }
    assert.equal(seen.size, 2);
  });
}

Deno.test("the mean over updates is the number itself, between codes and below the first: nothing stays or grows", async () => {
  const ramp = ditherRamp(PADDED), sums = new Float64Array(SIZE), updates = 256;
  const x = Array.from({ length: SIZE }, (_, i) => [1, 0.3, -0.017, 5e-8][i % BLOCK % 4]!);
  for (let t = 1; t <= updates; t++) {
    const { back } = await stored(x, "m", Array.from(ramp, (r) => (r + ditherShift(t)) % 1));
    back!.forEach((value, i) => sums[i]! += value / updates);
  }
  sums.forEach((mean, i) => assert(Math.abs(mean - x[i]!) < 0.02 * Math.abs(x[i]!), `${i}: ${mean}, want ${x[i]}`));
});

Deno.test("paddedSize() is whole blocks; a dither is in [0, 1)", () => {
  assert.deepEqual([1, 256, 257].map(paddedSize), [256, 256, 512]);
  assert(ditherRamp(1000).every((r) => r >= 0 && r < 1));
  assert(Array.from({ length: 1000 }, (_, t) => ditherShift(t)).every((r) => r >= 0 && r < 1));
});
