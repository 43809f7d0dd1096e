/** Prompts with images are sampled as training reads them, in every way in which prompts are read. */
import assert from "node:assert/strict";
import { LanguageModel, type TrainSettings } from "../../../gpu/language_model.ts";
import { type ModelConfig, modelConfig, rotaryDim } from "../../../gpu/models/config.ts";
import type { Rows } from "../../../gpu/models/padding.ts";
import { imagesOf, NO_TOWER } from "../../../gpu/models/vision/image_input.ts";
import { partOf } from "../../../gpu/models/vision_parameters.ts";
import { promptImages } from "../../../gpu/sampling/prompt_images.ts";
import { Scope } from "../../../gpu/sampling/scope.ts";
import type { AdapterPlan } from "../../../gpu/weights/adapter.ts";
import type { NamedArray } from "../../../gpu/weights/weights.ts";
import { same } from "../../same.ts";
import { cpuRuntime, withModel } from "../golden_model.ts";
import { madeImage, madePrompt } from "../models/vision/made_images.ts";
import { farthest, VISION_CASES, type VisionCase } from "../models/vision/vision_golden.ts";
import { readJson, readModel } from "../safetensors.ts";

const CASES = Object.keys(VISION_CASES) as VisionCase[];
const OPTIONS = {
  ...{ temperature: 1, topK: 0, topP: 1, minP: 0, repetitionPenalty: 1, maxNewTokens: 5, eosIds: [503] },
  uniforms: (row: number, token: number) => (row * 0.37 + token * 0.61 + 0.05) % 1,
};
const SETTINGS: TrainSettings = { loss: { objective: "cross_entropy" }, aggregation: "token_mean", temperature: 1 };

const configOf = (name: VisionCase, more: Record<string, unknown> = {}) =>
  modelConfig({ ...readJson(`models/${name}/config.json`), ...more });

/** A model of a golden's numbers, or where it has other sizes of some of its own. */
async function withMade(
  config: ModelConfig,
  body: (model: LanguageModel) => Promise<void>,
  { bits = null, numbers }: { bits?: 4 | 8 | null; numbers?: VisionCase } = {},
): Promise<void> {
  const runtime = await cpuRuntime(), model = LanguageModel.create(runtime, config, bits);
  if (numbers) model.weights.fromHuggingFace(readModel(numbers));
  else {
    let calls = 0;
    model.weights.initialize((length) => Float32Array.from({ length }, (_, i) => 4 * Math.sin(++calls + i * i * 0.37)));
  }
  try {
    await body(model);
  } finally {
    model.release();
    runtime.release();
  }
}

/** Prompts with one image, with two of which one is another's too, with none. */
function promptsOf(config: ModelConfig) {
  const [a, b] = [madeImage("a", 4, 6, config), madeImage("b", 6, 2, config)];
  return [madePrompt([a], [40, 41, 42], config), madePrompt([b, a], [43], config), Int32Array.of(44, 45, 46, 47)];
}

/** How far what the sampler says is from what training computes of it, nats. */
async function apart(model: LanguageModel, prompts: Rows, group: number, more = {}): Promise<number> {
  const drawn = await model.sample(prompts, group, { ...OPTIONS, ...more });
  const completions = drawn.map(({ tokenIds }) => tokenIds);
  const { logprobs } = await model.logprobs({ prompts, group, completions });
  return Math.max(...logprobs.map((row, i) => farthest(row, drawn[i]!.samplerLogprobs)));
}

Deno.test("promptImages() gives each token its row of features and its turn, part by part", async () => {
  const config = configOf("qwen2_vl"), prompts = promptsOf(config).reverse();
  await withMade(config, async (model) => {
    const scope = new Scope(model.runtime), images = (await promptImages(model, prompts, scope))!;
    const of = (row: number, before: number, tokens: number) => images.inputs(1, row, before, tokens);
    const all = images.inputs(3, 0, 0, 16), half = rotaryDim(config) / 2;
    assert.deepEqual(all.image_features!.shape, [9, 64]);
    const [b, a] = imagesOf(prompts[1]!);
    same((all.image_features!.data as Float32Array).slice(0, 3 * 64), await model.images!.rows(b!, "features"));
    same((all.image_features!.data as Float32Array).slice(3 * 64), await model.images!.rows(a!, "features"));
    const text = (name: string, from: Record<string, { data: unknown }>) =>
      Array.from(from[name]!.data as ArrayLike<number | bigint>, Number).join("");
    assert.equal(text("is_image", all), "0".repeat(16) + "0011101111110000" + "0011111100000000");
    assert.equal(text("image_slots", all), "0".repeat(16) + "0001203456780000" + "0034567800000000");
    for (const [before, tokens] of [[0, 4], [4, 4], [8, 8]] as const) {
      const part = of(1, before, tokens), from = 16 + before;
      assert.equal(text("is_image", part), text("is_image", all).slice(from, from + tokens));
      assert.equal(text("image_slots", part), text("image_slots", all).slice(from, from + tokens));
      for (const name of ["prompt_cos", "prompt_sin"]) {
        same(part[name]!.data, (all[name]!.data as Float32Array).slice(from * half, (from + tokens) * half));
      }
      assert.deepEqual(Array.from(part.prompt_turns!.data as BigInt64Array, Number), [...Array(tokens).keys()]);
    }
    scope.release();
  });
});

