/** Lines with the figures of several train steps. */
import assert from "node:assert/strict";
import { stepsIn } from "../../../../../data/adapters/post/blocks/split_steps.ts";
import { readPost } from "../read_post.ts";

Deno.test("stepsIn() cuts a line at its train steps", () => {
  assert.deepEqual(stepsIn("step 1: loss 0.1; step 2: loss 0.2."), ["step 1: loss 0.1", "step 2: loss 0.2"]);
  assert.deepEqual(stepsIn("step 50 reward 0.55, step 100 reward 0.61."), [
    "step 50 reward 0.55",
    "step 100 reward 0.61",
  ]);
});

Deno.test("stepsIn() leaves one step, a sentence and numbers that are no list", () => {
  assert.deepEqual(stepsIn("step 50 reward 0.55"), []);
  assert.deepEqual(stepsIn("At step 50 the reward is 0.55, step 100 looks better"), []);
});

Deno.test("a line of steps tells a record each", async () => {
  const { records } = await readPost("GRPO, why?\n\nstep 50 reward 0.55, step 100 reward 0.61, step 150 reward 0.08\n");
  assert.equal(records.segments.length > 0, true);
});
