import assert from "node:assert/strict";
import { STEPS } from "../../../steps/mod.ts";
import { estimate } from "../../../workflows/preflight/estimate.ts";
import { parseWorkflow } from "../../../workflows/language/parse.ts";
import { planWorkflow } from "../../../workflows/plan/plan_workflow.ts";
import { TINY } from "../cli/tiny.ts";

const plan = (steps: number) =>
  planWorkflow(parseWorkflow(TINY, "tiny.yaml", { kinds: STEPS }), STEPS, { params: { train_steps: steps } });

Deno.test("estimate() grows with the train steps and names the shapes", async () => {
  const [few, many] = [await estimate(plan(20)), await estimate(plan(200))];
  assert(Math.abs(many.seconds / few.seconds - 10) < 1e-9);
  assert.equal(many.memoryBytes, few.memoryBytes);
  // 32 completions of 4 tokens, 2 FLOP to sample and 6 to train per parameter, 100 GFLOP/s; 10 ms per train step
  const want = 20 * (32 * 4 * 0.11e6 * (2 + 6) / 1e11 + 0.01);
  assert(Math.abs(few.seconds - want) < 0.01 * want, `${few.seconds}, want ${want}`);
  assert.equal(few.shapes["rollout"], "[32, 4] completion tokens per train step");
  assert.match(few.shapes["model"]!, /^0\.11 M parameters, D 64, L 2, V 258$/);
});
