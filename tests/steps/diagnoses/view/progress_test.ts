/** What a run is for, and whether it gets nearer. */
import assert from "node:assert/strict";
import { course } from "../../../../steps/diagnoses/view/course.ts";
import {
  aims,
  directionOf,
  endsAtTop,
  gainSince,
  gainText,
  heightOf,
  heightSpan,
  paid,
  scoreSignal,
  since,
  sinceLevel,
  topOf,
  truths,
} from "../../../../steps/diagnoses/view/progress.ts";
import { series } from "../../../bench/false_alarms/simulated.ts";
import { between, longRun, noisy } from "../long_run.ts";
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

/** A rise in the first half of the records to a level that holds. */
const rising = (to: number) => [...ramp(0, to, 30, 0.001), ...flat(to, 30)] as number[];

Deno.test("endsAtTop() is true near the end of a scale, or near the largest reward of the batches", () => {
  const cases: readonly (readonly [string, Record<string, (number | null)[]>, boolean])[] = [
    ["0.95 of 1", { reward: rising(0.95) }, true],
    ["0.8 of 1", { reward: rising(0.8) }, false],
    ["2.2 of 3", { reward: rising(2.2) }, false],
    ["2.2 where the largest are 2.3", { reward: rising(2.2), reward_max: flat(2.3, 60) }, true],
    ["2.1 where the largest are 2.3", { reward: rising(2.1), reward_max: flat(2.3, 60) }, false],
    ["0 where the largest are 0", { reward: flat(0, 60), reward_max: flat(0, 60) }, false],
    ["a goal below beside a reward at its top", { reward: rising(1), "reward.accuracy": rising(0.6) }, false],
    ["a goal at its top beside a reward below", { reward: rising(2.2), "reward.accuracy": rising(0.95) }, true],
    // The largest reward is one of the total, not of the goal.
    ["a goal at a small largest reward", { "reward.accuracy": rising(0.6), reward_max: flat(0.6, 60) }, false],
    ["an accuracy below beside a goal at its top", { accuracy: rising(0.6), "reward.accuracy": rising(1) }, false],
    ["nothing that is long enough", { reward: rising(1).slice(25, 40) }, false],
  ];
  for (const [what, columns, want] of cases) assert.equal(endsAtTop(viewOf({ columns })), want, what);
});

Deno.test("gainText() says that a signal fell, stayed, or did not rise, and tells a rise as it is", () => {
  const text = (reward: readonly (number | null)[], trainStep: number) => {
    const signal = paid(viewOf({ columns: { reward } }))!;
    return gainText({ signal, since: since(signal, trainStep) });
  };
  assert.match(text(ramp(0, 0.8, 120, 0.001), 40), /^the reward went from about 0\.\d+ to 0\.\d+$/);
  assert.match(
    text([...rising(0.8), ...ramp(0.8, 0.3, 60, 0.001)], 70),
    /^the reward fell from about 0\.\d+ to 0\.\d+$/,
  );
  assert.equal(text([...rising(0.75), ...flat(0.75, 60)], 80), "the reward stayed at about 0.75");
  assert.match(
    text([...rising(0.75), ...ramp(0.75, 0.749, 60, 0)], 70),
    /^the reward did not rise \(about 0\.\d+ to 0\.\d+\)$/,
  );
});

Deno.test("since() counts no gain where a score that fell with the trend is back where it was before", () => {
  const dip = [...ramp(0.8, 0.8, 60), ...ramp(0.6, 0.6, 30), ...ramp(0.8, 0.8, 90)];
  assert.notEqual(since(paid(viewOf({ columns: { reward: dip } }))!, 61).direction, "rises");
  const gain = [...dip.slice(0, 90), ...ramp(0.9, 0.9, 90)];
  assert.equal(since(paid(viewOf({ columns: { reward: gain } }))!, 61).direction, "rises");
});

Deno.test("topOf() a scale is 1, the next whole number, or 100 of what may be percent", () => {
  assert.deepEqual([0.4, 7.2, 67, 250].map((high) => topOf([0, high])), [1, 8, 100, 250]);
});

