/** What steps declare as their cost, gathered over a plan. */
import assert from "node:assert/strict";
import { costsOf } from "../../../workflows/preflight/costs.ts";
import { factsOf } from "../../../workflows/preflight/facts.ts";
import { trainingBytes } from "../../../steps/cost/memory.ts";
import { smallPlan } from "./small_plans.ts";

const costs = async (given: Parameters<typeof smallPlan>[0]) => {
  const found = costsOf(await factsOf(smallPlan(given, "/data"), null));
  return found.map(({ step, times, cost }) => [step.id, times, cost.trainSteps]);
};

Deno.test("costsOf() lists the steps that declare a cost, with how often they run", async () => {
  assert.deepEqual(await costs({ tune: { max_updates: 30 } }), [
    ["fine_tune", 1, 30],
    ["sample_groups", 10, 1],
    ["apply_update", 10, 0],
  ]);
});

Deno.test("costsOf() says nothing of steps that are open until the run, and of a model that is not known", async () => {
  assert.deepEqual(await costs({ sample: { max_new_tokens: "${{ steps.load_model.outputs.context }}" } }), []);
  assert.deepEqual(await costs({ model: { model: "./none" } }), []);
});

Deno.test("costsOf() counts the longest answer with its end", async () => {
  const facts = await factsOf(smallPlan({ tune: { max_updates: 1, batch_size: 8 } }, "/data"), null);
  const [tune] = costsOf(facts);
  const want = trainingBytes(facts.model!.config!, { prompts: 8, group: 1, promptTokens: 4, completionTokens: 3 });
  assert.equal(tune!.cost.peak!.bytes, want, "9+9= and 18 with its end");
});
