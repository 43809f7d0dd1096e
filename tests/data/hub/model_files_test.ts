import assert from "node:assert/strict";
import { join } from "node:path";
import {
  indexName,
  isBesideWeights,
  isCard,
  isOfModelFolder,
  isWeights,
  OTHER_TOKENIZERS,
  shardNames,
  templateName,
  TOKENIZER_FILES,
  weightMap,
  weightsName,
} from "../../../data/hub/model_files.ts";

const ALL = [
  ...["config.json", "generation_config.json", "adapter_config.json", "added_tokens.json", "processor_config.json"],
  ...TOKENIZER_FILES,
  ...OTHER_TOKENIZERS,
];

Deno.test("what is read or shown beside the weights, and what an export may replace", () => {
  for (const name of [...ALL, "README.md", "LICENSE.txt"]) {
    assert(isBesideWeights(name) && isOfModelFolder(name) && !isWeights(name), name);
  }
  assert(isBesideWeights("additional_chat_templates/rag.jinja"));
  assert.equal(templateName("additional_chat_templates/rag.jinja"), "rag");
  assert.equal(templateName("chat_template.jinja"), null);
  for (const name of ["notes.txt", "train.parquet", "docs/README.md", "a/config.json"]) {
    assert(!isBesideWeights(name) && !isOfModelFolder(name), name);
  }
  assert(isCard("docs/README.md") && !isCard("README.md.txt"));
});

Deno.test("weights are a file or shards, of a model or an adapter; other copies are not fetched, and are replaced", () => {
  for (const name of ["model.safetensors", "model-00001-of-00002.safetensors", "adapter_model.safetensors"]) {
    assert(isWeights(name) && isOfModelFolder(name), name);
  }
  for (const name of ["consolidated.safetensors", "model.fp16.safetensors"]) {
    assert(!isWeights(name) && isOfModelFolder(name), name);
  }
  assert.equal(weightsName("adapter_model"), "adapter_model.safetensors");
  assert(isOfModelFolder(indexName("model")) && !isWeights(indexName("model")));
});

Deno.test("weightMap() is what an index says, null without one; shardNames() are its files", () => {
  const folder = Deno.makeTempDirSync(), path = join(folder, "model.safetensors.index.json");
  try {
    assert.equal(weightMap(folder, "model"), null);
    Deno.writeTextFileSync(path, '{"weight_map": {"a": "b.safetensors", "c": "a.safetensors", "d": "b.safetensors"}}');
    assert.deepEqual(shardNames(weightMap(folder, "model")!), ["a.safetensors", "b.safetensors"]);
    for (const bad of ["{}", '{"weight_map": {"a": 1}}', '{"weight_map": null}']) {
      Deno.writeTextFileSync(path, bad);
      assert.throws(() => weightMap(folder, "model"), /weight_map is not an object of file names/);
    }
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
});
