import assert from "node:assert/strict";
import { modelConfig } from "../../../gpu/models/config.ts";
import { ACTIVATIONS, PLAIN_FEATURES } from "../../../gpu/models/features.ts";
import { readJson } from "../safetensors.ts";

Deno.test("PLAIN_FEATURES are those of a Llama without options", () => {
  const config = modelConfig(readJson("models/llama/config.json"));
  for (const [name, value] of Object.entries(PLAIN_FEATURES)) {
    assert.equal(config[name as keyof typeof config], value, name);
  }
});

Deno.test("ACTIVATIONS are known by the names of transformers, any other is refused", () => {
  const json = readJson("models/llama/config.json");
  for (const [name, activation] of Object.entries(ACTIVATIONS)) {
    assert.equal(modelConfig({ ...json, hidden_act: name }).activation, activation);
  }
  assert.throws(() => modelConfig({ ...json, hidden_act: "relu" }), /"hidden_act" is "relu", want "silu" or/);
});
