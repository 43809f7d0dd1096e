import assert from "node:assert/strict";
import { beneath, lowRankNames, moduleOf, peftTensor, wholeName } from "../../../data/hub/peft_names.ts";
import { openModelTensors } from "../../../data/hub/model_tensors.ts";

Deno.test("peftTensor() reads what PEFT wrote, and lowRankNames() writes it so", () => {
  using file = openModelTensors("tests/models/qwen2_lora", "adapter_model");
  for (const name of file.tensors.keys()) {
    const { parameter, half } = peftTensor(name)!;
    assert.equal(lowRankNames(parameter)[half === "A" ? "a" : "b"], name);
  }
  assert(file.tensors.size > 0);
});

Deno.test("peftTensor() tells halves from whole parameters, with PEFT's prefix or without, and nothing else", () => {
  const q = "model.layers.0.self_attn.q_proj";
  assert.deepEqual(peftTensor(wholeName("score.weight")), { parameter: "score.weight", module: "score", half: null });
  assert.deepEqual(peftTensor(`${q}.bias`), { parameter: `${q}.bias`, module: q, half: null });
  assert.deepEqual(peftTensor(`${q}.lora_B.weight`), { parameter: `${q}.weight`, module: q, half: "B" });
  for (const name of [`${q}.lora_B.bias`, "model.embed_tokens.lora_embedding_A", "weight"]) {
    assert.equal(peftTensor(name), null, name);
  }
  assert.deepEqual([`${q}.weight`, `${q}.bias`, q].map(moduleOf), [q, q, q]);
});

Deno.test("a model that reads images has two names for its modules: PEFT's are read as those of published files", () => {
  using file = openModelTensors("tests/models/qwen2_vl_lora", "adapter_model");
  for (const name of file.tensors.keys()) {
    const { parameter, module, half } = peftTensor(name)!;
    assert.match(parameter, /^(?:model\.layers|visual\.blocks)\.\d/);
    assert.match(module, /^model\.(?:language_model|visual)\./);
    assert.equal(lowRankNames(parameter, true)[half === "A" ? "a" : "b"], name);
  }
  assert.equal(file.tensors.size, 16);
  assert.equal(
    beneath("base_model.model.model.language_model.embed_tokens.base_layer.weight"),
    "model.embed_tokens.weight",
  );
});

Deno.test("beneath() knows what PEFT saves of the model itself", () => {
  assert.equal(beneath("base_model.model.lm_head.base_layer.weight"), "lm_head.weight");
  assert.equal(beneath("base_model.model.lm_head.weight"), null);
});
