import assert from "node:assert/strict";
import { loadModel } from "../../steps/load_model.ts";
import { join } from "node:path";
import { readSafetensors } from "../gpu/safetensors.ts";
import { writeSafetensors } from "../../data/hub/safetensors_write.ts";
import { loadTokenizer } from "../../data/hub/tokenizer.ts";
import { settingValues } from "../../steps/options/settings_table.ts";
import { MODEL_PRESETS } from "../../steps/resources/model_presets.ts";
import { editJson, modelFolder } from "./contexts/model_folders.ts";
import { type TrainingRun, withRun } from "./contexts/training_run.ts";
import { same } from "../same.ts";

const load = (run: TrainingRun, given: Record<string, unknown>) => run.run("load_model", given);

/** Parameters of a tied Qwen2 by hand. */
function qwen2Size(vocabulary: number, d: number, f: number, kv: number, layers: number): number {
  const attention = d * d + d + 2 * (d * kv + kv) + d * d;
  return vocabulary * d + layers * (attention + 3 * d * f + 2 * d) + d;
}

Deno.test("load_model makes a preset: sizes by hand, weights drawn by the seed as transformers initialises", () =>
  withRun(async (run) => {
    const { outputs } = await load(run, { model: "tiny_qwen2" });
    const { vocabulary } = outputs as { vocabulary: number };
    assert.deepEqual(outputs, {
      parameters: qwen2Size(vocabulary, 64, 176, 32, 2),
      trainable: qwen2Size(vocabulary, 64, 176, 32, 2),
      vocabulary,
      context: 256,
    });
    const tensors = run.policy.model.weights.toHuggingFace();
    const matrix = tensors.get("model.layers.0.mlp.up_proj.weight")!.data;
    const mean = matrix.reduce((a, b) => a + b, 0) / matrix.length;
    const std = Math.sqrt(matrix.reduce((a, b) => a + (b - mean) ** 2, 0) / matrix.length);
    assert(Math.abs(mean) < 1e-3 && Math.abs(std - 0.02) < 5e-4, `mean ${mean}, std ${std}`);
    assert(tensors.get("model.norm.weight")!.data.every((value) => value === 1));
    assert(tensors.get("model.layers.1.self_attn.q_proj.bias")!.data.every((value) => value === 0));
    const first = run.weights();
    await load(run, { model: "tiny_qwen2" });
    same(run.weights(), first);
    run.seed = 8;
    await load(run, { model: "tiny_qwen2" });
    assert.notDeepEqual(run.weights(), first);
    assert.match(String(run.events[0]!["text"]), /^model: 0\.11 M parameters, \d+ tokens; cpu, ffi, 1 threads$/);
  }));

Deno.test("load_model makes every preset, and a configuration object as its preset", () =>
  withRun(async (run) => {
    for (const name of Object.keys(MODEL_PRESETS)) await load(run, { model: name });
    await load(run, { model: "tiny_qwen2" });
    const preset = run.weights();
    await load(run, { model: { ...MODEL_PRESETS.tiny_qwen2 } });
    same(run.weights(), preset);
    await load(run, { model: { ...MODEL_PRESETS.tiny_qwen2, num_hidden_layers: 1 } });
    assert(run.weights().length < preset.length);
  }));

for (const name of ["qwen2", "qwen3", "llama"]) {
  Deno.test(`load_model reads the folder ${name}, relative to the workflow file, bitwise`, () =>
    withRun(async (run) => {
      modelFolder(run.folder, name);
      const { outputs } = await load(run, { model: `./${name}` });
      assert.equal(outputs!["context"], 2048);
      const want = readSafetensors(`models/${name}/model.safetensors`);
      for (const [parameter, { shape, data }] of run.policy.model.weights.toHuggingFace()) {
        assert.deepEqual([...shape], [...want.get(parameter)!.shape], parameter);
        same(data, want.get(parameter)!.data, parameter);
      }
      assert.deepEqual(run.policy.tokenizer.eosIds, [503, 501]);
      assert.equal(run.policy.generationConfig!["temperature"], 0.7);
    }));
}