Deno.test("directionOf() wants two standard errors and a tenth of the span for a change, and for flatness that chance is less", () => {
  // Levels of 0 and of 1: a span of 1. Means of four of noise s differ by 0.71 s.
  const like = course("reward", [...Array(36).fill(0), ...Array(36).fill(1)])!;
  const of = (noise: number, by: number) => directionOf({ ...like, noise, wander: { per: 1, models: [] } }, by);
  assert.deepEqual([0.13, 0.15].map((by) => of(0.1, by)), ["open", "rises"], "by two standard errors of 0.071");
  assert.deepEqual([0.09, 0.096, 0.11].map((by) => of(0.01, by)), ["flat", "open", "rises"], "by a tenth of the span");
  assert.deepEqual([-0.05, -0.11].map((by) => of(0.01, by)), ["flat", "falls"]);
  assert.deepEqual([0.02, 0.05].map((by) => of(0.1, by)), ["flat", "open"], "with its error within a tenth");
});

Deno.test("since() of a share near 1 knows a third of the mistakes less for a gain", () => {
  const halves = (from: number, to: number) =>
    sinceLevel(paid(viewOf({ columns: { reward: flat(to, 60) } }))!, from).halves;
  assert.deepEqual([0.925, 0.94].map((to) => halves(0.9, to)), [false, true]);
  assert.equal(halves(0.4, 0.7), false, "below one half it is the share itself that rises");
});

Deno.test("since() leaves a fall open that one last evaluation shows alone", () => {
  const last = (low: number) => {
    const values = Array.from({ length: 8 }, (_, i) => i < 8 - low ? 0.5 : 0.2);
    return since(truths(viewOf({ own: true, columns: { reward: ramp(0.2, 0.8, 60) }, scores: [own(values)] }))[0]!, 1);
  };
  assert.deepEqual([1, 2].map((low) => last(low).direction), ["open", "falls"]);
});

Deno.test("heightOf() is between the whole numbers around what was seen, of what can be negative too", () => {
  const found = course("reward", [...flat(-1.5, 30), ...flat(-1, 30)])!;
  // From -2 to 1.
  assert(Math.abs(heightOf(found) - 1 / 3) < 1e-9);
  assert.equal(heightSpan(found), 3);
});

Deno.test("gainSince() shows what falls before what stands still", () => {
  const columns = { reward: ramp(0.2, 0.8, 120), accuracy: ramp(0.8, 0.3, 120) };
  const view = viewOf({ own: true, columns, scores: [own(Array(8).fill(0.5))] });
  const gain = gainSince(view, 1)!;
  assert.deepEqual([gain.signal.kind, gain.still, gain.falls], ["goal", true, true]);
});

Deno.test("scoreSignal() knows the sum that is paid on held-out prompts by its column, however the log calls it", () => {
  const isPaid = (column: string) => scoreSignal({ ...own([0, 1, 2, 3, 4]), split: null, name: "s", column })!.isPaid;
  assert.deepEqual(["reward", "gsm8k/reward", "accuracy", "reward.accuracy"].map(isPaid), [
    true,
    true,
    false,
    false,
  ]);
});

Deno.test("a few evaluations that are noise around a constant rise by chance in no more than one of twenty-five", () => {
  for (const count of [5, 8, 12]) {
    const rising = Array.from({ length: 200 }, (_, seed) => {
      const values = series({ kind: "normal", memory: 0 }, count, seed + 1, "few").map((draw) => 0.5 + 0.03 * draw);
      const trainSteps = values.map((_, i) => i + 1);
      const signal = scoreSignal({ name: "s", split: null, mode: null, prompts: null, trainSteps, values })!;
      return since(signal, 1).direction === "rises";
    }).filter((rises) => rises).length;
    assert(rising <= 8, `${rising} of 200 of ${count} values`);
  }
});

Deno.test("a reward that falls beside a held-out score that does not tell counts as falling", () => {
  const reward = noisy(between(0.6, 0.2), 0.02);
  const beside = (accuracy: readonly number[]) => {
    const evaluationSteps = accuracy.map((_, i) => 15 * i + 15);
    const run = longRun({ reward, "reward.accuracy_reward": [] }, { evaluationSteps, evaluations: { accuracy } });
    return gainSince(viewOf(run), 1)!.falls;
  };
  assert.equal(beside(Array(20).fill(0)), true);
  assert.equal(beside(noisy(() => 0.5, 0.03, { records: 20, memory: 0 })), true);
  assert.equal(beside(noisy(between(0.3, 0.6), 0.02, { records: 20, memory: 0 })), false);
});
