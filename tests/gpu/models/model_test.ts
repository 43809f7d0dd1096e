import assert from "node:assert/strict";
import { LanguageModel } from "../../../gpu/language_model.ts";
import { graphOptions, modelInputs, parameterCount } from "../../../gpu/models/model.ts";
import { withModel } from "../golden_model.ts";

Deno.test("graphOptions() are of the model's weights and the device they lie on", () =>
  withModel("qwen2", async (model) => {
    await Promise.resolve();
    const { layout } = model.weights;
    assert.deepEqual(graphOptions(model), { config: model.config, layout, adapter: null, bits: null, provider: "cpu" });
  }));

Deno.test("modelInputs() and parameterCount() are of an adapter and of the base beneath it", () =>
  withModel("qwen2", async (base) => {
    await Promise.resolve();
    const { layout } = base.weights, targets = new Set(["model.layers.0.mlp.up_proj.weight"]);
    const plan = { rank: 1, alpha: 1, rslora: false, scaling: 1, dropout: 0, targets, saved: new Set<string>() };
    const model = LanguageModel.adapt(base, plan, null), names = Object.keys(modelInputs(model));
    assert.deepEqual(names.filter((name) => name.includes("lora")), ["weight.0.up.lora_A", "weight.0.up.lora_B"]);
    assert.equal(names.length, layout.packed.length + 2);
    assert.equal(parameterCount(model), layout.count + 64 + 128);
    assert.equal(graphOptions(model).adapter!.base, layout);
    model.weights.release();
  }));