Deno.test("images are refused by a model of words, in samples, log-probs and gradients, and by one without its tower", async () => {
  const config = configOf("qwen2_vl"), prompts = promptsOf(config), completions = [[5], [6], [7]];
  await withModel("qwen2", async (model) => {
    const refused = { name: "TypeError", message: NO_TOWER };
    await assert.rejects(() => model.sample(prompts, 1, OPTIONS), refused);
    await assert.rejects(() => model.logprobs({ prompts, group: 1, completions }), refused);
    await assert.rejects(() => model.accumulateGradient({ prompts, group: 1, completions }, SETTINGS), refused);
    const scope = new Scope(model.runtime);
    assert.equal(await promptImages(model, [[1, 2]], scope), null);
    scope.release();
  });
  await withMade(config, async ({ weights, runtime }) => {
    const scope = new Scope(runtime), bare = { config, weights, adapted: null, images: null };
    await assert.rejects(
      () => promptImages(bare, prompts, scope),
      /Cannot read images: the model was made without its/,
    );
    assert(await promptImages(bare, [[1, 2]], scope));
    scope.release();
  });
});

Deno.test("a prompt whose placeholders are not its images' is refused by the sampler too", async () => {
  const config = configOf("qwen2_vl"), prompt = promptsOf(config)[0]!.with(2, 5);
  await withMade(config, async (model) => {
    await assert.rejects(() => model.sample([prompt], 1, OPTIONS), {
      name: "RangeError",
      message: /^Cannot read a prompt with 0 images of \[\] tokens: it has 5 placeholders, want one per token/,
    });
  });
});

