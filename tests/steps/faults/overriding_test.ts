import assert from "node:assert/strict";
import { overriding, withModel, withPolicy, withResource } from "../../../steps/faults/overriding.ts";
import type { LanguageModel } from "../../../gpu/language_model.ts";
import type { Policy } from "../../../steps/resources/policy.ts";
import type { StepContext } from "../../../steps/step.ts";

class Counter {
  #count = 0;
  add() {
    return ++this.#count;
  }
  get count() {
    return this.#count;
  }
}

Deno.test("overriding() replaces members and keeps private fields working", () => {
  const counter = new Counter();
  const other = overriding(counter, { add: () => counter.add() * 100 });
  assert.equal(other.add(), 100);
  assert.equal(counter.add(), 2);
  assert.equal(other.count, 2);
});

/** A context with a policy of one number. */
function context(): StepContext {
  const model = { config: 1 } as unknown as LanguageModel;
  const policy = { model, files: "mine" } as unknown as Policy;
  return { trainStep: 4, resource: () => policy } as unknown as StepContext;
}

Deno.test("withPolicy() and withModel() change what the step sees, not the run", () => {
  const run = context();
  const seen = withModel(withPolicy(run, () => ({ files: new Map() })), () => ({ config: 2 as never }));
  assert.equal(seen.resource("policy").model.config as unknown, 2);
  assert.deepEqual(seen.resource("policy").files, new Map());
  assert.equal(run.resource("policy").model.config as unknown, 1);
  assert.equal(seen.trainStep, 4);
});

Deno.test("withResource() leaves the other resources alone", () => {
  const run = context();
  const seen = withResource(run, "reference", "mine" as never);
  assert.equal(seen.resource("reference") as unknown, "mine");
  assert.equal(seen.resource("policy"), run.resource("policy"));
});
