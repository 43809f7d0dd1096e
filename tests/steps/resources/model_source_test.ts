import assert from "node:assert/strict";
import { join } from "node:path";
import { MODEL_PRESETS } from "../../../steps/resources/model_presets.ts";
import {
  adapterFolder,
  findFolder,
  folderSource,
  modelSource,
  namedFolder,
  readTensors,
  weightFolders,
} from "../../../steps/resources/model_source.ts";
import { modelFolder } from "../contexts/model_folders.ts";
import { withCached } from "../../data/hub/remote/cached.ts";

Deno.test("modelSource() gives a preset and an object our tokenizer and its ids, and no folder", () => {
  const folders = { workflow: "/nowhere", run: "/nowhere" };
  for (const model of ["tiny_qwen2", MODEL_PRESETS.tiny_qwen2] as const) {
    const { config, tokenizer, folder, generation } = modelSource(model, folders);
    assert.deepEqual([folder, generation], [null, null]);
    assert.equal(config["vocab_size"], tokenizer.vocabSize);
    assert.deepEqual([config["eos_token_id"]], tokenizer.eosIds);
    assert.equal(config["hidden_size"], MODEL_PRESETS.tiny_qwen2.hidden_size);
  }
});

Deno.test("modelSource() gives a model of pictures the visual tokenizer, its ids, and the image processor's file", () => {
  const { config, tokenizer } = modelSource("small_qwen2_vl", { workflow: "/nowhere", run: "/nowhere" });
  assert.deepEqual([config["vocab_size"], config["image_token_id"]], [342, tokenizer.tokenToId("<|image_pad|>")]);
  assert.equal(JSON.parse(tokenizer.files.get("tokenizer_config.json")!).model_max_length, 512);
  assert(tokenizer.files.has("preprocessor_config.json"));
});

Deno.test("findFolder() looks beside the workflow, in a run's folder and among the runs, in this order", () => {
  const root = Deno.makeTempDirSync();
  try {
    const folders = { workflow: join(root, "flows"), run: join(root, "runs", "now") };
    for (const folder of Object.values(folders)) Deno.mkdirSync(folder, { recursive: true });
    const among = modelFolder(join(root, "runs", "earlier"), "qwen2", { as: "model" });
    assert.equal(findFolder("earlier", folders), among);
    assert.equal(findFolder("../runs/earlier", folders), among);
    const beside = modelFolder(folders.workflow, "qwen2", { as: "earlier" });
    assert.equal(findFolder("earlier", folders), beside);
    assert.throws(() => findFolder("no", folders), {
      name: "RangeError",
      message: /Cannot load model "no": it is no preset .*flows\/no or .*no\/model or .*runs\/no\/model/,
    });
    assert.equal(folderSource(beside).folder, beside);
    assert.deepEqual(readTensors(beside), readTensors(among));
  } finally {
    Deno.removeSync(root, { recursive: true });
  }
});

Deno.test("hf:ORG/NAME is the folder in the cache, and an adapter's name is its base with it", () =>
  withCached({ "org/tiny": "tests/models/qwen2", "org/lora": "tests/models/qwen2_lora" }, (folders) => {
    const places = { workflow: "/nowhere", run: "/nowhere" };
    assert.equal(namedFolder("hf:org/tiny", "/nowhere"), folders["org/tiny"]);
    assert.equal(namedFolder("a", "/nowhere"), "/nowhere/a");
    assert.equal(findFolder("hf:org/tiny", places), folders["org/tiny"]);
    assert.deepEqual(weightFolders("hf:org/tiny", places), { folder: folders["org/tiny"], adapter: null });
    const settings = join(folders["org/lora"]!, "adapter_config.json"), text = Deno.readTextFileSync(settings);
    Deno.writeTextFileSync(settings, text.replace('"../qwen2"', '"org/tiny"'));
    assert.deepEqual(weightFolders("hf:org/lora", places), {
      folder: folders["org/tiny"],
      adapter: folders["org/lora"],
    });
    Deno.writeTextFileSync(
      settings,
      text.replace('"../qwen2"', '"org/base"').replace('"revision": null', '"revision": "v1"'),
    );
    assert.throws(() => modelSource("hf:org/lora", places), {
      message:
        /Cannot load "hf:org\/base@v1": it is not in the cache at .*; fetch it by: deno task pull org\/base --revision v1$/,
    });
    assert.deepEqual(weightFolders("tests/models/qwen2_lora", { workflow: Deno.cwd(), run: "/nowhere" }), {
      folder: join(Deno.cwd(), "tests/models/qwen2"),
      adapter: join(Deno.cwd(), "tests/models/qwen2_lora"),
    });
  }));

Deno.test("readTensors() says how much there is to read of a large folder, when its first numbers are asked for", () => {
  const folder = Deno.makeTempDirSync(), elements = 110_000_000, said: string[] = [];
  const text = JSON.stringify({ w: { dtype: "BF16", shape: [elements], data_offsets: [0, 2 * elements] } });
  {
    using file = Deno.openSync(join(folder, "model.safetensors"), { write: true, create: true });
    file.writeSync(new Uint8Array(BigUint64Array.of(BigInt(text.length)).buffer));
    file.writeSync(new TextEncoder().encode(text));
    file.truncateSync(8 + text.length + 2 * elements); // holes take no room
  }
  const tensors = readTensors(folder, null, (line) => said.push(line));
  assert.deepEqual(said, []);
  const into = new Float32Array(4).fill(1);
  for (const from of [0, elements - 4]) tensors.get("w")!.read!(into, from);
  assert.deepEqual(into, new Float32Array(4));
  assert.deepEqual(said, [`model: reading 220 MB from ${folder}`]);
  Deno.removeSync(folder, { recursive: true });
});

Deno.test("adapterFolder() says where an adapter was looked for, each place once, and what lies there", () => {
  const folder = Deno.makeTempDirSync({ prefix: "nonzero_adapter_" });
  const said = (name: string) => {
    try {
      return adapterFolder(name, { workflow: folder, run: join(folder, "run") });
    } catch (error) {
      return String(error);
    }
  };
  try {
    Deno.mkdirSync(join(folder, "empty"));
    Deno.mkdirSync(join(folder, "out/checkpoint-500"), { recursive: true });
    Deno.writeTextFileSync(join(folder, "a_file"), "");
    const places = `${folder}/none or ${folder}/none/model`;
    const relative = "(paths in a workflow are relative to its file, those of -p to where you stand)";
    assert(said("none").includes(`no adapter_config.json in ${places} ${relative}; ${folder}/none is not there; give`));
    assert(
      said(join(folder, "none")).includes(`no adapter_config.json in ${places}; ${folder}/none is not there; give`),
    );
    assert(said("empty").includes(`; ${folder}/empty is empty; give`));
    assert(said("a_file").includes(`; ${folder}/a_file is no folder; give`));
    assert(said("out").includes(`; ${folder}/out holds checkpoint-500; give`));
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
});
