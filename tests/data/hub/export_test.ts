/** A folder written and read again. @module */
import assert from "node:assert/strict";
import { join } from "node:path";
import { byteLevelTokenizer } from "../../../data/hub/byte_level_tokenizer.ts";
import { readGenerationConfig, readModelConfig } from "../../../data/hub/config.ts";
import { writeModelFolder } from "../../../data/hub/export.ts";
import { openModelTensors } from "../../../data/hub/model_tensors.ts";
import { loadTokenizer } from "../../../data/hub/tokenizer.ts";

const MODEL = {
  config: { model_type: "qwen2", vocab_size: 258, torch_dtype: "bfloat16" },
  generationConfig: { eos_token_id: 257 },
  tokenizerFiles: byteLevelTokenizer(),
  tensors: new Map([["1", { shape: [2, 2], data: Float32Array.of(1, -0, NaN, 0.1) }], ["empty", {
    shape: [0, 3],
    data: new Float32Array(0),
  }]]),
};

Deno.test("writeModelFolder() writes what the readers read, replaces a folder, leaves no temporary one", () => {
  const root = Deno.makeTempDirSync();
  const folder = join(root, "runs", "model");
  writeModelFolder(folder, { ...MODEL, tensors: new Map() });
  writeModelFolder(folder, MODEL);
  assert.deepEqual([...Deno.readDirSync(folder)].map(({ name }) => name).sort(), [
    "config.json",
    "generation_config.json",
    "model.safetensors",
    "special_tokens_map.json",
    "tokenizer.json",
    "tokenizer_config.json",
  ]);
  assert.equal(readModelConfig(folder).torch_dtype, "float32");
  assert.deepEqual(readGenerationConfig(folder), { eos_token_id: 257 });
  assert.deepEqual(loadTokenizer(folder).encode("<eos>"), [257]);
  using tensors = openModelTensors(folder);
  assert.deepEqual(tensors.float32("1"), Float32Array.of(1, -0, NaN, 0.1));
  assert.deepEqual(tensors.tensors.get("empty")!.shape, [0, 3]);
  assert.deepEqual([...Deno.readDirSync(join(root, "runs"))].map(({ name }) => name), ["model"]);
  Deno.removeSync(root, { recursive: true });
});

Deno.test("a failed export leaves the folder that was there", () => {
  const root = Deno.makeTempDirSync();
  const folder = join(root, "model");
  writeModelFolder(folder, MODEL);
  const wrong = new Map([["w", { shape: [3], data: new Float32Array(2) }]]);
  assert.throws(() => writeModelFolder(folder, { ...MODEL, tensors: wrong }), /\[3\] has 3 elements, its data 2/);
  assert.deepEqual([...Deno.readDirSync(root)].map(({ name }) => name), ["model"]);
  using tensors = openModelTensors(folder);
  assert.equal(tensors.float32("1").length, 4);
  const files = new Map([["../x", ""]]);
  assert.throws(() => writeModelFolder(folder, { ...MODEL, tokenizerFiles: files }), /Cannot export file "\.\.\/x"/);
  Deno.removeSync(root, { recursive: true });
});
