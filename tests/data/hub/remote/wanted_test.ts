import assert from "node:assert/strict";
import type { RemoteFile } from "../../../../data/hub/remote/listing.ts";
import { parseRepository } from "../../../../data/hub/remote/repository.ts";
import { FORMATS } from "../../../../data/datasets/formats/mod.ts";
import { OPTIONAL, wantedFiles } from "../../../../data/hub/remote/wanted.ts";

const files = (...paths: string[]): RemoteFile[] =>
  paths.map((path) => ({ path, size: 1, hash: { kind: "git", hex: "0".repeat(40) } }));
const taken = (address: string, paths: readonly string[], include: readonly string[] = []) => {
  const { beside, weights } = wantedFiles(parseRepository(address), files(...paths), include);
  return [beside.map(({ path }) => path), weights.map(({ path }) => path)];
};

Deno.test("wantedFiles() takes one form of the weights and what load_model reads beside them", () => {
  const beside = [
    "config.json",
    "tokenizer.json",
    "chat_template.jinja",
    "LICENSE",
    "additional_chat_templates/tool_use.jinja",
    "preprocessor_config.json",
    "processor_config.json",
  ];
  const others = [
    "model.fp16.safetensors",
    "consolidated.safetensors",
    "original/model.safetensors",
    "pytorch_model.bin",
    "model.onnx",
  ];
  assert.deepEqual(taken("a/b", [...beside, "model.safetensors", ...others]), [beside, ["model.safetensors"]]);
  const index = "model.safetensors.index.json",
    shards = ["model-00001-of-00002.safetensors", "model-00002-of-00002.safetensors"];
  assert.deepEqual(taken("a/b", ["config.json", index, ...shards, ...others]), [["config.json", index], shards]);
  assert.deepEqual(taken("a/b", ["config.json", "model.safetensors", index, ...shards]), [["config.json"], [
    "model.safetensors",
  ]]);
  assert.deepEqual(taken("a/b", ["adapter_config.json", "adapter_model.safetensors", "adapter_model.bin"]), [
    ["adapter_config.json"],
    ["adapter_model.safetensors"],
  ]);
  assert.equal(OPTIONAL.includes("config.json"), false);
});

Deno.test("wantedFiles() names the other format where there are no safetensors", () => {
  const cases: [string[], RegExp][] = [
    [
      ["config.json", "pytorch_model.bin"],
      /its weights are pickle files \(pytorch_model\.bin\), which run what is in them .* want safetensors/,
    ],
    [["model.Q4.gguf"], /its weights are GGUF files/],
    [["onnx/model.onnx"], /its weights are ONNX files/],
    [["tf_model.h5"], /TensorFlow or Flax/],
    [
      ["train.parquet"],
      /it has no weights \(model\.safetensors\), only train\.parquet; a data set is written datasets\/ORG\/NAME/,
    ],
    [["model-00001-of-00002.safetensors"], /it has no weights/],
    [[], /only nothing/],
  ];
  for (const [paths, message] of cases) assert.throws(() => taken("a/b", paths), { name: "PullError", message });
});

Deno.test("wantedFiles() of a data set takes tables, those that --include names", () => {
  const paths = ["README.md", "main/train.parquet", "main/test.parquet", "socratic/train.parquet", "gsm.py"];
  assert.deepEqual(taken("datasets/a/b", paths), [["README.md"], paths.slice(1, 4)]);
  assert.deepEqual(taken("datasets/a/b", paths, ["main/*"])[1], ["main/train.parquet", "main/test.parquet"]);
  assert.deepEqual(taken("datasets/a/b", paths, ["**train.parquet"])[1], [
    "main/train.parquet",
    "socratic/train.parquet",
  ]);
  assert.throws(() => taken("datasets/a/b", paths, ["x/*"]), /it has no file like x\/\*; it has README\.md, main/);
  assert.throws(
    () => taken("datasets/a/b", ["gsm.py"]),
    /it has no file of rows that is read here \(.*\.parquet.*\.jsonl\.gz.*\), only gsm\.py/,
  );
});

Deno.test("wantedFiles() of a data set takes every format that is read, packed ones too", () => {
  const rows = Object.keys(FORMATS).map((ending) => `data/train${ending}`);
  assert(rows.includes("data/train.jsonl.gz") && rows.includes("data/train.arrow"), String(rows));
  assert.deepEqual(taken("datasets/a/b", [...rows, "data/train.zip", "LICENSE"]), [["LICENSE"], rows]);
});
