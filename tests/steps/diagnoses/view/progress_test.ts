/** What a run is for, and whether it gets nearer. */
import assert from "node:assert/strict";
import { aims, paid, since, truths } from "../../../../steps/diagnoses/view/progress.ts";
import { flat, ramp, viewOf } from "../synthetic.ts";

const own = (values: readonly number[]) => ({
  name: "correct (held_out, greedy)",
  split: "held_out",
  mode: "greedy",
  prompts: 100,
  trainSteps: values.map((_, i) => 1 + 10 * i),
  values,
});

Deno.test("held-out scores come before the accuracy, that before the total reward", () => {
  const columns = { reward: ramp(0.2, 0.8, 60), accuracy: ramp(0.1, 0.7, 60) };
  const both = viewOf({ own: true, columns, scores: [own([0.1, 0.2, 0.3, 0.4, 0.5, 0.6])] });
  assert.deepEqual(truths(both).map(({ kind }) => kind), ["held out", "goal"]);
  assert.equal(paid(both)!.kind, "reward");
  const bare = viewOf({ columns: { reward: columns.reward } });
  assert.deepEqual([truths(bare).length, aims(bare).map(({ kind }) => kind)], [0, ["reward"]]);
});

Deno.test("the only reward function is no truth of its own, a goal beside a format is", () => {
  const columns = { reward: ramp(0.2, 0.8, 60), "reward.accuracy_reward": ramp(0.1, 0.7, 60) };
  assert.equal(truths(viewOf({ columns })).length, 0);
  const two = viewOf({ columns: { ...columns, "reward.format_reward": flat(1, 60) } });
  assert.deepEqual(truths(two).map(({ name }) => name), ["accuracy_reward"]);
});

Deno.test("since a train step a signal rises, falls or does neither", () => {
  const there = viewOf({ columns: { reward: [...ramp(0.2, 0.8, 60), ...flat(0.8, 60), ...ramp(0.8, 0.3, 60)] } });
  const signal = paid(there)!;
  assert.equal(since(signal, 1).by > 0, true);
  assert.equal(since(signal, 70).direction, "falls");
  assert.equal(since(paid(viewOf({ columns: { reward: ramp(0.2, 0.8, 120) } }))!, 40).direction, "rises");
});
