/** An image is computed once while what computes it stays, alone, and never with weights of before. */
import assert from "node:assert/strict";
import { LanguageModel, type TrainSettings } from "../../../../gpu/language_model.ts";
import { ImageEncoder } from "../../../../gpu/models/vision/image_encoder.ts";
import { same } from "../../../same.ts";
import { readModel } from "../../safetensors.ts";
import { type MadeImage, madeImage, madePrompt } from "./made_images.ts";
import { farthest, goldenConfig, withVision } from "./vision_golden.ts";

const CONFIG = goldenConfig("qwen2_vl");
const SETTINGS: TrainSettings = { loss: { objective: "cross_entropy" }, aggregation: "token_mean", temperature: 1 };
const ADAMW = { learningRate: 0.01, beta1: 0.9, beta2: 0.99, epsilon: 1e-8, weightDecay: 0, maxNorm: 1 };
const image = (id: string, h = 4, w = 4) => madeImage(id, h, w, CONFIG);

function batchOf(images: readonly (readonly MadeImage[])[]) {
  const prompts = images.map((of) => of.length ? madePrompt(of, [40, 41], CONFIG) : Int32Array.of(1, 2, 3));
  return { prompts, group: 2, completions: prompts.flatMap((_, p) => [[50 + p, 51, 503], [60 + p, 503]]) };
}

async function update(model: LanguageModel, images: readonly (readonly MadeImage[])[]): Promise<void> {
  await model.accumulateGradient(batchOf(images), SETTINGS);
  assert((await model.applyUpdate(ADAMW)).applied);
}

const trains = (...beginnings: string[]) => beginnings.map((beginning) => `${beginning}*`);

Deno.test("an image that stands in several prompts, groups and calls is computed once", async () => {
  await withVision("qwen2_vl", async (model) => {
    const [a, b] = [image("a"), image("b", 2, 4)], batch = batchOf([[a, b], [a], []]);
    for (let i = 0; i < 2; i++) await model.logprobs(batch);
    const options = { temperature: 1, topK: 0, topP: 1, minP: 0, repetitionPenalty: 1, maxNewTokens: 2, eosIds: [] };
    await model.sample(batch.prompts, 2, { ...options, uniforms: () => 0.5 });
    assert.deepEqual([a.reads, b.reads], [1, 1]);
    // The same pixels under their id, given by another prompt.
    const again = image("a");
    await model.logprobs(batchOf([[again]]));
    assert.equal(again.reads, 0);
  });
});

Deno.test("an image's numbers are the same bits whatever was computed before it", async () => {
  await withVision("qwen2_5_vl", async (model) => {
    const a = image("a", 8, 6), others = [image("b", 8, 6), image("c", 4, 6)];
    const rows = async (images: readonly MadeImage[]) => {
      const encoder = new ImageEncoder(model, () => []);
      const found = [];
      for (const one of images) {
        const numbers = [await encoder.rows(one, "states"), await encoder.rows(one, "features")];
        if (one === a) found.push(...numbers);
      }
      encoder.release();
      return found;
    };
    const alone = await rows([a]);
    for (const [i, numbers] of (await rows([...others, a])).entries()) same(numbers, alone[i]);
    assert.deepEqual(alone.map(({ length }) => length), [48 * 24, 12 * 48]);
  });
});

Deno.test("with a frozen tower and merger features outlive updates", async () => {
  await withVision("qwen2_vl", async (model) => {
    const a = image("a");
    model.setTrainable(trains("model."));
    assert.equal(model.images!.stage, "features");
    const before = await model.images!.rows(a, "features"), [text] = (await model.logprobs(batchOf([[a]]))).logprobs;
    await update(model, [[a], [a]]);
    await update(model, [[a]]);
    const [moved] = (await model.logprobs(batchOf([[a]]))).logprobs;
    assert(farthest(text!, moved!) > 1e-3, "the text model has learned");
    assert.equal(await model.images!.rows(a, "features"), before);
    assert.equal(a.reads, 1);
  });
});

Deno.test("with a frozen tower states outlive updates, and features follow the merger", async () => {
  await withVision("qwen2_vl", async (model) => {
    const a = image("a");
    model.setTrainable(trains("model.", "visual.merger."));
    assert.equal(model.images!.stage, "states");
    const states = await model.images!.rows(a, "states"), features = await model.images!.rows(a, "features");
    await update(model, [[a]]);
    assert.equal(await model.images!.rows(a, "states"), states);
    assert(farthest(await model.images!.rows(a, "features"), features) > 1e-3);
    assert.equal(a.reads, 1);
  });
});

