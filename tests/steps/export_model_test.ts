import assert from "node:assert/strict";
import { join } from "node:path";
import { readSafetensors } from "../gpu/safetensors.ts";
import { exportModel } from "../../steps/export_model.ts";
import { editJson, modelFolder } from "./contexts/model_folders.ts";
import { withRun, withTinyPolicy } from "./contexts/training_run.ts";
import { same } from "../same.ts";

const json = (...path: string[]) => JSON.parse(Deno.readTextFileSync(join(...path))) as Record<string, unknown>;
const files = (folder: string) => [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
const MODELS = new URL("../models/", import.meta.url).pathname;

Deno.test("export_model writes the files of a Hugging Face folder, and load_model reads them bitwise", () =>
  withTinyPolicy(async (run) => {
    await run.run("fine_tune", { max_updates: 2, batch_size: 4 });
    const { outputs } = await run.run("export_model");
    const folder = String(outputs!["folder"]);
    assert.equal(folder, join(run.folders.run, "model"));
    assert.deepEqual(files(folder), [
      "README.md",
      "config.json",
      "generation_config.json",
      "model.safetensors",
      "special_tokens_map.json",
      "tokenizer.json",
      "tokenizer_config.json",
    ]);
    const before = run.weights(), ids = Array.from(run.policy.encodePrompt("4+8=", 0));
    await run.run("load_model", { model: folder });
    same(run.weights(), before);
    assert.deepEqual(Array.from(run.policy.encodePrompt("4+8=", 0)), ids);
  }));

for (const name of ["qwen2", "qwen3", "llama"]) {
  Deno.test(`export_model gives ${name} back as it was: every tensor, name and shape; every key of the model`, () =>
    withRun(async (run) => {
      modelFolder(run.folder, name);
      await run.run("load_model", { model: `./${name}` });
      const { outputs } = await run.run("export_model", { folder: "./out" });
      const folder = String(outputs!["folder"]);
      assert.equal(folder, join(run.folder, "out"), "relative to the workflow file");
      const want = readSafetensors(`models/${name}/model.safetensors`);
      await run.run("load_model", { model: folder });
      const got = run.policy.model.weights.toHuggingFace();
      assert.deepEqual([...got.keys()].sort(), [...want.keys()].sort());
      for (const [tensor, { data }] of want) same(got.get(tensor)!.data, data, tensor);
      const [config, original] = [json(folder, "config.json"), json(MODELS, name, "config.json")];
      for (
        const key of [
          "architectures",
          "model_type",
          "hidden_size",
          "intermediate_size",
          "num_hidden_layers",
          "num_attention_heads",
          "num_key_value_heads",
          "rms_norm_eps",
          "vocab_size",
          "max_position_embeddings",
          "tie_word_embeddings",
          "hidden_act",
          "pad_token_id",
        ]
      ) assert.deepEqual(config[key], original[key], key);
      assert.deepEqual(config["head_dim"] ?? 16, original["head_dim"] ?? 16);
      const generation = json(folder, "generation_config.json");
      assert.deepEqual(generation["eos_token_id"], [503, 501]);
      assert.equal(generation["temperature"], 0.7);
    }));
}

Deno.test("export_model says how the run sampled, and how long the model's sequences may be", () =>
  withTinyPolicy(async (run) => {
    const exported = async () => String((await run.run("export_model", { folder: "./out" })).outputs!["folder"]);
    const before = json(await exported(), "generation_config.json");
    assert.equal(before["temperature"], undefined, "it has not sampled");
    run.tables.advance();
    const given = { prompts_per_step: 1, group_size: 2, max_new_tokens: 5 };
    await run.run("sample_groups", { ...given, temperature: 0.7, top_k: 9 });
    const folder = await exported();
    const { bos_token_id: _b, eos_token_id: _e, pad_token_id: _p, ...sampling } = json(
      folder,
      "generation_config.json",
    );
    assert.deepEqual(sampling, {
      do_sample: true,
      temperature: 0.7,
      top_k: 9,
      top_p: 1,
      min_p: 0,
      repetition_penalty: 1,
      max_new_tokens: 5,
    });
    assert.equal(json(folder, "tokenizer_config.json")["model_max_length"], 256);
    assert.equal(json(folder, "config.json")["max_position_embeddings"], 256);
    await run.run("sample_groups", { ...given, suppress_tokens: [65, 66] });
    assert.deepEqual(json(await exported(), "generation_config.json")["suppress_tokens"], [65, 66]);
    await run.run("sample_groups", { ...given, temperature: 0 });
    const greedy = json(await exported(), "generation_config.json");
    assert.deepEqual([greedy["do_sample"], "temperature" in greedy, "top_k" in greedy], [false, false, false]);
  }));

Deno.test("export_model writes half the bytes as bfloat16, rounded to nearest", () =>
  withTinyPolicy(async (run) => {
    const before = run.weights();
    const { outputs } = await run.run("export_model", { dtype: "bfloat16" });
    const folder = String(outputs!["folder"]);
    assert.equal(json(folder, "config.json")["torch_dtype"], "bfloat16");
    await run.run("load_model", { model: folder });
    run.weights().forEach((value, i) => {
      assert(Math.abs(value - before[i]!) <= Math.abs(before[i]!) * 2 ** -8, `${value} for ${before[i]}`);
    });
    assert.notDeepEqual(run.weights(), before);
  }));

Deno.test("export_model refuses a weight that is not finite, by name, and leaves the folder that was there", () =>
  withTinyPolicy(async (run) => {
    const folder = join(run.folder, "model");
    await run.run("export_model", { folder });
    const size = Deno.statSync(join(folder, "model.safetensors")).size;
    const weights = run.weights();
    weights[5] = NaN;
    run.policy.model.weights.values.upload(weights);
    await assert.rejects(
      run.run("export_model", { folder }),
      /parameter "model\.embed_tokens\.weight" holds NaN at element 5, want finite numbers; go back to a checkpoint/,
    );
    assert.equal(Deno.statSync(join(folder, "model.safetensors")).size, size);
    assert.deepEqual([...Deno.readDirSync(run.folder)].map(({ name }) => name).sort(), ["model", "runs"]);
  }));

Deno.test("export_model writes the tokenizer's ids, whatever the model folder's generation_config.json says", () =>
  withRun(async (run) => {
    const folder = modelFolder(run.folder, "qwen2");
    editJson(join(folder, "generation_config.json"), (json) => {
      json["eos_token_id"] = [7];
      json["pad_token_id"] = 8;
    });
    await run.run("load_model", { model: "./qwen2" });
    const { tokenizer } = run.policy, out = join(run.folder, "out");
    await run.run("export_model", { folder: out });
    const exported = json(out, "generation_config.json");
    assert.deepEqual([exported["eos_token_id"]].flat(), [...tokenizer.eosIds]);
    assert.equal(exported["pad_token_id"], tokenizer.padId);
  }));

Deno.test("export_model keeps what the source's config.json says besides, and writes a card without a path of this machine", () =>
  withRun(async (run) => {
    const folder = modelFolder(run.folder, "qwen2");
    editJson(join(folder, "config.json"), (config) => {
      Object.assign(config, { use_mrope: false, _name_or_path: "/home/me/x" });
    });
    Deno.writeTextFileSync(join(folder, "README.md"), "---\nlicense: apache-2.0\n---\n");
    await run.run("load_model", { model: "./qwen2" });
    const { outputs } = await run.run("export_model", { folder: "./out", dtype: "bfloat16" });
    const config = json(String(outputs!["folder"]), "config.json");
    assert.deepEqual([config["use_mrope"], config["_name_or_path"]], [false, undefined]);
    const card = Deno.readTextFileSync(join(run.folder, "out/README.md"));
    assert.match(card, /^---\nlicense: "apache-2\.0"\nlibrary_name: transformers\ntags:\n- "nonzero"/);
    assert(!card.includes(run.folder) && !card.includes("/home/"), card);
    await run.run("export_model", { folder: "./out" }); // a card of ours is written anew
    Deno.writeTextFileSync(join(run.folder, "out/README.md"), "mine");
    await assert.rejects(
      run.run("export_model", { folder: "./out" }),
      /it holds "README\.md", which is no file of a model/,
    );
  }));

Deno.test("export_model puts a model under another name, and never over the base of its adapter", () =>
  withTinyPolicy(async (run) => {
    const { outputs } = await run.run("export_model", { name: "base" });
    const base = String(outputs!["folder"]), lora = { rank: 2, target_modules: "all_linear" };
    assert.equal(base, join(run.folders.run, "base"));
    await run.run("load_model", { model: base, lora });
    const written = Deno.readFileSync(join(base, "model.safetensors"));
    for (const given of [{ name: "base" }, { folder: base }, { folder: base, merge: false }]) {
      await assert.rejects(run.run("export_model", given), {
        name: "RangeError",
        message: /^Cannot export the model into .*base: its adapter's base lies there, .*; set name of one of the two/,
      });
    }
    assert.deepEqual(Deno.readFileSync(join(base, "model.safetensors")), written);
    assert.equal((await run.run("export_model")).outputs!["folder"], join(run.folders.run, "model"));
    const check = (given: Record<string, unknown>) => exportModel.check!(exportModel.params.parse(given))[0];
    assert.equal(check({ name: "base" }), undefined);
    assert.match(check({ name: "tables" })!, /the run keeps its own files there/);
    assert.match(check({ name: "base", folder: "./there" })!, /want one of the two/);
  }));
