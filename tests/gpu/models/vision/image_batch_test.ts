/** What a training graph is given of images: each once, padded, each in its own places. */
import assert from "node:assert/strict";
import { ImageEncoder } from "../../../../gpu/models/vision/image_encoder.ts";
import {
  type BatchImages,
  featureRows,
  fillImages,
  imageLoad,
  imageShape,
  loadShape,
} from "../../../../gpu/models/vision/image_batch.ts";
import { promptPlaces } from "../../../../gpu/models/vision/prompt_places.ts";
import { imageFeatures, type ImageShape } from "../../../../gpu/models/vision/tower.ts";
import { graphOptions, modelInputs } from "../../../../gpu/models/model.ts";
import { Graph } from "../../../../gpu/onnx/graph.ts";
import { encodeModel } from "../../../../gpu/onnx/proto.ts";
import type { LanguageModel } from "../../../../gpu/language_model.ts";
import { GraphWeights } from "../../../../gpu/weights/graph_weights.ts";
import { madeImage, madePrompt } from "./made_images.ts";
import { farthest, goldenConfig, VISION_CASES, type VisionCase, withVision } from "./vision_golden.ts";

const CONFIG = goldenConfig("qwen2_vl"), VISION = CONFIG.vision!;
const image = (id: string, h: number, w: number) => madeImage(id, h, w, CONFIG);

Deno.test("imageShape() has room for each image once, in sizes that repeat, and for a filler where there is none", () => {
  const [a, b] = [image("a", 4, 6), image("b", 6, 10)], row = (...images: typeof a[]) => madePrompt(images, [], CONFIG);
  assert.deepEqual(imageShape([[1], [2]], VISION, "states"), { count: 1, patches: 4, stage: "states" });
  assert.deepEqual(imageShape([row(a), row(a)], VISION, "patches"), { count: 1, patches: 24, stage: "patches" });
  // 15 tokens are read in 16.
  assert.deepEqual(imageShape([row(a), row(b, a)], VISION, "features"), { count: 2, patches: 64, stage: "features" });
  const many = Array.from({ length: 9 }, (_, i) => row(image(`${i}`, 2, 2)));
  assert.equal(imageShape(many, VISION, "patches").count, 10);
});

Deno.test("imageLoad() is the most that a prompt shows, and loadShape() that of so many prompts", () => {
  const [a, b] = [image("a", 4, 6), image("b", 6, 10)], row = (...images: typeof a[]) => madePrompt(images, [], CONFIG);
  assert.equal(imageLoad([[1], [2]], "states"), null);
  const load = imageLoad([row(a), row(b, a), [3]], "patches")!;
  assert.deepEqual(load, { each: 2, patches: 60, stage: "patches" });
  // 15 tokens are read in 16, and three prompts have six images at most.
  assert.deepEqual(loadShape(load, 1, VISION), { count: 2, patches: 64, stage: "patches" });
  assert.deepEqual(loadShape(load, 3, VISION), { count: 6, patches: 64, stage: "patches" });
});

Deno.test("featureRows() puts the rows of each image in place of its own tokens", () => {
  const [a, b] = [image("a", 2, 4), image("b", 4, 2)], prompt = madePrompt([b, a, b], [3], CONFIG);
  const rows = featureRows(prompt, promptPlaces(prompt, CONFIG).slots, new Map([["a", 10], ["b", 20]]), 2);
  assert.deepEqual([...rows], [-1, -1, 20, 21, -1, 10, 11, -1, 20, 21, -1, -1]);
});

/** Inputs of a graph as plain arrays. */
function inputsOf(shape: ImageShape, prompts: number, width: number) {
  const half = CONFIG.headDim / 2, turn = VISION.embedDim / VISION.heads / 2, rows = shape.count * shape.patches;
  const floats = (size: number) => ({ data: new Float32Array(size).fill(7) });
  return {
    image_slots: { data: new BigInt64Array(prompts * width).fill(7n) },
    is_image: floats(prompts * width),
    prompt_cos: floats(prompts * width * half),
    prompt_sin: floats(prompts * width * half),
    prompt_next: floats(prompts),
    image_patches: floats(rows * 1176),
    image_cos: floats(rows * turn),
    image_sin: floats(rows * turn),
    image_valid: floats(rows),
  };
}

