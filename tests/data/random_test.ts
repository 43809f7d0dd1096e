/** Known answers, key independence and distribution of the generator. @module */
import assert from "node:assert/strict";
import { integer, integers, normals, philox, shuffle, streamKey, uniform } from "../../data/random.ts";

const hex = (words: Uint32Array) => [...words].map((word) => word.toString(16).padStart(8, "0")).join(" ");

Deno.test("philox() gives the known answers of random123 for philox4x32-10", () => {
  const out = new Uint32Array(4);
  assert.equal(hex(philox(0, 0, 0, 0, 0, 0, out)), "6627e8d5 e169c58d bc57ac4c 9b00dbd8");
  const f = 0xffffffff;
  assert.equal(hex(philox(f, f, f, f, f, f, out)), "408f276d 41c83b0e a20bc7c6 6d5451fd");
  assert.equal(
    hex(philox(0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344, 0xa4093822, 0x299f31d0, out)),
    "d16cfe09 94fdcceb 5001e420 24126ea1",
  );
});

Deno.test("uniform() depends on each part of its key and on nothing else", () => {
  const draw = uniform(7, "sampler", 3, 5, 2);
  uniform(1, "other", 1, 1, 1);
  assert.equal(uniform(7, "sampler", 3, 5, 2), draw);
  const others = [
    uniform(8, "sampler", 3, 5, 2),
    uniform(7 + 2 ** 32, "sampler", 3, 5, 2),
    uniform(7, "shuffle", 3, 5, 2),
    uniform(7, "sampler", 4, 5, 2),
    uniform(7, "sampler", 3, 6, 2),
    uniform(7, "sampler", 3, 5, 3),
    uniform(7, "sampler", 3, 5, 6),
  ];
  assert.equal(new Set([draw, ...others]).size, others.length + 1);
});

Deno.test("uniform draws lie in [0, 1), survive float32, fill 64 bins evenly and are not correlated", () => {
  const count = 64 * 2048;
  const draws = Float64Array.from({ length: count }, (_, i) => uniform(1, "uniformity", 0, 0, i));
  const bins = new Array<number>(64).fill(0);
  let lag = 0;
  for (let i = 0; i < count; i++) {
    const draw = draws[i]!;
    assert.ok(draw >= 0 && draw < 1 && Math.fround(draw) === draw);
    bins[Math.floor(draw * 64)]!++;
    lag += (draw - 0.5) * (draws[(i + 1) % count]! - 0.5);
  }
  const chi2 = bins.reduce((sum, n) => sum + (n - 2048) ** 2 / 2048, 0);
  assert.ok(chi2 > 28 && chi2 < 114, `chi2 with 63 degrees of freedom is ${chi2}`); // 4.5 sigma on both sides
  assert.ok(Math.abs(lag / count) < (4.5 / 12) / Math.sqrt(count), `lag 1 covariance ${lag / count}`);
});

Deno.test("neighbouring rows, train steps and seeds are uncorrelated", () => {
  const n = 4096;
  const keys: Record<string, (i: number) => number> = {
    row: (i) => uniform(1, "s", 1, i, 0),
    trainStep: (i) => uniform(1, "s", i, 1, 0),
    seed: (i) => uniform(i, "s", 1, 1, 0),
    stream: (i) => uniform(1, `s${i}`, 1, 1, 0),
  };
  for (const [name, draw] of Object.entries(keys)) {
    let sum = 0, lag = 0;
    for (let i = 0; i < n; i++) {
      sum += draw(i);
      lag += (draw(i) - 0.5) * (draw(i + 1) - 0.5);
    }
    assert.ok(Math.abs(sum / n - 0.5) < 4.5 * Math.sqrt(1 / 12 / n), `mean over ${name}: ${sum / n}`);
    assert.ok(Math.abs(lag / n) < (4.5 / 12) / Math.sqrt(n), `covariance over ${name}: ${lag / n}`);
  }
});

Deno.test("normals() have mean 0, variance 1, kurtosis 3 and do not depend on the count", () => {
  const n = 100_000;
  const draws = normals(3, "initial", n);
  let mean = 0, square = 0, fourth = 0;
  for (const x of draws) {
    assert.ok(Number.isFinite(x));
    mean += x / n;
    square += x * x / n;
    fourth += x ** 4 / n;
  }
  assert.ok(Math.abs(mean) < 4.5 / Math.sqrt(n));
  assert.ok(Math.abs(square - 1) < 4.5 * Math.sqrt(2 / n));
  assert.ok(Math.abs(fourth - 3) < 4.5 * Math.sqrt(96 / n));
  assert.deepEqual([...normals(3, "initial", 7)], [...draws.subarray(0, 7)]);
});

Deno.test("integer() covers its range evenly, refuses a bad bound and a bad seed", () => {
  const counts = new Array<number>(7).fill(0);
  for (const value of integers(5, "dice", 0, 0, 7000, 7)) counts[value]!++;
  const chi2 = counts.reduce((sum, n) => sum + (n - 1000) ** 2 / 1000, 0);
  assert.ok(chi2 < 28, `chi2 with 6 degrees of freedom is ${chi2}`);
  assert.throws(() => integer(5, "dice", 0, 0, 0, 0), /want a bound of at least 1/);
  assert.throws(() => uniform(-1, "dice", 0, 0, 0), /Cannot draw with seed -1/);
  assert.throws(() => uniform(0.5, "dice", 0, 0, 0), RangeError);
  assert.throws(() => uniform(1, "dice", -1, 0, 0), /train step -1/);
});

Deno.test("shuffle() is a permutation, every order of three equally likely", () => {
  const items = Array.from({ length: 50 }, (_, i) => i);
  const shuffled = shuffle(items, 7, "shuffle", 2);
  assert.deepEqual([...shuffled].sort((a, b) => a - b), items);
  assert.notDeepEqual(shuffled, items);
  assert.deepEqual(shuffle(items, 7, "shuffle", 2), shuffled);
  const orders = new Map<string, number>();
  for (let i = 0; i < 3000; i++) {
    const key = shuffle([0, 1, 2], 7, "orders", i).join("");
    orders.set(key, (orders.get(key) ?? 0) + 1);
  }
  assert.equal(orders.size, 6);
  for (const [order, n] of orders) assert.ok(Math.abs(n - 500) < 4.5 * Math.sqrt(3000 * 5 / 36), `${order}: ${n}`);
});

Deno.test("streamKey() is stable across versions: stored runs depend on it", () => {
  assert.equal(streamKey("sampler"), streamKey("sampler"));
  assert.notEqual(streamKey("sampler"), streamKey("samples"));
  assert.deepEqual([uniform(7, "sampler", 1, 0, 0), streamKey("sampler")], [0.6038137674331665, 1208247322]);
});
