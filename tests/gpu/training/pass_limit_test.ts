/** How many prompts a pass reads. */
import assert from "node:assert/strict";
import { budgetFor, MemoryBudget } from "../../../gpu/ort/memory_budget.ts";
import type { Model } from "../../../gpu/models/model.ts";
import { modelConfig } from "../../../gpu/models/config.ts";
import { passBytes } from "../../../gpu/training/pass_bytes.ts";
import { passLimit } from "../../../gpu/training/pass_limit.ts";
import { MODEL_PRESETS } from "../../../steps/resources/model_presets.ts";

const config = modelConfig({ ...MODEL_PRESETS.tiny_qwen2, vocab_size: 258 });
const SHAPE = { prompts: 8, group: 2, promptTokens: 8, completionTokens: 8 };

function model(free: number | null): Model {
  const budget = free === null ? null : new MemoryBudget(Math.ceil(budgetFor(250e6 + free)));
  return { config, adapted: null, weights: { runtime: { budget }, bits: null } } as unknown as Model;
}

Deno.test("passLimit() follows the budget, unless a step says how much of a gradient is computed at once", () => {
  const bytes = (prompts: number) => passBytes(config, { ...SHAPE, prompts });
  assert.equal(passLimit(model(null), SHAPE, {}, "gradient"), 8);
  assert.equal(passLimit(model(null), SHAPE, { promptsPerPass: 3 }, "gradient"), 3);
  assert.equal(passLimit(model(bytes(8)), SHAPE, {}, "gradient"), 8);
  assert.equal(passLimit(model(bytes(8) - 2), SHAPE, {}, "gradient"), 4, "two passes");
  assert.equal(passLimit(model(bytes(1)), SHAPE, {}, "gradient"), 1);
  assert.equal(passLimit(model(bytes(1)), SHAPE, { promptsPerPass: 3 }, "gradient"), 3, "the step's own word");
  assert.throws(() => passLimit(model(bytes(1) - 2), SHAPE, {}, "gradient"), /want memory of \d+ MB at least/);
});

Deno.test("passLimit() of log-probs is a bound besides that of the caller, at least one prompt", () => {
  const bytes = (prompts: number) => passBytes(config, { ...SHAPE, prompts }, { reads: "values" });
  assert.equal(passLimit(model(bytes(4)), SHAPE, { promptsPerPass: 2 }, "values"), 2);
  assert.equal(passLimit(model(bytes(2)), SHAPE, { promptsPerPass: 6 }, "values"), 2);
  assert.equal(passLimit(model(0), SHAPE, {}, "values"), 1);
});
