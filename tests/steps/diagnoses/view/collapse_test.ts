import assert from "node:assert/strict";
import { uniform } from "../../../../data/random.ts";
import { collapse, collapses } from "../../../../steps/diagnoses/view/collapse.ts";
import { flat, ramp, type Run, viewOf } from "../synthetic.ts";

const held = (prompts: number, values: readonly number[], trainSteps = values.map((_, i) => 10 * i)) => ({
  name: "correct (held_out, sampled)",
  split: "held_out",
  mode: "sampled",
  prompts,
  trainSteps,
  values,
});
const own = { own: true, settings: { prompts_per_step: 64 } };

Deno.test("collapse() names held-out scores before training values, with both rows as evidence", () => {
  const found = collapse(viewOf({
    ...own,
    columns: { accuracy: [...flat(0.8, 15), ...flat(0.1, 15)] },
    scores: [held(500, [0.7, 0.8, 0.1])],
  }))!;
  assert.deepEqual([found.what, found.best, found.end, found.from, found.to], ["the held-out score", 0.8, 0.1, 10, 20]);
  assert.deepEqual(found.evidence.map(({ train_step, value }) => [train_step, value]), [[10, 0.8], [20, 0.1]]);
  assert.deepEqual([found.isSure, found.isTotal, found.isShare], [true, true, true]);
  assert(Math.abs(found.left - 0.125) < 1e-12);
});

Deno.test("collapse() of a loss of less than half is sure and not total, of a tenth none", () => {
  const found = collapse(viewOf({ ...own, columns: { accuracy: flat(0.5) }, scores: [held(500, [0.8, 0.5])] }))!;
  assert.deepEqual([found.isSure, found.isTotal], [true, false]);
  assert.equal(collapse(viewOf({ ...own, columns: { accuracy: flat(0.5) }, scores: [held(500, [0.8, 0.72])] })), null);
});

Deno.test("collapse() believes held-out prompts that are still solved, if they were asked after the fall", () => {
  const columns = { accuracy: [...flat(0.8, 15), ...flat(0.1, 15)] };
  assert.equal(collapse(viewOf({ ...own, columns, scores: [held(500, [0.6, 0.6], [0, 30])] })), null);
  assert.equal(collapse(viewOf({ ...own, columns, scores: [held(500, [0.6, 0.6], [0, 12])] }))?.what, "the accuracy");
});

Deno.test("collapse() of few records of a foreign log is none", () => {
  assert.equal(collapse(viewOf({ columns: { reward: [0.8, 0.8, 0.1, 0.1, 0.1] } })), null);
  const long = collapse(viewOf({ columns: { reward: [...ramp(0.8, 0.8, 20), ...ramp(0.1, 0.1, 20)] } }));
  assert.equal(long?.what, "the reward");
});

Deno.test("collapse() of a foreign log's column that is mostly one value takes single batches for no level", () => {
  const run = (values: readonly number[]) => collapse(viewOf({ columns: { reward: values } }))?.isSure === true;
  assert.equal(run(flat(0.5, 300).map((value, i) => i === 40 ? 1000 : value!)), false, "one absurd batch");
  for (const share of [0.01, 0.05, 0.3]) {
    for (const records of [40, 300, 1000]) {
      let named = 0;
      for (let seed = 1; seed <= 100; seed++) {
        const draw = (i: number) => uniform(seed, "sparse", 0, 0, i) < share ? 1 : 0;
        if (run(Array.from({ length: records }, (_, i) => draw(i)))) named++;
      }
      assert(named <= 2, `${named} of 100 at ${share} of ${records} records`);
    }
  }
  assert(run(flat(0, 200).map((value, i) => i < 60 ? 0.8 + 0.05 * Math.sin(i) : value!)), "a level that is gone");
});

/** What has fallen in a run of ours of twelve train steps of 1000 prompts, from one value to another in the middle. */
const fell = (column: string, from: number, to: number, more: Partial<Run> = {}) =>
  collapses(viewOf({
    own: true,
    settings: { prompts_per_step: 1000 },
    ...more,
    columns: { ...more.columns, [column]: Array.from({ length: 12 }, (_, i) => i < 6 ? from : to) },
  })).map(({ what }) => what);

Deno.test("collapses() of training want three tenths of the best level lost", () => {
  assert.deepEqual([0.6, 0.52].map((to) => fell("accuracy", 0.8, to).length), [0, 1]);
});

Deno.test("collapses() of a reward that can be negative want six tenths of the spread of single rewards lost", () => {
  const columns = { reward_std: Array(12).fill(0.5) };
  assert.deepEqual([-0.45, -0.55].map((to) => fell("reward", -0.2, to, { columns }).length), [0, 1]);
});

Deno.test("collapses() of training are none where enough held-out prompts are solved to nine tenths of their best", () => {
  const held = (end: number, prompts = 400) => ({
    scores: [{
      ...{ name: "correct (held_out, greedy)", split: "held_out", mode: "greedy", prompts },
      trainSteps: [1, 6, 12],
      values: [0.6, 0.6, end],
    }],
  });
  const count = (end: number, prompts?: number) => {
    const found = fell("accuracy", 0.8, 0.5, held(end, prompts));
    return found.filter((what) => what === "the accuracy").length;
  };
  assert.deepEqual([0.55, 0.5].map((end) => count(end)), [0, 1]);
  assert.equal(count(0.55, 20), 1, "twenty would not show such a fall");
});

Deno.test("collapses() want four standard errors where more than half is left", () => {
  // From 0.8 to 0.5 of N prompts a train step, levels of four of them: 0.89 times the root of N, 4.4 and 5.6 standard errors;
  // four of them, and the number of windows compared, ask for 4.9.
  const of = (prompts_per_step: number) => fell("accuracy", 0.8, 0.5, { settings: { prompts_per_step } }).length;
  assert.deepEqual([of(24), of(40)], [0, 1]);
});

Deno.test("collapse() leaves a held-out fall open that is chance in one case of a hundred, no smaller one", () => {
  // From 0.6 to 0.5: 1.0 standard errors of 50 prompts, 3.5 of 600.
  const of = (prompts: number) => collapse(viewOf({ own: true, scores: [held(prompts, [0.6, 0.5])] }));
  assert.equal(of(50), null);
  assert.deepEqual([of(600)!.isSure, of(600)!.isOpen], [false, true]);
});

Deno.test("collapses() call a held-out reward that is one function by that function's name", () => {
  const fell = [...flat(0.6, 8), ...flat(0.1, 8)] as number[], evaluationSteps = fell.map((_, i) => 10 * (i + 1));
  const named = (reward: readonly number[]) =>
    collapses(
      viewOf({
        columns: { "reward.exact_match": flat(0.3) },
        evaluationSteps,
        evaluations: { reward, "reward.exact_match": fell },
      }),
    )
      .map(({ what }) => what);
  assert.deepEqual(named(fell), ["the held-out exact_match"]);
  assert.deepEqual(named(fell.map((value) => 2 * value)), ["eval_reward", "the held-out exact_match"]);
});
