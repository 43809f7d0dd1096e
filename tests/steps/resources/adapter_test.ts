import assert from "node:assert/strict";
import { join } from "node:path";
import { readAdapter } from "../../../data/hub/peft_adapter.ts";
import { LORA } from "../../../steps/options/lora.ts";
import {
  adapterOfModel,
  adapterSettings,
  freshAdapter,
  loadedAdapter,
  modelTensors,
  refuseIdle,
} from "../../../steps/resources/adapter.ts";
import { withModel } from "../../gpu/golden_model.ts";
import { editJson } from "../contexts/model_folders.ts";
import { same } from "../../same.ts";

const FOLDER = "tests/models/qwen2_lora";
const moments = (values: Float32Array) => {
  const mean = values.reduce((a, b) => a + b, 0) / values.length;
  return { mean, deviation: Math.sqrt(values.reduce((a, b) => a + (b - mean) ** 2, 0) / values.length) };
};

Deno.test("freshAdapter() draws A as PEFT does, by the seed, and leaves B at zero", () =>
  withModel("qwen2", async (base) => {
    await Promise.resolve();
    const drawn = (given: Record<string, unknown>, seed = 1) => {
      const options = LORA.parse({ target_modules: "all_linear", rank: 64, ...given });
      const model = freshAdapter(base, options, seed), { pairs } = adapterOfModel(model);
      model.weights.release();
      return pairs.get("model.layers.0.mlp.down_proj.weight")!;
    };
    const { a, b } = drawn({}), bound = 1 / Math.sqrt(128);
    assert.deepEqual([a.shape, b.shape], [[64, 128], [64, 64]]);
    assert(a.data.every((x) => Math.abs(x) <= bound) && a.data.some((x) => Math.abs(x) > 0.99 * bound));
    // Uniform within ±bound: its deviation is bound / √3.
    const { mean, deviation } = moments(a.data);
    assert(Math.abs(mean) < 2e-3 && Math.abs(deviation - bound / Math.sqrt(3)) < 1e-3, `${mean} ${deviation}`);
    assert(b.data.every((x) => x === 0));
    const gaussian = moments(drawn({ init: "gaussian" }).a.data);
    assert(Math.abs(gaussian.deviation - 1 / 64) < 5e-4, `${gaussian.deviation}`);
    same(drawn({}).a.data, a.data);
    assert.notDeepEqual(drawn({}, 2).a.data, a.data);
  }));

Deno.test("freshAdapter() starts copies of whole modules at what the base has", () =>
  withModel("qwen2", async (base) => {
    await Promise.resolve();
    const model = freshAdapter(base, LORA.parse({ modules_to_save: ["embed_tokens"] }), 1);
    const { saved } = adapterOfModel(model), name = "model.embed_tokens.weight";
    same(saved.get(name)!.data, base.weights.toHuggingFace().get(name)!.data);
    assert.equal(adapterSettings(model)["lora_modules_to_save"], "embed_tokens");
    model.weights.release();
  }));

Deno.test("loadedAdapter() holds a PEFT folder's numbers, and modelTensors() the weights with it merged", () =>
  withModel("qwen2", async (base) => {
    await Promise.resolve();
    const model = loadedAdapter(base, FOLDER, 0), want = readAdapter(FOLDER), got = adapterOfModel(model);
    assert.deepEqual({ ...got, pairs: null }, { ...want, pairs: null });
    for (const [name, { a, b }] of want.pairs) {
      same(got.pairs.get(name)!.a.data, a.data);
      same(got.pairs.get(name)!.b.data, b.data);
    }
    assert.deepEqual(adapterSettings(model), {
      lora_rank: 4,
      lora_alpha: 8,
      lora_dropout: 0,
      lora_target_modules: "down_proj, gate_proj, k_proj, o_proj, q_proj, up_proj, v_proj",
      lora_fresh: false,
      adapter_parameters: model.weights.layout.count,
    });
    const merged = modelTensors(model), before = base.weights.toHuggingFace();
    assert.deepEqual([...merged.keys()].sort(), [...before.keys()].sort());
    assert.notDeepEqual(
      merged.get("model.layers.0.mlp.up_proj.weight"),
      before.get("model.layers.0.mlp.up_proj.weight"),
    );
    assert.deepEqual(adapterSettings(base), {});
    assert.throws(() => adapterOfModel(base), /Cannot write an adapter: the model has none/);
    model.weights.release();
  }));