Deno.test("load_model merges a PEFT adapter into the weights of a folder, and of nothing else", () =>
  withRun(async (run) => {
    modelFolder(run.folder, "qwen2");
    const adapter = join(Deno.cwd(), "tests/models/qwen2_lora"), name = "model.layers.0.self_attn.k_proj.weight";
    await load(run, { model: "./qwen2", adapter, merge: true });
    const want = readSafetensors("goldens/torch/lora_merged.safetensors").get(name)!.data;
    const { data } = run.policy.model.weights.toHuggingFace().get(name)!;
    want.forEach((value, i) => assert(Math.abs(value - data[i]!) <= 1e-6, `${i}`));
    await assert.rejects(
      load(run, { model: "tiny_qwen2", adapter, merge: true }),
      /the model starts from random weights, want a folder/,
    );
    await assert.rejects(load(run, { model: "./qwen2", adapter: "./qwen2" }), /there is no adapter_config\.json in/);
  }));

Deno.test("load_model reads the export of an earlier run by its id or its folder", () =>
  withRun(async (run) => {
    await load(run, { model: "tiny_qwen2" });
    const earlier = join(run.folder, "runs", "earlier");
    await run.run("export_model", { folder: join(earlier, "model") });
    const weights = run.weights();
    run.seed = 99;
    for (const model of ["earlier", earlier]) {
      await load(run, { model });
      same(run.weights(), weights, model);
    }
  }));

Deno.test("load_model names what it knows and where it looked when there is no such model", () =>
  withRun(async (run) => {
    await assert.rejects(() => load(run, { model: "smal_qwen2" }), (error: Error) => {
      assert.match(error.message, /^Cannot load model "smal_qwen2": it is no preset \(small_qwen2, .*tiny_qwen2.*\)/);
      assert(error.message.includes(join(run.folder, "smal_qwen2")));
      assert(error.message.includes(join(run.folder, "runs", "smal_qwen2", "model")));
      return true;
    });
  }));

Deno.test("load_model refuses a tokenizer with more tokens than the embedding has rows, and can be tried again", () =>
  withRun(async (run) => {
    const folder = modelFolder(run.folder, "qwen2");
    editJson(join(folder, "config.json"), (config) => config["vocab_size"] = 400);
    await assert.rejects(
      () => load(run, { model: "./qwen2" }),
      /its tokenizer has \d+ tokens and its embedding 400 rows, want at least as many rows as tokens/,
    );
    await load(run, { model: "tiny_qwen2" });
  }));

Deno.test("load_model refuses a key of config.json that nobody knows before any weight is read; a note of a trainer passes", () =>
  withRun(async (run) => {
    const folder = modelFolder(run.folder, "qwen2"), weights = join(folder, "model.safetensors");
    const kept = Deno.readFileSync(weights);
    editJson(
      join(folder, "config.json"),
      (config) => Object.assign(config, { residual_scale: 2, unsloth_fixed: true }),
    );
    Deno.removeSync(weights);
    await assert.rejects(
      () => load(run, { model: "./qwen2" }),
      /^TypeError: Cannot read config\.json: "residual_scale" is 2, which is not known for "model_type": "qwen2"/,
    );
    Deno.writeFileSync(weights, kept);
    editJson(join(folder, "config.json"), (config) => delete config["residual_scale"]);
    await load(run, { model: "./qwen2" });
  }));

