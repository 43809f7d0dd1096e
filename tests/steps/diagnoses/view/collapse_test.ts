import assert from "node:assert/strict";
import { uniform } from "../../../../data/random.ts";
import { collapse } from "../../../../steps/diagnoses/view/collapse.ts";
import { flat, ramp, viewOf } from "../synthetic.ts";

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
