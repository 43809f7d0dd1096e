/** The rule zero_reward_variance: its fault and its look-alikes. */
import assert from "node:assert/strict";
import { uniform } from "../../../data/random.ts";
import { diagnoseRun } from "../../../steps/diagnoses/diagnose_run.ts";
import { DIAGNOSES } from "../../../steps/diagnoses/mod.ts";
import { between, longRun, noisy } from "./long_run.ts";
import { begins, flat, group, healthyBut, ramp, testRule, viewOf } from "./synthetic.ts";

testRule("zero_reward_variance", {
  fires: {
    "groups that tie at different rewards": healthyBut({
      zero_spread_fraction: flat(0.95),
      grad_norm: flat(0.001),
      reward: ramp(0.4, 0.5),
    }),
    "a run that is at the floor on most records, and solves a prompt now and then": healthyBut({
      zero_spread_fraction: Array.from({ length: 30 }, (_, i) => i % 6 === 5 ? 0.5 : 1),
      reward: Array.from({ length: 30 }, (_, i) => i % 6 === 5 ? 0.06 : 0),
      "reward.accuracy_reward": Array.from({ length: 30 }, (_, i) => i % 6 === 5 ? 0.06 : 0),
      reward_std: Array.from({ length: 30 }, (_, i) => i % 6 === 5 ? 0.2 : 0),
      grad_norm: Array.from({ length: 30 }, (_, i) => i % 6 === 5 ? 0.4 : 2e-6),
    }),
    "one record whose every group ties between floor and maximum": {
      columns: { reward: [3], reward_std: [0], zero_spread_fraction: [1], grad_norm: [0], loss: [0] },
    },
  },
  silent: {
    "single flat records of a small run": healthyBut({ zero_spread_fraction: ramp(0.3, 0.7) }),
    "a batch deviation of 0 that comes with the maximum": healthyBut({
      reward: flat(1),
      "reward.accuracy_reward": flat(1),
      zero_spread_fraction: flat(1),
    }),
  },
});

Deno.test("zero_reward_variance of printed groups alone says their share in percent, and the table of a run of ours", () => {
  const completions = ["a", "b", "c", "d"].flatMap((prompt, i) =>
    group(prompt, ["w", "x", "y", "z"], flat(0.2 + i / 10, 4), { table: "completions", source: null, line: null })
  );
  const found = DIAGNOSES.zero_reward_variance.check(viewOf({ own: true, completions }));
  assert(found !== null && "message" in found, JSON.stringify(found));
  assert.equal(found.message, "In 100 % of the printed groups all completions get the same reward");
  assert.deepEqual(found.evidence.map(({ table, name, value }) => [table, name, value]), [[
    "completions",
    "reward",
    0.2,
  ]]);
});

/** A run of ours whose groups of eight solve a prompt with the chance that a train step has; what the doctor says of it. */
function sparse(chance: (trainStep: number) => number, records: number, prompts: number, seed: number) {
  const steps = Array.from({ length: records }, (_, step) => {
    const right = Array.from(
      { length: prompts },
      (_, prompt) =>
        Array.from({ length: 8 }, (_, i) => uniform(seed, "sparse", step, prompt, i)).filter((u) => u < chance(step))
          .length,
    );
    const reward = right.reduce((sum, count) => sum + count, 0) / (8 * prompts);
    const tied = right.filter((count) => count === 0 || count === 8).length / prompts;
    return { reward, tied, std: Math.sqrt(reward * (1 - reward)) };
  });
  return diagnoseRun(viewOf(healthyBut({
    loss: steps.map(() => 0),
    reward: steps.map(({ reward }) => reward),
    accuracy: steps.map(({ reward }) => reward),
    "reward.accuracy_reward": [],
    reward_std: steps.map(({ std }) => std),
    zero_spread_fraction: steps.map(({ tied }) => tied),
    grad_norm: steps.map(({ tied }) => tied === 1 ? 2e-6 : 0.4),
    entropy: flat(0.5, records),
    ...Object.fromEntries(
      ["kl", "learning_rate", "completion_length", "truncated_fraction", "clip_fraction"].map((name) => [name, []]),
    ),
  }, { own: true, settings: { prompts_per_step: prompts, group_size: 8 } })));
}

const NOTHING_TO_LEARN = ["zero_reward_variance", "all_incorrect_reward_floor"];

const SEEDS = [1, 2, 3, 4, 5, 6];