Deno.test("load_model trains what its patterns choose and stores how much that is", () =>
  withRun(async (run) => {
    const { outputs } = await load(run, { model: "tiny_qwen2", trainable: ["*.mlp.*", "model.norm.weight"] });
    assert.equal(outputs!["trainable"], 2 * 3 * 64 * 176 + 64);
    assert.equal(run.settings()["trainable_parameters"]!.value, 2 * 3 * 64 * 176 + 64);
    await assert.rejects(
      () => load(run, { model: "tiny_qwen2", trainable: ["*.q_project.*"] }),
      /"\*\.q_project\.\*" matches no parameter, want one of model\.embed_tokens\.weight, .*self_attn\.q_proj\.weight/,
    );
  }));

Deno.test("load_model has no reference, a copy made at its first use, or the weights of a folder", () =>
  withRun(async (run) => {
    const data = () => run.resources.reference!.model().weights.toHuggingFace().get("model.norm.weight")!.data;
    await load(run, { model: "tiny_qwen2" });
    assert.equal(run.resources.reference!.exists, false);
    assert.throws(() => run.resources.reference!.model(), /load_model has reference "none"/);

    await load(run, { model: "tiny_qwen2", reference: "copy" });
    run.policy.model.weights.values.upload(run.weights().fill(2));
    assert(data().every((value) => value === 2), "the copy is made when first asked for");
    run.policy.model.weights.values.upload(run.weights().fill(3));
    assert(data().every((value) => value === 2), "and frozen from then on");

    modelFolder(run.folder, "qwen2");
    modelFolder(run.folder, "qwen2", { as: "frozen" });
    await load(run, { model: "./qwen2", reference: "./frozen" });
    run.policy.model.weights.values.upload(run.weights().fill(3));
    assert.deepEqual(data(), readSafetensors("models/qwen2/model.safetensors").get("model.norm.weight")!.data);
    await assert.rejects(
      () => load(run, { model: "tiny_qwen2", reference: "./frozen" }),
      /it has 512 tokens, want \d+/,
    );
    await assert.rejects(() => load(run, { model: "tiny_qwen2", reference: "./nowhere" }), /Cannot .*nowhere/);
  }));

Deno.test("load_model puts a list of messages into the chat template, also unasked, and refuses it where there is none", () =>
  withRun(async (run) => {
    const folder = modelFolder(run.folder, "qwen2");
    const template =
      "{% for m in messages %}{{ m.role[0] }}:{{ m.content }};{% endfor %}{% if add_generation_prompt %}>{% endif %}";
    editJson(join(folder, "tokenizer_config.json"), (config) => config["chat_template"] = template);
    const prompt = '[{"role":"system","content":"a"},{"role":"user","content":"b"}]';
    for (const chat_template of [false, true]) {
      await load(run, { model: "./qwen2", chat_template });
      assert.equal(run.policy.format(prompt), "s:a;u:b;>");
    }
    await load(run, { model: "tiny_qwen2" });
    assert.throws(
      () => run.policy.encodePrompt(prompt, 1),
      /Cannot read a prompt: it is a list of messages and the tokenizer/,
    );
    assert.equal(run.policy.format("[1, 2]"), "[1, 2]");
  }));

Deno.test("load_model refuses a chat template that fails, where it is used", () =>
  withRun(async (run) => {
    const folder = modelFolder(run.folder, "qwen2");
    editJson(join(folder, "tokenizer_config.json"), (config) => config["chat_template"] = "{{ messages | absent }}");
    await load(run, { model: "./qwen2" });
    await assert.rejects(
      load(run, { model: "./qwen2", chat_template: true }),
      /Cannot render the chat template .*: .*absent/,
    );
  }));

Deno.test("load_model refuses a tokenizer of another model: rows that no token has", () =>
  withRun(async (run) => {
    const folder = modelFolder(run.folder, "qwen2");
    editJson(join(folder, "config.json"), (config) => config["vocab_size"] = 2048);
    await assert.rejects(
      load(run, { model: "./qwen2" }),
      /Cannot load the model: its tokenizer has \d+ tokens and its embedding 2048 rows/,
    );
  }));

