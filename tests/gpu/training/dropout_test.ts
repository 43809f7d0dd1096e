import assert from "node:assert/strict";
import { LanguageModel, type TrainBatch, type TrainSettings } from "../../../gpu/language_model.ts";
import { modelConfig } from "../../../gpu/models/config.ts";
import type { DropoutPlace, KeepDraws } from "../../../gpu/models/model.ts";
import { fillDropout } from "../../../gpu/training/dropout.ts";
import { madeImage, madePrompt } from "../models/vision/made_images.ts";
import { cpuRuntime, norm } from "../golden_model.ts";
import { readJson, readModel } from "../safetensors.ts";

const KEY = { trainStep: 3, update: 2, part: 0 };
const BATCH: TrainBatch = {
  prompts: [[5, 6, 7], [8]],
  group: 2,
  completions: [[9, 10, 503], [11, 503], [12, 13, 14, 503], [15, 16]],
};
const SETTINGS: TrainSettings = {
  loss: { objective: "cross_entropy" },
  aggregation: "token_mean",
  temperature: 1,
  draws: KEY,
};

Deno.test("fillDropout() asks for every token of prompts and completions by its own place, whatever is padded", async () => {
  const runtime = await cpuRuntime(), asked: DropoutPlace[] = [];
  const host = (dtype: "int64" | "bool", shape: number[]) => runtime.tensor(dtype, shape, undefined, { place: "host" });
  const inputs = {
    prompts: host("int64", [2, 3]),
    completions: host("int64", [4, 4]),
    // 2 · 3 tokens of prompts and 4 · 3 of completions; of the other only the prompts' last tokens.
    "dropout.0.up": host("bool", [18, 2]),
    "dropout.1.up": host("bool", [14, 2]),
  };
  const keep: KeepDraws = (place, row) => {
    asked.push(place);
    row.fill(0);
  };
  fillDropout(inputs, { ...BATCH, first: 4 }, { keep, key: KEY });
  const of = (stream: string) => asked.filter((place) => place.stream === stream).map(({ row, token }) => [row, token]);
  assert.deepEqual(of("dropout.0.up.prompt.2.0"), [[2, 0], [2, 1], [2, 2], [3, 0]]);
  assert.deepEqual(of("dropout.1.up.prompt.2.0"), [[2, 2], [3, 0]]);
  const tokens = [[4, 0], [4, 1], [4, 2], [5, 0], [5, 1], [6, 0], [6, 1], [6, 2], [7, 0], [7, 1]];
  for (const layer of [0, 1]) assert.deepEqual(of(`dropout.${layer}.up.completion.2.0`), tokens);
  const kept = (name: keyof typeof inputs) =>
    Array.from(inputs[name].data as Uint8Array).filter((_, i) => i % 2 === 0).join("");
  assert.equal(kept("dropout.0.up"), "000110" + "000" + "001" + "000" + "001", "1 where there is only padding");
  assert.equal(kept("dropout.1.up"), "00" + "000" + "001" + "000" + "001");
  assert.throws(
    () => fillDropout(inputs, { ...BATCH, first: 0 }, { keep: null, key: KEY }),
    /nothing draws what "0\.up" leaves out/,
  );
  assert.throws(() => fillDropout(inputs, { ...BATCH, first: 0 }, { keep, key: undefined }), /nothing draws/);
  Object.values(inputs).forEach((tensor) => tensor.release());
  runtime.release();
});

Deno.test("fillDropout() asks at a model's end for every token of completions, also where its rows are as many as a layer's", async () => {
  const runtime = await cpuRuntime(), asked: DropoutPlace[] = [];
  const host = (dtype: "int64" | "bool", shape: number[]) => runtime.tensor(dtype, shape, undefined, { place: "host" });
  // 2 · 2 + 4 · 3 rows of a layer, 4 · 4 of the head: as many, and others.
  const inputs = {
    prompts: host("int64", [2, 2]),
    completions: host("int64", [4, 4]),
    "dropout.head": host("bool", [16, 2]),
    "dropout.0.up": host("bool", [16, 2]),
  };
  const keep: KeepDraws = (place, row) => {
    asked.push(place);
    row.fill(0);
  };
  const prompts = [[6, 7], [8]];
  fillDropout(inputs, { ...BATCH, prompts, first: 4 }, { keep, key: KEY });
  const ofHead = asked.filter(({ stream }) => stream.startsWith("dropout.head."));
  const tokens = BATCH.completions.flatMap(({ length }, c) => Array.from({ length }, (_, t) => [4 + c, t]));
  assert.deepEqual(ofHead.map(({ row, token }) => [row, token]), tokens);
  assert.deepEqual(new Set(ofHead.map(({ stream }) => stream)), new Set(["dropout.head.completion.2.0"]));
  const kept = (name: keyof typeof inputs) =>
    Array.from(inputs[name].data as Uint8Array).filter((_, i) => i % 2 === 0).join("");
  assert.equal(kept("dropout.head"), "0001" + "0011" + "0000" + "0011");
  assert.equal(kept("dropout.0.up"), "0010" + "000" + "001" + "000" + "001");
  Object.values(inputs).forEach((tensor) => tensor.release());
  runtime.release();
});

