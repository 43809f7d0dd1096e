import assert from "node:assert/strict";
import { join } from "node:path";
import { MODEL_PRESETS } from "../../../steps/resources/model_presets.ts";
import { findFolder, folderSource, modelSource, readTensors } from "../../../steps/resources/model_source.ts";
import { modelFolder } from "../contexts/model_folders.ts";

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
