/** The noise of a series with a memory, against what is known of AR(1) noise. */
import assert from "node:assert/strict";
import { differenceError, meanVariance, wanderOf, withoutStep } from "../../../../steps/diagnoses/view/wander.ts";
import { type Noise, series } from "../../../bench/false_alarms/simulated.ts";

const SEEDS = 80;

/** Variance of the difference of the means of the first and the last sixth of an AR(1) of variance 1, by its covariances. */
function truth(memory: number, count: number): number {
  const part = Math.floor(count / 6), weight = (at: number) => at < part ? -1 : at >= count - part ? 1 : 0;
  let variance = 0;
  for (let one = 0; one < count; one++) {
    if (weight(one) === 0) continue;
    for (let other = 0; other < count; other++) {
      if (weight(other) !== 0) variance += weight(one) * weight(other) * memory ** Math.abs(one - other) / part ** 2;
    }
  }
  return variance;
}

/** Root of the mean estimated variance over seeds, in units of the truth. */
function ratio(noise: Noise, count: number, curve: (at: number) => number = () => 0): number {
  const part = Math.floor(count / 6);
  let sum = 0;
  for (let seed = 1; seed <= SEEDS; seed++) {
    const values = series(noise, count, seed, "wander test").map((value, at) => value + curve(at / count));
    sum += differenceError(wanderOf(values), part, part, count - 2 * part) ** 2;
  }
  return Math.sqrt(sum / SEEDS / truth(noise.memory, count));
}

/** Of a series of fewer than five memories (1 / (1 - p) values each) no more than half is seen; of none three times as much. */
for (const memory of [0, 0.5, 0.9, 0.95, 0.98]) {
  for (const count of [40, 60, 100, 150, 300, 1000]) {
    Deno.test(`differenceError() of ${count} values of memory ${memory} is about the truth`, () => {
      const found = ratio({ kind: "normal", memory }, count), isSeen = count * (1 - memory) >= 5;
      assert(found > (isSeen ? 0.75 : 0.4) && found < 3.2, String(found));
    });
  }
}

Deno.test("differenceError() sees neither a line nor a fall that is over soon", () => {
  for (const memory of [0, 0.9]) {
    const noise = { kind: "normal", memory } as const, plain = ratio(noise, 300);
    const line = ratio(noise, 300, (at) => 20 * at),
      fall = ratio(noise, 300, (at) => -6 / (1 + Math.exp(-40 * (at - 0.6))));
    assert(Math.abs(line / plain - 1) < 1e-6, String(line / plain));
    assert(fall / plain < 1.7, String(fall / plain));
  }
});

Deno.test("differenceError() of white noise is that of two means, of a constant 0", () => {
  const white = wanderOf(series({ kind: "normal", memory: 0 }, 300, 3, "wander test"));
  const error = differenceError(white, 50, 50, 200);
  assert(error > 0.15 && error < 0.3, String(error));
  assert.equal(differenceError(wanderOf(Array(40).fill(2)), 6, 6, 28), 0);
});

Deno.test("a longer mean, and one that is nearer, is more certain", () => {
  const wander = wanderOf(series({ kind: "normal", memory: 0.95 }, 300, 5, "wander test"));
  assert(meanVariance(wander, 4, 100) > meanVariance(wander, 64, 100));
  assert(meanVariance(wander, 8, 5) < 0.8 * meanVariance(wander, 8, 200));
});

Deno.test("values that are mostly one have the variance of all, and no memory", () => {
  const { models } = wanderOf(Array.from({ length: 100 }, (_, at) => at === 50 ? 1 : 0));
  // Second differences 1, -2, 1 among 98: 6 / 98 / 6.
  assert.deepEqual(models.map(({ slow, memory }) => [slow, memory]), [[0, 0]]);
  assert(Math.abs(models[0]!.white - 1 / 98) < 1e-12);
});

Deno.test("withoutStep() takes out the one step that explains most, and leaves the rest", () => {
  assert.deepEqual(withoutStep([0, 0, 0, 1, 1, 1]), [0, 0, 0, 0, 0, 0]);
  assert.deepEqual(withoutStep([1, 1, 1]), [1, 1, 1]);
});

Deno.test("differenceError() of noise whose memory is known is the sum of its covariances, for any length and distance", () => {
  for (const memory of [0.3, 0.9, 0.99]) {
    const wander = { per: 1, models: [{ weight: 1, slow: 2, white: 0.5, memory }] };
    for (const [length, apart] of [[4, 1], [8, 5], [25, 60]] as const) {
      // Means of `length` values each, the nearest of which are `apart`.
      const places = Array.from({ length }, (_, i) => [[i, -1], [length - 1 + apart + i, 1]] as const).flat();
      let variance = 2 * 0.5 / length;
      for (const [one, sign] of places) {
        for (const [other, of] of places) variance += 2 * sign * of * memory ** Math.abs(one - other) / length ** 2;
      }
      assert(
        Math.abs(differenceError(wander, length, length, apart) ** 2 / variance - 1) < 1e-9,
        `${memory} ${length}`,
      );
    }
  }
});

Deno.test("differenceError() of means of unequal lengths is that of the whole covariance", () => {
  const memory = 0.9, wander = { per: 1, models: [{ weight: 1, slow: 1, white: 0, memory }] };
  for (const [one, other, apart] of [[1, 32, 1], [4, 32, 8], [16, 2, 3]] as const) {
    const weights = [
      ...Array(one).fill(1 / one),
      ...Array(apart - 1).fill(0),
      ...Array(other).fill(-1 / other),
    ];
    const variance = weights.reduce(
      (sum, a, i) => sum + weights.reduce((part, b, j) => part + a * b * memory ** Math.abs(i - j), 0),
      0,
    );
    assert(
      Math.abs(differenceError(wander, one, other, apart) / Math.sqrt(variance) - 1) < 1e-9,
      `${one} ${other} ${apart}`,
    );
  }
});