for (const head of ["lm_head.weight", "model.embed_tokens.weight"]) {
  Deno.test(`dropout of ${head} is the same in passes over a few prompts`, async () => {
    const runtime = await cpuRuntime(), json = readJson("models/qwen2/config.json") as Record<string, unknown>;
    const config = modelConfig({ ...json, tie_word_embeddings: head === "model.embed_tokens.weight" });
    const base = LanguageModel.create(runtime, config);
    base.weights.initialize((length) => Float32Array.from({ length }, (_, i) => Math.sin(i)));
    const plan = { rank: 4, alpha: 8, rslora: false, scaling: 2, dropout: 0.5, targets: new Set([head]) };
    const keep: KeepDraws = ({ row, token }, kept) => {
      for (let i = 0; i < kept.length; i++) kept[i] = Number(Math.sin(11 * row + 13 * token + 3.7 * i) > 0);
    };
    const model = LanguageModel.adapt(base, { ...plan, saved: new Set() }, keep), { values, layout } = model.weights;
    values.upload(Float32Array.from({ length: layout.size }, (_, i) => 0.2 * Math.sin(i)));
    const gradient = async (promptsPerPass: number) => {
      await model.accumulateGradient(BATCH, { ...SETTINGS, promptsPerPass, totals: { tokens: 11 } });
      await model.applyUpdate({ learningRate: 0, beta1: 0, beta2: 0, epsilon: 1, weightDecay: 0, maxNorm: 1 });
      return (model.weights.gradients.data as Float32Array).slice();
    };
    const whole = await gradient(2), cut = await gradient(1), off = norm(whole.map((x, i) => x - cut[i]!));
    assert(norm(whole) > 0 && off <= 1e-4 * norm(whole), `${off} of ${norm(whole)}`);
    model.release();
    runtime.release();
  });
}

Deno.test("dropout is the same in passes over a few prompts, and off where nothing is trained", async () => {
  const runtime = await cpuRuntime(), config = modelConfig(readJson("models/qwen2/config.json"));
  const base = LanguageModel.create(runtime, config), up = "model.layers.0.mlp.up_proj.weight";
  base.weights.fromHuggingFace(readModel("qwen2"));
  const targets = new Set([up, "model.layers.1.mlp.down_proj.weight"]);
  const plan = { rank: 4, alpha: 8, rslora: false, scaling: 2, dropout: 0.5, targets, saved: new Set<string>() };
  const keep: KeepDraws = ({ stream, trainStep, row, token }, kept) => {
    for (let i = 0; i < kept.length; i++) {
      kept[i] = Number(Math.sin(stream.length + 7 * trainStep + 11 * row + 13 * token + 3.7 * i) > 0);
    }
  };
  const model = LanguageModel.adapt(base, plan, keep), { values, layout } = model.weights;
  values.upload(Float32Array.from({ length: layout.size }, (_, i) => 0.2 * Math.sin(i)));
  const gradient = () => (model.weights.gradients.data as Float32Array).slice();
  const train = async (more: Partial<TrainSettings>) => {
    const { loss } = await model.accumulateGradient(BATCH, { ...SETTINGS, ...more });
    await model.applyUpdate({ learningRate: 0, beta1: 0, beta2: 0, epsilon: 1, weightDecay: 0, maxNorm: 1 });
    return { loss, gradient: gradient() };
  };
  const whole = await train({}), cut = await train({ promptsPerPass: 1, totals: { tokens: 11 } });
  assert(Math.abs(whole.loss - cut.loss) <= 1e-5 * whole.loss, `${whole.loss} ${cut.loss}`);
  const off = norm(whole.gradient.map((x, i) => x - cut.gradient[i]!));
  assert(off <= 1e-4 * norm(whole.gradient), `${off} of ${norm(whole.gradient)}`);
  assert.notEqual((await train({ draws: { ...KEY, trainStep: 4 } })).loss, whole.loss, "another step drops others");
  await assert.rejects(model.accumulateGradient(BATCH, { ...SETTINGS, draws: undefined! }), /nothing draws/);
  const twice = [await model.logprobs(BATCH), await model.logprobs(BATCH)];
  assert.deepEqual(twice[0], twice[1]);
  assert.equal(await model.locateNonFinite(BATCH, SETTINGS), null);
  model.release();
  runtime.release();
});

