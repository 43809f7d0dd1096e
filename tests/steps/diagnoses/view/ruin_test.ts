/** A policy that a far too large rate ruins over tens of train steps. */
import assert from "node:assert/strict";
import { diagnoseRun } from "../../../../steps/diagnoses/diagnose_run.ts";
import { slowRuin } from "../../../../steps/diagnoses/view/ruin.ts";
import { between, longRun, noisy } from "../long_run.ts";
import { viewOf } from "../synthetic.ts";

const falling = {
  reward: noisy(between(0.6, 0.1, 0.05, 0.3), 0.03),
  "reward.accuracy_reward": [],
  kl: noisy(between(0, 3, 0.05, 0.3), 0.05).map(Math.abs),
};

Deno.test("a reward that falls early at 100 times the usual rate is of the rate", () => {
  const found = slowRuin(viewOf(longRun(falling)), 1e-4);
  assert.match(
    found!.message,
    /^The learning rate 0.0001 is 100 times the usual one; since train step \d+ the reward fell/,
  );
  assert(found!.trainSteps[0]! < 90);
});

Deno.test("a usual rate, a late fall, a small KL or a reward that rises are not", () => {
  assert.equal(slowRuin(viewOf(longRun(falling)), 1e-5), null);
  const late = longRun({ ...falling, reward: noisy(between(0.6, 0.1, 0.7, 0.8), 0.03) });
  assert.equal(slowRuin(viewOf(late), 1e-4), null);
  const near = longRun({ ...falling, kl: noisy(between(0, 0.05), 0.001).map(Math.abs) });
  assert.equal(slowRuin(viewOf(near), 1e-4), null);
  const paid = longRun({ ...falling, reward: noisy(between(0.2, 0.9), 0.03), accuracy: falling.reward });
  assert.equal(slowRuin(viewOf(paid), 1e-4), null);
});

/** What breaks beside the reward, and what of it is no break. */
const SYMPTOMS = {
  grad_norm: [between(0.6, 2, 0.05, 0.3), between(0.6, 0.8, 0.05, 0.3), 0.02],
  entropy: [between(0.5, 1.5, 0.05, 0.3), between(0.5, 0.7, 0.05, 0.3), 0.02],
  completion_length: [between(120, 300, 0.05, 0.3), between(120, 160, 0.05, 0.3), 4],
  truncated_fraction: [between(0.02, 0.4, 0.05, 0.3), between(0.02, 0.12, 0.05, 0.3), 0.005],
  kl: [between(0.001, 0.2, 0.05, 0.3), between(0.001, 0.04, 0.05, 0.3), 0.0005],
} as const;
type Symptom = keyof typeof SYMPTOMS;

/** A reward that falls early with these columns broken; the others change as well, by less. */
function broken(names: readonly Symptom[], settings: Record<string, unknown> = {}) {
  const columns = Object.entries(SYMPTOMS).map(([name, [breaks, bends, noise]], i) => {
    return [
      name,
      noisy(names.includes(name as Symptom) ? breaks : bends, noise, { seed: 2 + i }).map(Math.abs),
    ] as const;
  });
  const { reward } = falling;
  return viewOf(longRun({ reward, "reward.accuracy_reward": [], ...Object.fromEntries(columns) }, { settings }));
}

Deno.test("three of the columns that break with the reward name a rate far less than a hundred times the usual one", () => {
  const names = Object.keys(SYMPTOMS) as Symptom[];
  for (const without of names) {
    const [one, other, ...three] = [without, ...names.filter((name) => name !== without)] as [
      Symptom,
      Symptom,
      ...Symptom[],
    ];
    const found = slowRuin(broken(three), 1e-5);
    assert(found !== null, three.join());
    assert.equal(found.trend, true);
    assert.ok(found.message.endsWith(`; ${names.filter((name) => three.includes(name)).join(", ")} broke with it`));
    for (const name of three) assert(found.evidence.some((row) => row.name === name), name);
    assert.equal(slowRuin(broken(three.slice(1)), 1e-5), null, `without ${one}, ${other}, ${three[0]}`);
  }
});

