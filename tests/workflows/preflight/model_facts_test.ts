/** A model is read without its weights, and whatever is wrong becomes a sentence. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { modelConfig } from "../../../gpu/models/config.ts";
import { MODEL_PRESETS } from "../../../steps/resources/model_presets.ts";
import { modelSource } from "../../../steps/resources/model_source.ts";
import { factsOf } from "../../../workflows/preflight/facts.ts";
import { withCached } from "../../data/hub/remote/cached.ts";
import { smallPlan, withFiles } from "./small_plans.ts";

Deno.test("readModel() reads a preset, a configuration and a folder", () =>
  withFiles(async (folder) => {
    const preset = (await factsOf(smallPlan({}, folder), null)).model!;
    assert.deepEqual([preset.problem, preset.folder, preset.config!.layers], [null, null, 2]);
    assert.equal(preset.tokenizer!.encode("12+3=").length, 5);
    const cold = (await factsOf(smallPlan({ model: { model: "cold" } }, folder), null)).model!;
    assert.deepEqual([cold.problem, cold.folder, cold.generation!["temperature"]], [null, join(folder, "cold"), 0.01]);
    assert.equal(cold.layout!.parameters[0]!.name, "model.embed_tokens.weight");
    assert.equal(cold.hasWeights, true);
  }));

Deno.test("readModel() makes the same model from nothing as load_model does", () =>
  withFiles(async (folder) => {
    const model = { ...MODEL_PRESETS.small_qwen2, max_position_embeddings: 77 };
    const facts = (await factsOf(smallPlan({ model: { model } }, folder), null)).model!;
    const source = modelSource(model, { workflow: folder, run: folder });
    assert.deepEqual(facts.tokenizer!.files, source.tokenizer.files);
    assert.deepEqual(facts.config, modelConfig(source.config));
    assert.match(facts.tokenizer!.files.get("tokenizer_config.json")!, /"model_max_length": ?77/);
  }));

Deno.test("readModel() makes a sentence of a folder that cannot be read", () =>
  withFiles(async (folder) => {
    Deno.writeTextFileSync(join(folder, "cold", "config.json"), "{");
    const { problem, config } = (await factsOf(smallPlan({ model: { model: "cold" } }, folder), null)).model!;
    assert.match(problem!, /config\.json/);
    assert.equal(config, null);
  }));

Deno.test("readModel() reads the headers of the weights: what is cut or not there is said before anything runs", () =>
  withFiles(async (folder) => {
    const weights = join(folder, "cold", "model.safetensors"), whole = Deno.readFileSync(weights);
    const problem = async () => (await factsOf(smallPlan({ model: { model: "cold" } }, folder), null)).model!.problem;
    Deno.writeFileSync(weights, whole.subarray(0, whole.length - 100));
    assert.match((await problem())!, /100 bytes are missing/);
    const text = new TextDecoder("latin1").decode(whole);
    Deno.writeFileSync(
      weights,
      Uint8Array.from(text.replace("model.norm.weight", "model.morn.weight"), (c) => c.charCodeAt(0)),
    );
    assert.match((await problem())!, /"model\.morn\.weight" is not a parameter of this model/);
  }));

Deno.test("readModel() tells how images cannot be cut, by the folder's file or the step's bounds", () =>
  withFiles(async (folder) => {
    const from = new URL("../../models/qwen2_vl/", import.meta.url), to = join(folder, "pictures");
    Deno.mkdirSync(to);
    for (const { name } of Deno.readDirSync(from)) Deno.copyFileSync(new URL(name, from), join(to, name));
    const problem = async (model: Record<string, unknown>) =>
      (await factsOf(smallPlan({ model }, folder), null)).model!.problem;
    assert.equal(await problem({ model: "pictures", max_pixels: 6272 }), null);
    assert.match((await problem({ model: "pictures", min_pixels: 1e6 }))!, /at least 1000000 pixels are wanted and at/);
    assert.match((await problem({ model: "small_qwen2_vl", min_pixels: 1e8 }))!, /^Cannot read preprocessor_config/);
    assert.match((await problem({ model: "cold", max_pixels: 6272 }))!, /the model reads words alone; leave out/);
    const file = join(to, "preprocessor_config.json");
    Deno.writeTextFileSync(file, "{");
    assert.match((await problem({ model: "pictures" }))!, /^Cannot read preprocessor_config\.json: it is not JSON/);
    Deno.removeSync(file);
    assert.match((await problem({ model: "pictures" }))!, /its folder no preprocessor_config\.json; download the/);
  }));

Deno.test(
  "readModel() refuses weights that are a pipe",
  { ignore: Deno.build.os === "windows" },
  () =>
    withFiles(async (folder) => {
      const weights = join(folder, "cold", "model.safetensors");
      Deno.removeSync(weights);
      new Deno.Command("mkfifo", { args: [weights] }).outputSync();
      const { problem } = (await factsOf(smallPlan({ model: { model: "cold" } }, folder), null)).model!;
      assert.match(problem!, /model\.safetensors: it is a pipe, want a file/);
    }),
);

Deno.test("readModel() takes a model of the Hub from the cache, and names the command that fetches another", () =>
  withFiles((folder) =>
    withCached({ "org/tiny": join(folder, "cold") }, async (folders, cache) => {
      const model = (await factsOf(smallPlan({ model: { model: "hf:org/tiny" } }, folder), null)).model!;
      assert.deepEqual([model.problem, model.folder], [null, folders["org/tiny"]]);
      const { problem } = (await factsOf(smallPlan({ model: { model: "hf:org/tyni@v2" } }, folder), null)).model!;
      const why = `there is no model "hf:org/tyni@v2" here: it is not in the cache at ${cache}; fetch it by: `;
      assert(problem!.startsWith(why) && problem!.endsWith(" pull org/tyni --revision v2"), problem!);
    })
  ));