Deno.test("loadedAdapter() names an adapter of another model, and one with NaN", () =>
  withModel("qwen3", async (other) => {
    await Promise.resolve();
    assert.throws(
      () => loadedAdapter(other, FOLDER, 0),
      /Cannot load the adapter in .*is it another model's\? .*want \[/,
    );
    const folder = Deno.makeTempDirSync();
    for (const file of ["adapter_config.json", "adapter_model.safetensors"]) {
      Deno.copyFileSync(join(FOLDER, file), join(folder, file));
    }
    const path = join(folder, "adapter_model.safetensors"), bytes = Deno.readFileSync(path);
    new DataView(bytes.buffer).setFloat32(bytes.length - 4, NaN, true);
    Deno.writeFileSync(path, bytes);
    assert.throws(
      () => loadedAdapter(other, folder, 0),
      /" \(F32\) is NaN as float32 at \[\d+,\d+\], want finite numbers/,
    );
    editJson(join(folder, "adapter_config.json"), (config) => config["lora_dropout"] = 1);
    assert.throws(() => loadedAdapter(other, folder, 0), /its lora_dropout is 1/);
    Deno.removeSync(folder, { recursive: true });
  }));

Deno.test("refuseIdle() refuses to freeze every B at zero, not A, some of B, or a B that already moved", () =>
  withModel("qwen2", async (base) => {
    await Promise.resolve();
    const fresh = freshAdapter(base, LORA.parse({}), 1), loaded = loadedAdapter(base, FOLDER, 1);
    fresh.setTrainable(["*.lora_B.weight"]);
    refuseIdle(fresh);
    fresh.setTrainable(["*.lora_A.weight"]);
    assert.throws(
      () => refuseIdle(fresh),
      /^RangeError: Cannot train the adapter: trainable leaves out lora_B of .* is 0/,
    );
    fresh.setTrainable(["*layers.0*lora_B*"]);
    refuseIdle(fresh);
    loaded.setTrainable(["*.lora_A.weight"]);
    refuseIdle(loaded);
    refuseIdle(base);
    for (const model of [fresh, loaded]) model.weights.release();
  }));

Deno.test("an adapter's dropout keeps its share of inputs, by the seed and by place", () =>
  withModel("qwen2", async (base) => {
    await Promise.resolve();
    const model = freshAdapter(base, LORA.parse({ dropout: 0.3 }), 5),
      place = { trainStep: 2, stream: "x", row: 1, token: 0 };
    const kept = (more: Partial<typeof place>) => {
      const keep = new Uint8Array(20_003);
      model.adapted!.keep!({ ...place, ...more }, keep);
      return keep;
    };
    const once = kept({}), share = once.reduce((a, b) => a + b, 0) / once.length;
    assert(Math.abs(share - 0.7) < 0.01, `${share}`);
    assert.deepEqual(kept({}), once);
    for (const more of [{ row: 2 }, { token: 1 }, { trainStep: 3 }, { stream: "y" }]) {
      const other = kept(more), same = other.filter((x, i) => x === once[i]).length / once.length;
      // Two independent draws agree where both keep or both drop: 0.49 + 0.09.
      assert(Math.abs(same - 0.58) < 0.02, `${JSON.stringify(more)} ${same}`);
    }
    assert.equal(freshAdapter(base, LORA.parse({}), 5).adapted!.keep, null);
    model.weights.release();
  }));
