/** A patched plan is a plan: edited where the patch points, bounded, checked again. */
import assert from "node:assert/strict";
import { stringifyPlan } from "../../../workflows/plan/resolved.ts";
import { editPlan, patchedValue, patchPlan, runsOnce } from "../../../workflows/repair/patch_plan.ts";
import { smallPlan } from "../preflight/small_plans.ts";

Deno.test("patchedValue() multiplies within bounds and sets", () => {
  const patch = { step: "s", key: "k" };
  assert.equal(patchedValue({ ...patch, mul: 2, max: 6 }, 4, 1), 6);
  assert.equal(patchedValue({ ...patch, mul: 0.1, min: 0.5 }, 4, 1), 0.5);
  assert.equal(patchedValue({ ...patch, mul: 0.3 }, 0.1, 1), 0.03);
  assert.equal(patchedValue({ ...patch, set: false }, 4, 1), false);
  assert.equal(patchedValue({ ...patch, mul: 2 }, null, 1), null);
  assert.equal(patchedValue({ ...patch, mul: 2 }, "text", 1), null);
});

Deno.test("patchedValue() reaches the usual rate, and goes on from there the second time", () => {
  const patch = { step: "apply_update", key: "learning_rate", mul: 0.3, usual: true } as const;
  assert.equal(patchedValue(patch, 15, 3e-4), 3e-4);
  assert.equal(patchedValue({ ...patch, further: true }, 15, 3e-4), 2.7e-5);
  assert.equal(patchedValue(patch, 3e-4, 3e-4), 9e-5);
  assert.equal(patchedValue({ ...patch, further: true }, 3e-4, 3e-4), 8.1e-6); // cubed
  assert.equal(patchedValue({ step: "s", key: "k", mul: 2, max: 8, further: true }, 1, 1), 8);
});

Deno.test("patchPlan() edits the step of the block and leaves the rest of the document alone", () => {
  const plan = smallPlan({ sample: { temperature: 0.01 } }, "/data");
  const before = stringifyPlan(plan);
  const patched = patchPlan(plan, [
    { step: "sample_groups", key: "temperature", set: 1 },
    { step: "sample_groups", key: "top_p", set: 1 },
    { step: "sample_groups", key: "top_k", set: 0 },
  ], 3e-4);
  assert(patched.plan !== null);
  // top_p and top_k are so already: only what changes is an edit.
  assert.deepEqual(patched.edits.map(({ id, key, from, to }) => [id, key, from, to]), [[
    "sample_groups",
    "temperature",
    0.01,
    1,
  ]]);
  assert.equal(stringifyPlan(plan), before);
  assert.equal(stringifyPlan(patched.plan), before.replace("temperature: 0.01", "temperature: 1"));
  assert.equal(stringifyPlan(editPlan(plan, patched.edits)), stringifyPlan(patched.plan));
});

Deno.test("patchPlan() multiplies what a parameter gives", () => {
  const plan = smallPlan({ update: { learning_rate: 0.5 } }, "/data");
  const patched = patchPlan(plan, [{ step: "apply_update", key: "learning_rate", mul: 0.1 }], 3e-4);
  assert.deepEqual(patched.plan !== null && patched.edits.map(({ from, to }) => [from, to]), [[0.5, 0.05]]);
});

Deno.test("patchPlan() says why a change cannot be made", () => {
  const plan = smallPlan({ model: { model: "tiny_qwen2" } }, "/data");
  const problem = (patch: Parameters<typeof patchPlan>[1][number]) => {
    const patched = patchPlan(plan, [patch], 3e-4);
    return patched.plan === null ? patched.problem : "none";
  };
  assert.match(problem({ step: "train_preferences", key: "x", set: 1 }), /no repeated step uses "train_preferences"/);
  assert.match(problem({ step: "apply_update", key: "mask_truncated", set: false }), /unknown key "mask_truncated"/);
  assert.match(problem({ step: "apply_update", key: "clip_low", set: -1 }), /clip_low/);
  assert.match(problem({ step: "apply_update", key: "clip_high", mul: 2 }), /not set, so no factor applies/);
  assert.match(problem({ step: "sample_groups", key: "temperature", set: 1 }), /already so/);
});

Deno.test("patchPlan() sets what the model folder may decide, although the default is the same", () => {
  const plan = smallPlan({ sample: { inherit_sampling: true } }, "/data");
  const patched = patchPlan(plan, [{ step: "sample_groups", key: "top_p", set: 1 }], 3e-4);
  assert.deepEqual(patched.plan !== null && patched.edits.map(({ from, to }) => [from, to]), [[null, 1]]);
});

Deno.test("patchPlan() edits the warm start, which stands before the repeated part and runs once", () => {
  const plan = smallPlan({ tune: { max_updates: 40, learning_rate: 1 } }, "/data");
  const patched = patchPlan(plan, [{ step: "fine_tune", key: "learning_rate", usual: true }], 1e-3);
  const edits = patched.plan === null ? assert.fail(patched.problem) : patched.edits;
  assert.deepEqual(edits.map(({ id, from, to }) => [id, from, to]), [["fine_tune", 1, 1e-3]]);
  assert.equal(runsOnce(edits[0]!), true);
  const update = patchPlan(plan, [{ step: "apply_update", key: "learning_rate", mul: 0.1 }], 1e-3);
  assert.equal(update.plan !== null && runsOnce(update.edits[0]!), false);
});

Deno.test("patchPlan() changes what decides the rewards where it stands, in a step that runs once too", () => {
  const plan = smallPlan({ prompts: { file: "prompts.jsonl", verifier: "exact" } }, "/data");
  const patched = patchPlan(plan, [{ step: "load_prompts", key: "verifier", set: "numeric" }], 3e-4);
  if (patched.plan === null) assert.fail(patched.problem);
  assert.deepEqual(patched.edits.map(({ id, from, to }) => [id, from, to]), [["load_prompts", "exact", "numeric"]]);
  assert(patched.edits.every(runsOnce));
  const other = patchPlan(plan, [{ step: "load_prompts", key: "answer_column", set: "solution" }], 3e-4);
  assert.equal(other.plan, null);
});