Deno.test("dropout makes what it keeps as much larger: where it keeps all, the adapter weighs 1 / (1 - p) as much", async () => {
  const runtime = await cpuRuntime(), config = modelConfig(readJson("models/qwen2/config.json"));
  const up = new Set(["model.layers.0.mlp.up_proj.weight"]), whole = { rank: 2, alpha: 2, rslora: false, targets: up };
  const losses = [];
  for (const [scaling, dropout] of [[1, 0.75], [4, 0]] as const) {
    const base = LanguageModel.create(runtime, config);
    base.weights.fromHuggingFace(readModel("qwen2"));
    const plan = { ...whole, scaling, dropout, saved: new Set<string>() };
    const model = LanguageModel.adapt(base, plan, (_, kept) => void kept.fill(1)), { values, layout } = model.weights;
    values.upload(Float32Array.from({ length: layout.size }, (_, i) => 0.2 * Math.sin(i)));
    losses.push((await model.accumulateGradient(BATCH, SETTINGS)).loss);
    model.release();
  }
  assert(Math.abs(losses[0]! - losses[1]!) <= 1e-5 * losses[1]!, `${losses}`);
  runtime.release();
});

Deno.test("dropout upon a tower is an image's own, the same in every pass, whatever is padded", async () => {
  const runtime = await cpuRuntime(), config = modelConfig(readJson("models/qwen2_vl/config.json"));
  const base = LanguageModel.create(runtime, config), asked = new Map<string, number>();
  base.weights.fromHuggingFace(readModel("qwen2_vl"));
  const targets = new Set(["visual.blocks.0.attn.qkv.weight", "visual.merger.mlp.2.weight"]);
  const plan = { rank: 2, alpha: 4, rslora: false, scaling: 2, dropout: 0.5, targets, saved: new Set<string>() };
  const keep: KeepDraws = ({ stream, token }, kept) => {
    asked.set(stream, Math.max(asked.get(stream) ?? 0, token + 1));
    for (let i = 0; i < kept.length; i++) kept[i] = Number(Math.sin(stream.length + 13 * token + 3.7 * i) > 0);
  };
  const model = LanguageModel.adapt(base, plan, keep), { values, layout } = model.weights;
  values.upload(Float32Array.from({ length: layout.size }, (_, i) => 0.3 * Math.sin(i + 1)));
  const [a, b] = [madeImage("a", 4, 6, config), madeImage("of b", 2, 4, config)];
  const prompts = [madePrompt([a], [5], config), madePrompt([b, a], [6], config), [7, 8]];
  const batch = { prompts, group: 1, completions: [[9, 10], [11], [12, 13]] };
  const passes = async (promptsPerPass: number, draws = KEY) => {
    asked.clear();
    const { loss } = await model.accumulateGradient(batch, { ...SETTINGS, draws, promptsPerPass });
    const found = [...model.weights.namedGradients().values()].flatMap(({ data }) => Array.from(data));
    await model.applyUpdate({ learningRate: 0, beta1: 0.9, beta2: 0.99, epsilon: 1e-8, weightDecay: 0, maxNorm: 0 });
    return { loss, found };
  };
  const whole = await passes(3);
  const streams = [
    ["dropout.vision.0.qkv.image a.2.0", 24],
    ["dropout.vision.0.qkv.image of b.2.0", 8],
    ["dropout.vision.merger.fc2.image a.2.0", 6],
    ["dropout.vision.merger.fc2.image of b.2.0", 2],
  ];
  assert.deepEqual([...asked].sort(), streams);
  const cut = await passes(1);
  assert(Math.abs(whole.loss - cut.loss) < 1e-5, `${whole.loss} and ${cut.loss}`);
  const size = norm(whole.found);
  assert(norm(whole.found.map((x, i) => x - cut.found[i]!)) < 1e-4 * size);
  const plain = (await model.logprobs(batch)).logprobs.flatMap((row) => Array.from(row));
  const without = -plain.reduce((a, b) => a + b) / plain.length;
  assert(Math.abs(whole.loss - without) > 1e-3, "something is left out");
  model.release();
  runtime.release();
});
