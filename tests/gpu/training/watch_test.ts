/** Values that are not finite are found where they arise, and named. */
import assert from "node:assert/strict";
import type { LanguageModel, TrainBatch, TrainSettings } from "../../../gpu/language_model.ts";
import { withModel } from "../golden_model.ts";

const SETTINGS: TrainSettings = {
  loss: {
    objective: "clipped",
    clipLow: 0.2,
    clipHigh: 0.2,
    ratioCap: null,
    ratioLevel: "token",
    kl: null,
    onPolicy: true,
  },
  aggregation: "token_mean",
  temperature: 1,
};
const BATCH: TrainBatch = {
  prompts: [[5, 6, 7], [8, 9]],
  group: 2,
  completions: [[10, 11, 12], [13], [14, 15], [16, 17, 18, 19]],
  inputs: { advantages: [1, -1, 0.5, -0.5] },
};

/** Changes values of a parameter in place, from its first element on. */
function set(model: LanguageModel, name: string, values: ArrayLike<number>): void {
  const { layout, values: all } = model.weights;
  const { offset } = layout.parameters.find((parameter) => parameter.name === name)!;
  const copy = all.download(new Float32Array(layout.size));
  copy.set(values, offset);
  all.upload(copy);
}
function fill(model: LanguageModel, name: string, value: number): void {
  set(model, name, new Float32Array(model.weights.layout.parameters.find((p) => p.name === name)!.size).fill(value));
}

for (const name of ["qwen2", "qwen3", "llama"]) {
  Deno.test(`locateNonFinite() finds nothing in a healthy batch of ${name} and changes no gradient`, () =>
    withModel(name, async (model) => {
      await model.accumulateGradient(BATCH, SETTINGS);
      const before = [...model.weights.namedGradients()].map(([, { data }]) => data);
      assert.equal(await model.locateNonFinite(BATCH, SETTINGS), null);
      const after = [...model.weights.namedGradients()].map(([, { data }]) => data);
      assert.deepEqual(after, before);
    }));
}

Deno.test("locateNonFinite() names the parameter that holds a NaN, and its place", () =>
  withModel("qwen2", async (model) => {
    set(model, "model.layers.1.mlp.down_proj.weight", [0.5, NaN, Infinity]);
    const found = await model.locateNonFinite(BATCH, SETTINGS);
    assert.equal(found!.kind, "weight");
    assert.equal(found!.name, "model.layers.1.mlp.down_proj.weight");
    assert.deepEqual([found!.count, found!.index, found!.op], [2, 1, null]);
    assert(Number.isNaN(found!.value));
  }));

Deno.test("locateNonFinite() names the input and the completion that hold a NaN", () =>
  withModel("qwen2", async (model) => {
    const found = await model.locateNonFinite({ ...BATCH, inputs: { advantages: [1, -1, NaN, 0] } }, SETTINGS);
    assert.equal(found!.kind, "input");
    assert.equal(found!.name, "advantages of completion 2");
    assert.equal(found!.count, 2); // both tokens of that completion
  }));

Deno.test("locateNonFinite() finds an overflow in the layer where finite weights make it", () =>
  withModel("qwen2", async (model) => {
    fill(model, "model.layers.1.mlp.up_proj.weight", 1e30);
    fill(model, "model.layers.1.mlp.gate_proj.weight", 1e30);
    const found = await model.locateNonFinite(BATCH, SETTINGS);
    assert.equal(found!.kind, "forward");
    assert.match(found!.name, /MLP of layer 1/);
    assert.match(found!.name, /model\.layers\.1\.mlp\.(gate|up)_proj\.weight/);
    assert(found!.largestInput! > 1e18, String(found!.largestInput));
  }));

Deno.test("locateNonFinite() finds attention scores that overflow before the softmax turns them to NaN", () =>
  withModel("qwen2", async (model) => {
    fill(model, "model.layers.0.self_attn.q_proj.weight", 1e25);
    fill(model, "model.layers.0.self_attn.k_proj.weight", 1e25);
    const found = await model.locateNonFinite(BATCH, SETTINGS);
    assert.equal(found!.kind, "forward");
    assert.match(found!.name, /attention of layer 0/);
    assert.notEqual(found!.op, "Softmax");
  }));

Deno.test("locateNonFinite() finds a gradient that overflows after a finite forward pass", () =>
  withModel("qwen2", async (model) => {
    const found = await model.locateNonFinite({ ...BATCH, inputs: { advantages: [3e38, -3e38, 3e38, -3e38] } }, {
      ...SETTINGS,
      aggregation: "token_mean",
      totals: { rolloutTokens: 1 },
      temperature: 1e-3,
    });
    assert(found !== null);
    assert.equal(found.kind, "backward", JSON.stringify(found));
    assert.match(found.name, /gradient of/);
  }));

Deno.test("locateNonFinite() calls an overflow of the loss itself forward", () =>
  withModel("qwen2", async (model) => {
    const batch = { ...BATCH, inputs: { advantages: [3e38, 3e38, 3e38, 3e38] } };
    const found = await model.locateNonFinite(batch, { ...SETTINGS, aggregation: "token_sum" });
    assert.deepEqual([found!.kind, found!.op], ["forward", "ReduceSum"]);
  }));
