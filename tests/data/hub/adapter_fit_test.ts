import assert from "node:assert/strict";
import { adapterMisfit } from "../../../data/hub/adapter_fit.ts";
import { modelConfig } from "../../../gpu/models/config.ts";
import { parameterLayout } from "../../../gpu/models/parameters.ts";
import { readJson } from "../../gpu/safetensors.ts";

const FOLDER = "tests/models/qwen2_lora", CONFIG = readJson("models/qwen2/config.json") as Record<string, unknown>;
const parameters = (more: Record<string, unknown> = {}) =>
  parameterLayout(modelConfig({ ...CONFIG, ...more })).parameters;

Deno.test("adapterMisfit() is silent where names and shapes fit, and names the first that does not", () => {
  assert.equal(adapterMisfit(FOLDER, parameters()), null);
  assert.match(
    adapterMisfit(FOLDER, parameters({ intermediate_size: 96 }))!,
    /^its "base_model.*mlp\.\w+_proj\.lora_[AB]\.weight" is \[\d+,\d+\], and "model.*" of the model is \[\d+,\d+\]$/,
  );
  assert.match(
    adapterMisfit(FOLDER, parameters({ num_hidden_layers: 1 }))!,
    /^it changes "model\.layers\.1\..*", which the model has not/,
  );
  assert.throws(() => adapterMisfit("tests/models/qwen2", parameters()), /it has no adapter_config\.json/);
});