for (const prompts of [4, 8, 16]) {
  Deno.test(`zero_reward_variance or the floor names ${prompts} prompts a step of which hardly one is ever solved`, () => {
    const dead = SEEDS.map((seed) => sparse(() => 0.006, 100, prompts, seed));
    assert.deepEqual(dead.filter(({ verdict }) => verdict === "benign"), []);
    const named = dead.filter(({ findings }) => NOTHING_TO_LEARN.includes(findings[0]?.cause ?? ""));
    assert(named.length >= SEEDS.length - 1, JSON.stringify(dead.map(({ reasons }) => reasons)));
  });

  Deno.test(`zero_reward_variance is silent on ${prompts} prompts a step of which more and more are solved`, () => {
    // One completion in fifty, twice as many every fifteen train steps.
    const chance = (step: number) => Math.min(0.7, 0.02 * 2 ** (step / 15));
    for (const seed of SEEDS) {
      for (const records of [20, 30, 40, 50, 60]) {
        const { findings } = sparse(chance, records, prompts, seed);
        const said = findings.filter(({ severity }) => severity !== "info");
        assert.deepEqual(said.map(({ message }) => message), [], `seed ${seed}, ${records} train steps`);
      }
    }
  });
}

Deno.test("zero_reward_variance is open on rare rewards in a run of ours that is short", () => {
  const { verdict, missing, reasons } = sparse(() => 0.01, 30, 8, 1);
  assert.deepEqual([verdict, missing], ["insufficient", ["more train steps"]], JSON.stringify(reasons));
});

Deno.test("zero_reward_variance is silent where a long run ends near the largest reward of its batches", () => {
  const check = (largest: number) =>
    DIAGNOSES.zero_reward_variance.check(viewOf(longRun({
      reward: noisy(() => 2.25, 0.01),
      "reward.accuracy_reward": [],
      reward_max: noisy(() => largest, 1e-3),
      zero_spread_fraction: noisy(between(0.5, 0.95, 0, 0.3), 0.01),
    })));
  assert.equal(check(2.3), null, "they tie because they are right");
  assert.match(JSON.stringify(check(3)), /of the groups all completions get the same reward/);
});

Deno.test("zero_reward_variance of a long run is dated where most groups tie, of a short one by its records", () => {
  const found = (records: number, begin: number, end: number) => {
    const result = DIAGNOSES.zero_reward_variance.check(viewOf(longRun({
      reward: noisy(() => 0.5, 0.01, { records }),
      "reward.accuracy_reward": noisy(() => 0.5, 0.01, { records }),
      zero_spread_fraction: noisy(between(0.3, 0.98, begin, end), 0.01, { records }),
    }, { records })));
    assert(result !== null && "message" in result, JSON.stringify(result));
    return result;
  };
  const long = found(300, 0.3, 0.6);
  assert.equal(long.trend, true);
  // Half of them at train step 117; the share that is named, four fifths, only at 156.
  assert(long.trainSteps[0]! > 105 && long.trainSteps[0]! < 135, String(long.trainSteps[0]));
  assert(long.trainSteps.length > 100, "the records from there on, not the last ten");
  assert.equal(found(15, -1, 0).trend, undefined);
});

Deno.test("zero_reward_variance counts the batches of one group that differ", () => {
  const tied = (every: number) => {
    const deviation = Array.from({ length: 200 }, (_, record) => record % 10 < every ? 0 : 0.5);
    const { columns } = longRun({ reward: noisy(() => 1.9, 0.3, { records: 200 }) }, { records: 200 });
    const { group_reward_std: _group, zero_spread_fraction: _share, ...others } = columns!;
    return DIAGNOSES.zero_reward_variance.check(
      viewOf({ columns: { ...others, reward_std: deviation }, scope: "batch" }),
    );
  };
  assert.equal(tied(4), null, "four of ten are flat");
  assert.match(JSON.stringify(tied(10)), /In 100 % of the groups/);
});

Deno.test("zero_reward_variance of groups that mostly tied from the first on begins there", () => {
  const still = noisy(() => 0.5, 0.01);
  const ties = {
    reward: still,
    "reward.accuracy_reward": still,
    zero_spread_fraction: noisy(between(0.7, 0.88), 0.01),
  };
  assert.equal(begins("zero_reward_variance", longRun(ties)), 1);
});

Deno.test("zero_reward_variance tells the mean reward of the records whose groups it counts", () => {
  const half = (before: number, after: number) => [...flat(before, 30), ...flat(after, 30)];
  const run = healthyBut({
    zero_spread_fraction: half(0.1, 0.96),
    reward: half(0.9, 0.2),
    grad_norm: half(0.5, 0.001),
  });
  const found = DIAGNOSES.zero_reward_variance.check(viewOf(run));
  assert(found !== null && "message" in found, JSON.stringify(found));
  assert.match(found.message, /^In 96 % of the groups .* \(mean reward 0\.2\):/);
});