for (const name of CASES) {
  Deno.test(`${name}: the sampler draws from what training computes, in groups, few rows at once, two at least`, async () => {
    const config = configOf(name), prompts = promptsOf(config);
    await withMade(config, async (model) => {
      for (const [group, more] of [[1, {}], [4, {}], [3, { rowsAtOnce: 3 }], [1, { leastRows: 2 }]] as const) {
        const off = await apart(model, prompts, group, more);
        assert(off < 5e-5, `${group} ${JSON.stringify(more)}: ${off}`);
      }
      assert(await apart(model, prompts.slice(0, 1), 1, { leastRows: 2 }) < 5e-5);
      // 2 rows at least: a row has the same bits alone and among others.
      const two = { ...OPTIONS, leastRows: 2, uniforms: (_: number, token: number) => (token * 0.61 + 0.05) % 1 };
      const all = await model.sample(prompts, 2, two), alone = await model.sample(prompts.slice(1, 2), 1, two);
      same(all[2]!.samplerLogprobs, alone[0]!.samplerLogprobs);
      assert.deepEqual(all[2]!.tokenIds, alone[0]!.tokenIds);
    }, { numbers: name });
  });

  Deno.test(`${name}: an image on the border of two parts of a long prompt is read as training reads it`, async () => {
    const config = configOf(name), image = madeImage("a", 8, 6, config), other = madeImage("b", 4, 4, config);
    // Its 12 tokens begin before the border at 256 and end behind it; beyond 1024 tokens a prompt is read in parts.
    const words = Array.from({ length: 800 }, (_, i) => 3 + (i * i + 7 * i) % 400);
    const before = words.slice(0, 246),
      { imageToken } = config,
      fill = (count: number) => Array(count).fill(imageToken!);
    const ids = [...before, ...fill(12), ...words.slice(0, 761), ...fill(4), ...words.slice(0, 60)];
    const prompt = Object.assign(Int32Array.from(ids), { images: [image, other] });
    assert(ids.length > 1024 && ids.indexOf(imageToken) < 256 && ids[256] === imageToken);
    await withMade(config, async (model) => {
      const off = await apart(model, [prompt, Int32Array.of(5, 6)], 2);
      assert(off < 5e-5, `${off}`);
    }, { numbers: name });
  });

  for (const headDim of [8, 24, 40]) {
    Deno.test(`${name}: heads of ${headDim}, which no kernel has, read images too`, async () => {
      const mrope_section = [headDim / 2 - 3, 2, 1];
      const config = configOf(name, { head_dim: headDim, rope_scaling: { type: "mrope", mrope_section } });
      await withMade(config, async (model) => {
        const off = await apart(model, promptsOf(config), 3);
        assert(off < 1e-4, `${off}`);
      });
    });
  }

  for (const bits of [8, 4] as const) {
    Deno.test(`${name}: samples from a copy of ${bits} bits read images by the tower as it is`, async () => {
      const config = configOf(name), prompts = promptsOf(config);
      await withMade(config, async (model) => {
        model.roundForSampling(bits);
        const drawn = await model.sample(prompts, 1, OPTIONS), completions = drawn.map(({ tokenIds }) => tokenIds);
        // In float32: the text's matrices as they are rounded, the tower's as they are.
        const mixed = new Map<string, NamedArray>(model.weights.toHuggingFace());
        await withMade(config, ({ weights }) => {
          for (const [name, { shape, data }] of weights.toHuggingFace()) {
            if (partOf(name) === "text") mixed.set(name, { shape, data: data.slice() });
          }
          return Promise.resolve();
        }, { numbers: name, bits });
        await withMade(config, async (plain) => {
          plain.weights.fromHuggingFace(mixed);
          const { logprobs } = await plain.logprobs({ prompts, group: 1, completions });
          const off = Math.max(...logprobs.map((row, i) => farthest(row, drawn[i]!.samplerLogprobs)));
          // The inputs of products are rounded to 8 bits too.
          assert(off < 0.3, `${off}`);
        });
      }, { numbers: name });
    });

    Deno.test(`${name}: a base of ${bits} bits beneath an adapter reads images as the float32 model of its numbers`, async () => {
      const config = configOf(name), prompts = promptsOf(config), completions = [[5, 6], [7, 8, 9], [10]];
      const sequences = { prompts, group: 1, completions };
      await withMade(config, async (rounded) => {
        await withMade(config, async (plain) => {
          plain.weights.fromHuggingFace(rounded.weights.viewHuggingFace());
          const [image] = imagesOf(prompts[0]!);
          const [ours, theirs] = await Promise.all(
            [rounded, plain].map((model) => model.images!.rows(image!, "features")),
          );
          assert(farthest(ours!, theirs!) < 1e-4, `features ${farthest(ours!, theirs!)}`);
          const targets = plain.weights.layout.parameters.flatMap(({ name, shape }) =>
            shape.length === 2 && /q_proj|attn\.qkv|mlp\.0/.test(name) ? [name] : []
          );
          const plan: AdapterPlan = {
            ...{ rank: 2, alpha: 3, rslora: false, scaling: 1.5, dropout: 0 },
            ...{ targets: new Set(targets), saved: new Set<string>() },
          };
          const adapted = [rounded, plain].map((base) => {
            base.weights.hold();
            const model = LanguageModel.adapt(base, plan, null), { values, layout } = model.weights;
            values.upload(Float32Array.from({ length: layout.size }, (_, i) => 0.1 * Math.sin(i * 0.7 + 1)));
            return model;
          });
          const [mine, other] = await Promise.all(adapted.map((model) => model.logprobs(sequences)));
          mine!.logprobs.forEach((row, i) => assert(farthest(row, other!.logprobs[i]!) < 2e-4));
          for (const model of adapted) await model.accumulateGradient(sequences, SETTINGS);
          const [a, b] = adapted.map(({ weights }) => weights.namedGradients());
          for (const [name, { data }] of b!) assert(farthest(a!.get(name)!.data, data) < 1e-4, name);
          assert(
            [...b!].some(([name, { data }]) => name.startsWith("visual.") && data.some((x) => Math.abs(x) > 1e-3)),
          );
          const sampled = await adapted[0]!.sample(prompts, 2, OPTIONS);
          assert.equal(sampled.length, 6);
          adapted.forEach((model) => model.release());
        }, { numbers: name });
      }, { numbers: name, bits });
    });
  }
}
