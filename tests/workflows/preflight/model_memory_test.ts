/** What the model of a plan takes of memory. */
import assert from "node:assert/strict";
import { factsOf } from "../../../workflows/preflight/facts.ts";
import { quantizedBytes } from "../../../gpu/weights/quantized.ts";
import {
  bitsOf,
  budgetOf,
  fixedBytes,
  freeBytes,
  modelMemory,
  samplingBitsOf,
} from "../../../workflows/preflight/model_memory.ts";
import { type Settings, smallPlan } from "./small_plans.ts";

const of = async (given: Settings) => await factsOf(smallPlan(given, "/data"), null);

Deno.test("modelMemory() counts weights, gradient, moments of each kind and a reference", async () => {
  const facts = await of({}), count = facts.model!.layout!.count, parts = modelMemory(facts)!;
  assert.deepEqual({ ...parts, process: 0 }, {
    process: 0,
    weights: 4 * count,
    gradient: 4 * count,
    moments: 8 * count,
    reference: 0,
    images: 0,
  });
  assert.equal(fixedBytes(parts), parts.process + 16 * count);
  const small = modelMemory(await of({ update: { optimizer_state: "int8" }, model: { reference: "copy" } }))!;
  assert.equal(small.reference, 4 * count);
  assert(small.moments < 2.1 * count && small.moments > 2 * count);
});

Deno.test("modelMemory() takes any other name of a reference for a folder, also that of every object's property", async () => {
  for (const reference of ["./other", "constructor", "toString"]) {
    const facts = await of({ model: { reference } });
    assert.equal(modelMemory(facts)!.reference, 4 * facts.model!.layout!.count, reference);
  }
});

Deno.test("modelMemory() of an adapter counts its own gradient and moments, and a base of 8 bits as it is stored", async () => {
  const lora = { rank: 2, target_modules: "all_linear" }, count = (await of({})).model!.layout!.count;
  const float = modelMemory(await of({ model: { lora } }))!, facts = await of({ model: { lora, weights: "int8" } });
  const rounded = modelMemory(facts)!, own = float.weights - 4 * count;
  assert(own > 0 && own < 0.2 * count && float.gradient === own && float.moments === 2 * own);
  assert.equal(bitsOf(facts.model!), 8);
  // Twice: once as it is stored, once as kernels of sampling want it.
  assert(rounded.weights - own < 2.6 * count && rounded.weights - own > 2 * count, `${rounded.weights}`);
});

Deno.test("modelMemory() of weights that train counts the rounded copy that is sampled from beside them", async () => {
  const float = await of({}), { layout } = float.model!;
  for (const [weights, bits] of [["int8", 8], ["int4", 4]] as const) {
    const facts = await of({ model: { weights } }), parts = modelMemory(facts)!;
    assert.deepEqual({ ...parts, weights: 0 }, { ...modelMemory(float)!, weights: 0 });
    assert.equal(parts.weights, 4 * layout!.count + 2 * quantizedBytes(layout!, bits));
    assert.deepEqual([bitsOf(facts.model!), samplingBitsOf(facts.model!)], [null, bits]);
  }
});

Deno.test("freeBytes() is what memory of load_model leaves beside the model; null without it", async () => {
  assert.deepEqual([budgetOf(await of({})), freeBytes(await of({}))], [null, null]);
  const facts = await of({ model: { memory: "1GiB" } });
  assert.equal(budgetOf(facts), 2 ** 30);
  assert.equal(freeBytes(facts), 0.95 * 2 ** 30 - fixedBytes(modelMemory(facts)!));
});