Deno.test("an entropy or a length that shrinks breaks too, a gradient that shrinks does not", () => {
  const shrunk = (names: readonly Symptom[]) => {
    const columns = names.map((name, i) =>
      [
        name,
        noisy(between(1, 0.3, 0.05, 0.3), 0.01, { seed: 2 + i }).map((value) => value * SYMPTOMS[name][0](0)),
      ] as const
    );
    const { reward } = falling;
    return viewOf(longRun({
      ...{ reward, "reward.accuracy_reward": [], truncated_fraction: noisy(between(0.02, 0.4, 0.05, 0.3), 0.005) },
      ...Object.fromEntries(columns),
    }));
  };
  assert.match(
    slowRuin(shrunk(["entropy", "completion_length"]), 1e-5)!.message,
    /entropy, completion_length, truncated/,
  );
  assert.equal(slowRuin(shrunk(["entropy", "grad_norm"]), 1e-5), null);
  const peak = noisy((at) => 0.6 + (at > 0.1 && at < 0.3 ? 2 : 0), 0.02);
  const peaked = { ...falling, kl: [], grad_norm: peak, completion_length: noisy(between(120, 300, 0.05, 0.3), 4) };
  const entropy = noisy(between(0.5, 1.5, 0.05, 0.3), 0.02);
  assert.match(
    slowRuin(viewOf(longRun({ ...peaked, entropy })), 1e-5)!.message,
    /grad_norm, entropy/,
    "while it ruins",
  );
});

Deno.test("a model whose size is told stands three times its usual rate no more than one that is not stands nine", () => {
  const three = ["grad_norm", "entropy", "completion_length"] as const;
  const cases = [
    [{}, 8e-6, 1e-5],
    [{ model: "Qwen3-4B" }, 2.5e-6, 3.5e-6],
    [{ parameters: 4e9 }, 2.5e-6, 3.5e-6],
    [{ model: "a model of 156k parameters" }, 8e-4, 1e-3],
    [{ model: "tiny" }, 8e-4, 1e-3],
  ] as const;
  for (const [settings, stands, ruins] of cases) {
    assert.equal(slowRuin(broken(three, settings), stands), null, JSON.stringify(settings));
    assert.notEqual(slowRuin(broken(three, settings), ruins), null, JSON.stringify(settings));
  }
  assert.equal(slowRuin(broken(["entropy", "grad_norm"], { model: "Qwen3-4B" }), 1e-5), null, "two are too few");
  const unknown = viewOf(longRun(falling)), known = viewOf(longRun(falling, { settings: { model: "Qwen3-4B" } }));
  assert.notEqual(slowRuin(known, 2.5e-5), null, "twenty times, with the KL alone");
  assert.equal(slowRuin(unknown, 2.5e-5), null);
});

Deno.test("a quarter of the best level is lost, or it is none", () => {
  const check = (to: number) =>
    slowRuin(viewOf(longRun({ ...falling, reward: noisy(between(0.6, to, 0.05, 0.3), 0.01) })), 1e-4);
  assert.notEqual(check(0.42), null);
  assert.equal(check(0.5), null);
});

/** A long run with a reward now and then up to a record, and none from there on. */
const lostAt = (at: number, records = 300, settings: Record<string, unknown> = { model: "156k" }) => {
  const reward = Array.from({ length: records }, (_, i) => i < at && i % 3 === 0 ? 0.05 : 0);
  return viewOf(longRun({ reward, "reward.accuracy_reward": [] }, { records, settings }));
};

Deno.test("rewards that are gone at once and for good in the first part of a long run are of the rate", () => {
  const found = slowRuin(lostAt(30), 3e-3);
  assert(found !== null);
  assert.equal(
    found.message,
    "The learning rate 0.003 is 10 times the usual one; from train step 29 on no completion is rewarded, " +
      "10 records before had one",
  );
  assert.deepEqual([found.trainSteps[0], found.trend], [29, true]);
  assert.deepEqual(found.evidence.map(({ train_step, value }) => [train_step, value]).slice(1), [
    [1, 0.05],
    [29, 0],
    [300, 0],
  ]);
  assert.equal(slowRuin(lostAt(45), 3e-3), null, "after an eighth of the run");
  assert.equal(slowRuin(lostAt(3), 3e-3), null, "one reward is luck");
  assert.equal(slowRuin(lostAt(5, 45), 3e-3), null, "a short log");
  assert.equal(slowRuin(lostAt(30), 3e-4), null, "the usual rate of so small a model");
  assert.equal(slowRuin(lostAt(30, 300, {}), 8e-6), null, "a model that may be small");
});

/** A KL or an entropy that goes within the first train steps, at a rate of 1e-3, three times what the smallest models stand. */
const gone = (columns: Record<string, readonly number[]>) =>
  viewOf(longRun({ reward: noisy(between(0.24, 0.2), 0.03), "reward.accuracy_reward": [], kl: [], ...columns }));

