import assert from "node:assert/strict";
import { uniform } from "../../../../data/random.ts";
import {
  beginsAt,
  biggestFall,
  fallBeside,
  fallsAmong,
  isBeyondChance,
  neighbourVariance,
  scatterVariance,
  shareVariance,
} from "../../../../steps/diagnoses/view/falls.ts";
import { series } from "../../../bench/false_alarms/simulated.ts";

Deno.test("biggestFall() of two scores is the two-proportion z", () => {
  // 100 of 200 against 60 of 200: p 0.4 pooled, standard error sqrt(0.4 0.6 2 / 200) = 0.04899.
  const fall = biggestFall([0.5, 0.3], shareVariance(200), 1)!;
  assert.deepEqual([fall.best, fall.end, fall.bestAt, fall.compared], [0.5, 0.3, 0, 1]);
  assert(Math.abs(fall.sigma - 0.2 / Math.sqrt(0.4 * 0.6 * 2 / 200)) < 1e-9);
  assert(isBeyondChance(fall, 4) && !isBeyondChance(fall, 4.1));
});

Deno.test("biggestFall() is null where the end is the best, and takes no single value for an end", () => {
  assert.equal(biggestFall([0.2, 0.5, 0.9], shareVariance(64), 1), null);
  assert.equal(biggestFall([0.5], shareVariance(64), 1), null);
  const last = biggestFall([0.8, 0.8, 0.8, 0.8, 0.8, 0.2], shareVariance(64), 2)!;
  assert.equal(last.end, 0.5);
});

Deno.test("biggestFall() does not take a dip for an end", () => {
  const fall = biggestFall([0.8, 0.8, 0.8, 0.8, 0.1, 0.1, 0.8, 0.8], shareVariance(64), 2);
  assert(fall === null || fall.best - fall.end < 1e-9, JSON.stringify(fall));
});

Deno.test("isBeyondChance() at 3 is wrong about fewer than 1 in 200 runs of nothing but chance", () => {
  let wrong = 0;
  const [prompts, records, runs] = [40, 30, 1000];
  for (let run = 0; run < runs; run++) {
    const values = Array.from({ length: records }, (_, record) => {
      let solved = 0;
      for (let i = 0; i < prompts; i++) if (uniform(5, "falls", run, record, i) < 0.3) solved++;
      return solved / prompts;
    });
    const fall = biggestFall(values, shareVariance(prompts), 2);
    if (fall !== null && isBeyondChance(fall, 3)) wrong++;
  }
  assert(wrong < runs / 200, `${wrong} of ${runs}`);
});

Deno.test("shareVariance() of none solved is no certainty", () => {
  assert(shareVariance(16)(0, 1) > 0);
  assert(Math.abs(shareVariance(100)(0.5, 4) - 0.25 / 400) < 1e-12);
});

Deno.test("neighbourVariance() is that of white noise, and a trend hardly moves it", () => {
  const noise = Array.from({ length: 2000 }, (_, i) => uniform(7, "noise", 0, i, 0));
  const variance = neighbourVariance(noise)(0, 1, 1000);
  assert(Math.abs(variance - 1 / 12) < 0.01, `${variance}`);
  const rising = neighbourVariance(noise.map((value, i) => value + i / 100))(0, 1, 1000);
  assert(Math.abs(rising - variance) < 0.01);
});

Deno.test("neighbourVariance() of a smoothed curve is that of its means, which neither a trend nor a fall moves", () => {
  const noise = (i: number) => uniform(17, "smooth", 0, i, 0) - 0.5;
  let level = 0;
  const smooth = Array.from({ length: 400 }, (_, i) => level = 0.6 * level + 0.4 * noise(i));
  // The long-run variance of the mean is that of the noise itself, 1/12; neighbours show a tenth of it.
  const near = (values: readonly number[]) => {
    const variance = 12 * 32 * neighbourVariance(values)(0, 32, 100);
    assert(variance > 0.5 && variance < 2.5, String(variance));
  };
  near(smooth);
  near(smooth.map((value, i) => value + i / 100));
  near(smooth.map((value, i) => value - (i < 200 ? 0 : 5)));
});

Deno.test("beginsAt() is the last value at which less than a quarter of the way down is gone", () => {
  const values = Array.from({ length: 20 }, (_, i) => i < 10 ? 1 : 1 - (i - 9) / 10);
  assert.equal(beginsAt(values, { best: 1, bestAt: 9, end: 0, sigma: 9, compared: 1 }, 1), 11, "0.8, before 0.7");
});

Deno.test("scatterVariance() takes others that stand together for another level, not for events", () => {
  const level = Array.from({ length: 20 }, (_, i) => i < 15 ? 0 : 1), events = level.map((_, i) => i % 4 === 3 ? 1 : 0);
  // One step among 19 neighbours: 1 / 2 / 19, of a mean of four a quarter of it.
  assert(Math.abs(scatterVariance(level)(0.5, 4, 8) - 1 / 2 / 19 / 4) < 1e-12);
  // Events of size 1 at a rate of one half: 0.5 / 4.
  assert.equal(scatterVariance(events)(0.5, 4, 8), 0.125);
});

Deno.test("fallBeside() wants a quarter of the best level lost, beyond the scatter of neighbours, by two evaluations", () => {
  const of = (to: number, noise = 0.01, count = 4) =>
    fallBeside(Array.from({ length: 12 }, (_, i) => (i < 12 - count ? 0.6 : to) + noise * (-1) ** i));
  assert.deepEqual([0.47, 0.43].map((to) => of(to) !== null), [false, true]);
  assert.equal(of(0.43, 0.15), null, "within the scatter");
  assert.equal(of(0.3, 0.01, 1), null, "one alone");
});

Deno.test("fallBeside() is seldom told of a score that wanders with a memory of 0.8", () => {
  const alarms = Array.from(
    { length: 300 },
    (_, seed) =>
      fallBeside(series({ kind: "normal", memory: 0.8 }, 20, seed + 1, "few").map((draw) => 0.4 + 0.04 * draw)),
  );
  assert(
    alarms.filter((fall) => fall !== null).length <= 15,
    `${alarms.filter((fall) => fall !== null).length} of 300`,
  );
});

Deno.test("fallsAmong() is seldom told of one of 57 sets of 100 prompts each that nothing happens to", () => {
  let row = 0;
  const draw = () => uniform(11, "sets", 1, row++, 0);
  const share = () =>
    Array.from({ length: 100 }, () => draw() < 0.5 ? 1 : 0).reduce<number>((sum, one) => sum + one, 0) / 100;
  const runs = Array.from({ length: 60 }, () => Array.from({ length: 57 }, () => Array.from({ length: 8 }, share)));
  const fell = runs.filter((sets) => sets.some((values) => fallsAmong(values, sets.length)));
  assert(fell.length <= 9, `${fell.length} of 60`);
  assert.equal(fallsAmong([0.5, 0.52, 0.48, 0.5, 0.3, 0.29, 0.31, 0.3], 57), true);
});