Deno.test("fillImages() writes prompts at their right, and 0 where there is no image", async () => {
  const [a, b] = [image("a", 4, 2), image("b", 2, 2)], prompts = [madePrompt([b], [5], CONFIG), [1, 2, 3]];
  prompts.push(madePrompt([a, b], [], CONFIG));
  const shape = { count: 3, patches: 8, stage: "patches" } as const, inputs = inputsOf(shape, 3, 9);
  fillImages(
    inputs,
    prompts,
    9,
    { shape, images: [b, a], rows: [await b.patches(), await a.patches()] },
    CONFIG,
  );
  const rows = (name: "image_slots" | "is_image") =>
    [0, 1, 2].map((p) => Array.from(inputs[name].data.slice(9 * p, 9 * p + 9), Number).join(""));
  assert.deepEqual(rows("is_image"), ["000000100", "000000000", "000011010"]);
  assert.deepEqual(rows("image_slots"), ["000000000", "000000000", "000023000"]);
  assert.deepEqual([...inputs.prompt_next.data], [5, 3, 2 + 2 + 1 + 1 + 1]);
  assert.equal([...inputs.image_valid.data].join(""), "11110000" + "11111111" + "00000000");
  const { data } = inputs.image_patches;
  assert.deepEqual(data.slice(0, 4 * 1176), await b.patches());
  assert(data.slice(4 * 1176, 8 * 1176).every((x) => x === 0));
  assert.deepEqual(data.slice(8 * 1176, 16 * 1176), await a.patches());
  assert(data.slice(16 * 1176).every((x) => x === 0));
  // The last token of the second prompt turns by its place, 2.
  const half = CONFIG.headDim / 2, at = (9 + 8) * half;
  assert(Math.abs(inputs.prompt_cos.data[at]! - Math.cos(2)) < 1e-6);
});

/** The features of a batch by the tower of a train graph. */
async function featuresOf(model: LanguageModel, batch: BatchImages): Promise<Float32Array> {
  const { config, runtime } = model, options = graphOptions(model), vision = config.vision!;
  const graph = new Graph(options);
  const weights = new GraphWeights(graph, options);
  graph.output("y", imageFeatures(graph, batch.shape, weights, vision, config.hiddenSize));
  const session = await runtime.session(encodeModel(graph), { optimization: "basic" }), known = modelInputs(model);
  const own = Object.fromEntries(
    graph.inputs.filter(({ name }) => !known[name]).map(({ name, dims }) => [name, runtime.tensor("float32", dims)]),
  );
  const rest = inputsOf(batch.shape, 1, 1);
  fillImages({ ...rest, ...own }, [[1]], 1, batch, config);
  const tokens = batch.shape.count * batch.shape.patches / vision.mergeSize ** 2;
  const y = runtime.tensor("float32", [tokens, config.hiddenSize]);
  const read = graph.inputs.map(({ name }) => [name, known[name] ?? own[name]!] as const);
  await session.bind(Object.fromEntries(read), { y }).run();
  const result = (y.data as Float32Array).slice();
  for (const tensor of [y, ...Object.values(own), ...Object.values(known)]) tensor.release();
  session.release();
  return result;
}

for (const name of Object.keys(VISION_CASES) as VisionCase[]) {
  Deno.test(`${name}: images padded beside others and fillers have the features of each by itself`, async () => {
    await withVision(name, async (model, { images }) => {
      const encoder = new ImageEncoder(model, () => []), d = model.config.hiddenSize;
      for (const stage of ["patches", "states"] as const) {
        const rows = await Promise.all(images.map((image) => encoder.rows(image, stage)));
        const shape = { count: 5, patches: 64, stage };
        const all = await featuresOf(model, { shape, images, rows });
        for (const [i, image] of images.entries()) {
          const alone = await encoder.rows(image, "features"), from = i * 16 * d;
          assert(farthest(all.slice(from, from + alone.length), alone) < 1e-5, `${stage} of image ${i}`);
        }
        assert(all.every(Number.isFinite), "fillers too");
      }
      encoder.release();
    });
  });
}

const LOSS = { objective: "cross_entropy" } as const;
const SETTINGS = { loss: LOSS, aggregation: "token_mean", temperature: 1 } as const;

Deno.test("a train graph that reads patches has the log-probs of one that is given features", async () => {
  await withVision("qwen2_5_vl", async (model, { prompts, completions, json }) => {
    const group: number = json.group, rows = prompts.filter((_, row) => row % group === 0);
    const sequences = { prompts: rows, group, completions };
    const { logprobs } = await model.logprobs(sequences);
    for (const promptsPerPass of [1, 2, 3]) {
      const got = await model.accumulateGradient(sequences, { ...SETTINGS, promptsPerPass });
      got.logprobs.forEach((row, i) => assert(farthest(row, logprobs[i]!) < 1e-5, `${promptsPerPass}, row ${i}`));
    }
  });
});

Deno.test("packed rows with images are refused, in log-probs and gradients; those of words are read", async () => {
  await withVision("qwen2_vl", async (model) => {
    const completions = [[5, 6, 7, 8]], segments = [[0, 0, 1, 1]];
    const packed = (prompt: ArrayLike<number>) => ({ prompts: [prompt], group: 1, completions, segments });
    const message = /^Cannot pack rows with images: .*; leave packing out$/;
    const images = packed(madePrompt([image("a", 2, 2)], [3], CONFIG));
    await assert.rejects(() => model.logprobs(images), { name: "TypeError", message });
    await assert.rejects(() => model.accumulateGradient(images, SETTINGS), { name: "TypeError", message });
    const [got] = (await model.logprobs(packed([3, 4]))).logprobs;
    const [want] = (await model.logprobs({ prompts: [[3, 4]], group: 1, completions: [[5, 6]] })).logprobs;
    assert(farthest(got!.slice(0, 2), want!) < 1e-5);
  });
});