Deno.test("at a rate that no model stands a KL or an entropy that goes within twenty train steps names it", () => {
  const kl = (by: number, to = 1.5) => noisy(between(0, to, 0, by / 300), 0.02).map(Math.abs);
  assert.match(
    slowRuin(gone({ kl: kl(15) }), 1e-3)!.message,
    /^The learning rate 0.001 is 3.333 times .* even the smallest models; the KL/,
  );
  assert.equal(slowRuin(gone({ kl: kl(15) }), 8e-4), null, "which small models stand");
  assert.equal(slowRuin(gone({ kl: kl(120) }), 1e-3), null, "which is slow");
  assert.equal(slowRuin(gone({ kl: kl(15, 0.4) }), 1e-3), null, "which is near");
  const entropy = (left: number) => noisy(between(0.8, left, 0, 0.03), 0.005);
  assert.match(slowRuin(gone({ entropy: entropy(0.15) }), 1e-3)!.message, /the entropy went from/);
  assert.equal(slowRuin(gone({ entropy: entropy(0.3) }), 1e-3), null, "more than a quarter is left");
  const learns = { reward: noisy(between(0.2, 0.8), 0.03), kl: kl(15) };
  assert.equal(slowRuin(gone(learns), 1e-3), null, "what it is for rises");
});

Deno.test("a rate that no model stands is told and advised by one usual rate: the size's, or the range where none is told", () => {
  const columns = { kl: noisy(between(0, 1.5, 0, 0.05), 0.02).map(Math.abs) };
  const of = (settings: Record<string, unknown>) => {
    const reward = noisy(between(0.24, 0.2), 0.03);
    return diagnoseRun(
      viewOf(longRun({ reward, "reward.accuracy_reward": [], learning_rate: [], ...columns }, { settings })),
    )
      .findings.find(({ cause }) => cause === "learning_rate_too_high")!;
  };
  const unknown = of({ learning_rate: 1e-3 }), known = of({ learning_rate: 1e-3, model: "Qwen3-4B" });
  assert.match(unknown.message, / 3\.333 times the usual one of even the smallest models/);
  assert.match(unknown.hint, /from 1e-6 for large models to 3e-4 for the smallest; .* does not tell the size/);
  assert.deepEqual(unknown.remedy.options, []);
  assert.match(known.message, / is 1000 times the usual one; /);
  assert.deepEqual(known.remedy.options, ["trl: learning_rate=1.0e-6"]);
});

Deno.test("at a rate that no model stands one column that breaks with the reward is enough, at the usual rate of small ones it is not", () => {
  for (const name of Object.keys(SYMPTOMS) as Symptom[]) {
    assert.notEqual(slowRuin(broken([name]), 1e-3), null, name);
  }
  assert.equal(slowRuin(broken([]), 1e-3), null);
  assert.equal(slowRuin(broken(["entropy"], { parameters: 1e5 }), 8e-4), null);
});

Deno.test("of a size that is not told a rate that has taught the run before it fell is not the cause", () => {
  const way = (rise: number) => (at: number) => between(0.6 - rise, 0.6, 0, 0.2)(at) - between(0, 0.5, 0.3, 0.45)(at);
  const said = (rise: number, settings: Record<string, unknown> = {}) =>
    slowRuin(viewOf(longRun({ ...falling, reward: noisy(way(rise), 0.02) }, { settings })), 1e-4);
  assert.notEqual(said(0.02), null);
  assert.equal(said(0.3), null);
  assert.notEqual(said(0.3, { model: "Qwen3-4B" }), null, "told, it is known to be far out");
  const at = (rate: number) => slowRuin(viewOf(longRun({ ...falling, reward: noisy(way(0.3), 0.02) })), rate);
  assert.deepEqual([at(5e-4), at(1e-3) === null], [null, false], "no model stands three times that of the smallest");
});

Deno.test("a size that is not told is no large one where completions are as short as those of toy tasks", () => {
  const short = { ...falling, completion_length: noisy(() => 12, 0.5) };
  assert.equal(slowRuin(viewOf(longRun(short)), 2e-4), null);
  assert.notEqual(slowRuin(viewOf(longRun({ ...falling, completion_length: noisy(() => 120, 5) })), 2e-4), null);
  assert.notEqual(slowRuin(viewOf(longRun(short, { settings: { model: "Qwen3-4B" } })), 2e-4), null, "told");
  assert.notEqual(slowRuin(viewOf(longRun(short)), 1e-3), null, "which no model stands");
});