Deno.test("load_model puts prompts into the folder's chat template, as a user's message", () =>
  withRun(async (run) => {
    const folder = modelFolder(run.folder, "qwen2");
    const template = "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}" +
      "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}";
    editJson(join(folder, "tokenizer_config.json"), (config) => config["chat_template"] = template);
    await load(run, { model: "./qwen2", chat_template: true });
    const text = "<|im_start|>user\n1+2=<|im_end|>\n<|im_start|>assistant\n";
    assert.deepEqual(Array.from(run.policy.encodePrompt("1+2=", 0)), Array.from(loadTokenizer(folder).encode(text)));
    const told = () => settingValues(run.context("test").table("settings")).get("chat_template");
    assert.equal(told(), true);
    await load(run, { model: "./qwen2" });
    assert.equal(told(), false);
    assert.deepEqual(Array.from(run.policy.encodePrompt("1+2=", 0)), Array.from(loadTokenizer(folder).encode("1+2=")));
    Deno.writeTextFileSync(join(run.folder, "own.jinja"), "Q: {{ messages[0].content }} A:");
    for (const model of ["./qwen2", "tiny_qwen2"]) {
      await load(run, { model, chat_template: "own.jinja" });
      assert.equal(run.policy.tokenizer.decode(run.policy.encodePrompt("1+2=", 0)), "Q: 1+2= A:");
    }
    await run.run("export_model", { folder: "out" });
    assert.match(Deno.readTextFileSync(join(run.folder, "out", "README.md")), /^\| chat_template \| own\.jinja \|$/m);
    assert.equal(loadTokenizer(join(run.folder, "out")).chatTemplate, "Q: {{ messages[0].content }} A:");
    await assert.rejects(
      () => load(run, { model: "tiny_qwen2", chat_template: true }),
      /the tokenizer has none; set chat_template: false/,
    );
  }));

for (
  const [name, file, dtype, value] of [
    ["qwen2", "model", "F32", NaN],
    ["qwen2_bf16_sharded", "model-00002-of-00002", "BF16", -Infinity],
    ["qwen2_bf16_sharded", "model-00002-of-00002", "F16", NaN],
  ] as const
) {
  Deno.test(`load_model refuses the model and the reference ${name} with a weight that is ${value}, as ${dtype}`, () =>
    withRun(async (run) => {
      modelFolder(run.folder, name);
      const broken = modelFolder(run.folder, name, { as: "broken" }), path = join(broken, `${file}.safetensors`);
      const tensors = new Map(readSafetensors(path)), at = "model.layers.1.mlp.up_proj.weight";
      const { shape, data } = tensors.get(at)!, values = data.slice();
      values[shape[1]! + 2] = value;
      writeSafetensors(path, tensors.set(at, { shape, data: values }), { dtype });
      const told = new RegExp(
        `broken: "${at}" \\(${dtype}\\) is ${value} as float32 at \\[1,2\\], want finite numbers`,
      );
      await assert.rejects(() => load(run, { model: "./broken" }), told);
      await assert.rejects(() => load(run, { model: `./${name}`, reference: "./broken" }), told);
      await load(run, { model: `./${name}` });
    }));
}

Deno.test("load_model refuses bounds of images that leave none, and more pixels than Qwen2-VL has tokens for", () => {
  const problem = (given: Record<string, unknown>) =>
    loadModel.params.safeParse({ model: "x", ...given }).error?.issues.map(({ path, message }) => ({ path, message }));
  const [swapped] = problem({ min_pixels: 50_000, max_pixels: 3000 })!;
  assert.deepEqual(swapped!.path, ["min_pixels"]);
  assert.match(swapped!.message, /min_pixels is 50000 and max_pixels 3000, want .*; swap them/);
  assert.deepEqual(problem({ max_pixels: 1e12 })?.map(({ path }) => path), [["max_pixels"]]);
  assert.equal(problem({ min_pixels: 3136, max_pixels: 16384 * 28 * 28 }), undefined);
});
