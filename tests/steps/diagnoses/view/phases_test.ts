import assert from "node:assert/strict";
import { tableOf } from "../../../../data/tables/mod.ts";
import { judgedRows } from "../../../../steps/diagnoses/view/phases.ts";

const metrics = (...phases: (string | null)[]) =>
  tableOf("metrics", { train_step: phases.map((_, i) => i + 1), phase: phases });
const completions = (trainStep: number) => tableOf("completions", { train_step: [trainStep], text: ["3"] });

Deno.test("judgedRows() takes the rows of the trainer that was at work last, a warm start beside them", () => {
  assert.deepEqual(judgedRows(metrics("sft", "sft", "preference", "preference"), undefined), {
    phase: "preference",
    rows: [2, 3],
    before: [0, 1],
  });
  assert.deepEqual(judgedRows(metrics("preference", "reward_model", "rollout", null), undefined), {
    phase: "rollout",
    rows: [2, 3],
    before: [],
  });
  assert.deepEqual(judgedRows(metrics("rollout", "preference"), completions(1)).phase, "preference");
});

Deno.test("judgedRows() of a warm start alone is that, until something is sampled", () => {
  assert.deepEqual(judgedRows(metrics("sft", "sft"), undefined), { phase: "sft", rows: [0, 1], before: [] });
  assert.deepEqual(judgedRows(metrics("sft", "sft"), completions(3)), { phase: "rollout", rows: [], before: [0, 1] });
  assert.deepEqual(judgedRows(metrics("preference"), completions(2)), { phase: "rollout", rows: [], before: [] });
  assert.deepEqual(judgedRows(undefined, undefined), { phase: "rollout", rows: [], before: [] });
});
