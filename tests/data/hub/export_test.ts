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
  tensors: new Map([["1", { shape: [2, 2], data: Float32Array.of(1, -0, 1e38, 0.1) }], ["empty", {
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
  assert.deepEqual(tensors.float32("1"), Float32Array.of(1, -0, 1e38, 0.1));
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

Deno.test("writeModelFolder() replaces a model folder, and nothing that holds other files", () => {
  const root = Deno.makeTempDirSync();
  const write = (...path: string[]) => Deno.writeTextFileSync(join(root, ...path), "mine");
  const names = (folder: string) => [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
  try {
    for (
      const name of [
        "model-00001-of-00002.safetensors",
        "model.safetensors.index.json",
        "vocab.json",
        "merges.txt",
        "chat_template.jinja",
        "chat_template.json",
        "tokenizer.model",
        "preprocessor_config.json",
      ]
    ) {
      Deno.mkdirSync(join(root, "model"), { recursive: true });
      write("model", name);
      writeModelFolder(join(root, "model"), MODEL);
      assert(!names(join(root, "model")).includes(name), name);
    }
    for (const name of ["workflow.yaml", "data.json", "notes.md", "reward.ts"]) {
      Deno.mkdirSync(join(root, "mine"), { recursive: true });
      write("mine", name);
      assert.throws(() => writeModelFolder(join(root, "mine"), MODEL), /holds "[\w.]+", which is no file of a model/);
      assert(names(join(root, "mine")).includes(name));
    }
    assert.throws(() => writeModelFolder(root, MODEL), /Cannot export to .*: it holds "(?:mine|model)"/);
    assert.deepEqual(names(root), ["mine", "model"]);
  } finally {
    Deno.removeSync(root, { recursive: true });
  }
});

Deno.test("writeModelFolder() writes several files from a size on, with an index; templates into their folder", () => {
  const root = Deno.makeTempDirSync(), folder = join(root, "model");
  const tensors = new Map(
    ["a", "b", "c"].map((name, i) => [name, { shape: [2, 2], data: new Float32Array(4).fill(i) }]),
  );
  const files = new Map([...MODEL.tokenizerFiles, ["additional_chat_templates/rag.jinja", "r"] as const]);
  writeModelFolder(folder, { ...MODEL, tensors, tokenizerFiles: files, dtype: "BF16", shardBytes: 16 });
  const index = JSON.parse(Deno.readTextFileSync(join(folder, "model.safetensors.index.json")));
  const [first, second] = ["model-00001-of-00002.safetensors", "model-00002-of-00002.safetensors"];
  assert.deepEqual(index, { metadata: { total_size: 24 }, weight_map: { a: first, b: first, c: second } });
  {
    using opened = openModelTensors(folder);
    assert.deepEqual([...opened.tensors.keys()], ["a", "b", "c"]);
    assert.deepEqual(opened.float32("c"), new Float32Array(4).fill(2));
  }
  assert.equal(loadTokenizer(folder).templates["rag"], "r");
  writeModelFolder(folder, MODEL);
  assert.equal(
    [...Deno.readDirSync(folder)].some(({ name }) => name.includes("0000") || name.includes("index")),
    false,
  );
  Deno.removeSync(root, { recursive: true });
});
