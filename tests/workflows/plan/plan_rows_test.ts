import assert from "node:assert/strict";
import { z } from "zod";
import { defineStep, type Writes } from "../../../steps/step.ts";
import { RowsInPlan } from "../../../workflows/plan/plan_rows.ts";

const NOTHING = {
  about: "",
  params: z.strictObject({}),
  needs: [],
  gives: [],
  pure: false,
  outputs: z.strictObject({}),
};

/** A step that writes, in the blocks given. */
function step(id: string, writes: Writes, { reads = {}, blocks = [] as string[], params = {} as object | null } = {}) {
  return { id, every: 1, blocks, params, kind: defineStep({ ...NOTHING, reads, writes, run: () => ({}) }) };
}

Deno.test("RowsInPlan holds who wrote which column", () => {
  const rows = new RowsInPlan([[]]), sample = step("sample", { completions: ["text"] });
  rows.write(sample, () => null);
  assert.equal(rows.writer("completions", "text"), sample);
  assert.equal(rows.writer("completions", "reward"), null);
  assert.deepEqual([rows.wasWritten("completions"), rows.wasWritten("prompts")], [true, false]);
});

Deno.test("RowsInPlan keeps the columns of a table that the step reads, and forgets those of one it writes anew", () => {
  const rows = new RowsInPlan([[]]);
  rows.write(step("sample", { completions: ["text"] }), () => null);
  rows.write(step("score", { completions: ["reward"] }, { reads: { completions: ["text"] } }), () => null);
  assert.notEqual(rows.writer("completions", "text"), null);
  rows.write(step("again", { completions: ["text"] }), () => null);
  assert.equal(rows.writer("completions", "reward"), null);
});

Deno.test("RowsInPlan takes any column from a step that names none", () => {
  const rows = new RowsInPlan([[]]);
  rows.write(step("other", { completions: [] }), () => null);
  assert.equal(rows.writer("completions", "advantage"), "any");
});

Deno.test("RowsInPlan decides a conditional column by parameters, and counts it where they are open", () => {
  const writes: Writes = { completions: [{ column: "ref_logprobs", only: "with x", when: () => false }] };
  const rows = new RowsInPlan([[]]);
  rows.write(step("closed", writes), () => null);
  assert.equal(rows.writer("completions", "ref_logprobs"), null);
  rows.write(step("open", writes, { params: null }), () => null);
  assert.notEqual(rows.writer("completions", "ref_logprobs"), null);
});

Deno.test("RowsInPlan ends the rows of a train step where an innermost block begins, and keeps prompts", () => {
  const outer = ["a"], inner = ["a", "a.b"];
  const rows = new RowsInPlan([[], outer, inner]);
  rows.write(step("load", { prompts: ["prompt"], completions: ["text"] }), () => null);
  rows.enter(step("outer", {}, { blocks: outer }));
  assert.notEqual(rows.writer("completions", "text"), null);
  rows.enter(step("inner", {}, { blocks: inner }));
  assert.equal(rows.writer("completions", "text"), null);
  assert.notEqual(rows.writer("prompts", "prompt"), null);
  assert.equal(rows.wasWritten("completions"), true);
});