Deno.test("where the tower trains its states and features follow it", async () => {
  await withVision("qwen2_vl", async (model) => {
    const a = image("a");
    assert.equal(model.images!.stage, "patches");
    const states = await model.images!.rows(a, "states"), features = await model.images!.rows(a, "features");
    await update(model, [[a]]);
    assert(farthest(await model.images!.rows(a, "states"), states) > 1e-3);
    assert(farthest(await model.images!.rows(a, "features"), features) > 1e-3);
    assert.equal(a.reads, 3); // before the update, in it, after it
  });
});

for (const between of ["nothing", "an update of words alone"]) {
  Deno.test(`weights that are loaded leave nothing of an image, with ${between} before it is read again`, async () => {
    await withVision("qwen2_vl", async (model) => {
      const a = image("a"), other = readModel("qwen2_vl");
      model.setTrainable(trains("model."));
      const features = await model.images!.rows(a, "features");
      const name = "visual.blocks.0.attn.qkv.weight", { shape, data } = other.get(name)!;
      model.weights.fromHuggingFace(new Map([...other, [name, { shape, data: data.map((x) => -2 * x) }]]));
      if (between !== "nothing") await update(model, [[]]);
      assert(farthest(await model.images!.rows(a, "features"), features) > 1e-3);
      assert.equal(a.reads, 2);
    });
  });
}

Deno.test("a base whose weights are loaded beneath an adapter leaves nothing of an image", async () => {
  await withVision("qwen2_vl", async (base) => {
    const a = image("a"), stored = readModel("qwen2_vl"), name = "visual.blocks.0.attn.qkv.weight";
    base.weights.hold();
    const model = LanguageModel.adapt(base, {
      ...{ rank: 2, alpha: 3, rslora: false, scaling: 1.5, dropout: 0 },
      ...{ targets: new Set(["model.layers.0.self_attn.q_proj.weight"]), saved: new Set<string>() },
    }, null);
    const features = await model.images!.rows(a, "features");
    assert.equal(await model.images!.rows(a, "features"), features);
    const { shape, data } = stored.get(name)!;
    base.weights.fromHuggingFace(new Map([...stored, [name, { shape, data: data.map((x) => -2 * x) }]]));
    assert(farthest(await model.images!.rows(a, "features"), features) > 1e-3);
    model.release();
  });
});

Deno.test("an image whose patches do not fit the tower is refused by its id", async () => {
  await withVision("qwen2_vl", async (model) => {
    const wrong = (h: number, w: number, numbers: number) => ({
      ...{ id: "wrong", grid: { h, w } },
      patches: () => Promise.resolve(new Float32Array(numbers)),
    });
    for (const [h, w, numbers] of [[3, 4, 12 * 1176], [4, 5, 20 * 1176], [4, 4, 16 * 1176 - 1], [2, 2, 0]] as const) {
      for (const stage of ["patches", "states", "features"] as const) {
        await assert.rejects(() => model.images!.rows(wrong(h, w, numbers), stage), {
          name: "RangeError",
          message:
            `Cannot read image wrong: a grid of ${h} by ${w} patches with ${numbers} numbers, want multiples of 2 ` +
            "with 1176 numbers a patch; look at patch_size and merge_size of preprocessor_config.json",
        });
      }
    }
    // What failed is not kept.
    assert.equal((await model.images!.rows(image("wrong", 2, 2), "features")).length, 64);
  });
});

Deno.test("an adapter's part decides how far images are computed before its gradient", async () => {
  await withVision("qwen2_vl", (model) => {
    const stage = (...names: string[]) => new ImageEncoder(model, () => names).stage;
    assert.equal(stage("model.layers.0.self_attn.q_proj.lora_A.weight"), "features");
    assert.equal(stage("model.norm.weight", "visual.merger.mlp.0.lora_B.weight"), "states");
    assert.equal(stage("visual.merger.ln_q.weight", "visual.blocks.1.attn.proj.lora_A.weight"), "patches");
    assert.equal(stage(), "features");
    return Promise.resolve();
  });
});
