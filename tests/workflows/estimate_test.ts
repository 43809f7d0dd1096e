import assert from "node:assert/strict";
import { STEPS } from "../../steps/mod.ts";
import { estimate } from "../../workflows/estimate.ts";
import { parseWorkflow } from "../../workflows/parse.ts";
import { planWorkflow } from "../../workflows/plan.ts";
import { TINY } from "./cli/tiny.ts";

const plan = (steps: number) =>
  planWorkflow(parseWorkflow(TINY, "tiny.yaml", { kinds: STEPS }), STEPS, { params: { train_steps: steps } });

Deno.test("estimate() grows with the train steps and names the shapes", async () => {
  const [few, many] = [await estimate(plan(10)), await estimate(plan(100))];
  assert(Math.abs(many.seconds / few.seconds - 10) < 1e-9);
  assert.equal(many.memoryBytes, few.memoryBytes);
  assert.equal(few.shapes["rollout"], "[32, 4] completion tokens per train step");
  assert.match(few.shapes["model"]!, /^0\.11 M parameters, D 64, L 2, V 258$/);
});
