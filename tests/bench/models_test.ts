/** The parts of `bench models`, and a folder as it makes them, of a small shape. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { openModelTensors } from "../../data/hub/model_tensors.ts";
import { loadTokenizer } from "../../data/hub/tokenizer.ts";
import { modelConfig } from "../../gpu/models/config.ts";
import { parameterLayout } from "../../gpu/models/parameters.ts";
import { cpuRuntime } from "../gpu/golden_model.ts";
import { chosenTrials } from "./models.ts";
import { trainedBytes } from "./models/adapter_share.ts";
import { blockWay, codesOf, dynamicWay } from "./models/decode_quantised.ts";
import { figureLine, met } from "./models/figure.ts";
import { cachedFolder, QWEN2_HALF_BILLION } from "./models/folder.ts";
import { GRID, QWEN2_VL_2B, visualPatches, visualPrompt } from "./models/visual_shape.ts";

const PARTS = {
  load: { about: "", trials: { one: () => Promise.resolve([]), two: () => Promise.resolve([]) } },
  decode: { about: "", trials: { int8: () => Promise.resolve([]) } },
};

Deno.test("chosenTrials() takes parts and trials by name, all without a name, and refuses others", () => {
  assert.deepEqual(chosenTrials("", PARTS), ["load/one", "load/two", "decode/int8"]);
  assert.deepEqual(chosenTrials("decode,load/two", PARTS), ["load/two", "decode/int8"]);
  assert.throws(
    () => chosenTrials("decode/int9", PARTS),
    /it has "decode\/int9", want load \| decode or one of load\/one/,
  );
});

Deno.test("a figure meets its goal, misses it, or has none; what is no number is never met", () => {
  const figure = { what: "x", value: 2, unit: "s" };
  assert.equal(met(figure), null);
  assert.equal(met({ ...figure, most: 2 }), true);
  assert.equal(met({ ...figure, least: 2.1 }), false);
  assert.equal(met({ ...figure, value: NaN, most: 2 }), false);
  assert.match(figureLine("load/one", { ...figure, most: 1 }), /load\/one +x +2 s +≤ 1 +fail$/);
  assert.match(figureLine("load/one", { ...figure, least: 1 / 3, most: 6e9 / 2 ** 20 }), /≥ 0\.3333 and ≤ 5722 pass$/);
  assert.match(figureLine("load/one", { ...figure, most: 1, note: "so" }), /fail {2}\(so\)$/);
});

Deno.test("what was not measured is no number, meets no goal and fails none", () => {
  const figure = { what: "x", value: null, unit: "×", least: 1.5, note: "no Python" };
  assert.equal(met(figure), null);
  assert.match(figureLine("load/one", figure), /x +– × +≥ 1\.5 +not measured {2}\(no Python\)$/);
});

Deno.test("the published shape has 494,032,768 parameters and 151,665 tokens", () => {
  assert.equal(parameterLayout(modelConfig(QWEN2_HALF_BILLION.config)).count, 494_032_768);
  assert.equal(QWEN2_HALF_BILLION.baseTokens + QWEN2_HALF_BILLION.specialTokens, 151_665);
});

Deno.test("the published visual shape has 2,208,985,600 parameters, counted by hand from its sizes", () => {
  const { config } = QWEN2_VL_2B, { vision_config: vision, hidden_size: d, num_hidden_layers: layers } = config;
  const linear = (from: number, to: number) => from * to + to, kv = d / config.num_attention_heads * 2;
  const block = d * d + linear(d, d) + 2 * linear(d, kv) + 3 * d * config.intermediate_size + 2 * d;
  const e = vision.embed_dim, merged = e * 4, pixels = 3 * 2 * 14 ** 2;
  const visual = 4 * e + linear(e, 3 * e) + linear(e, e) + linear(e, 4 * e) + linear(4 * e, e);
  const merger = 2 * e + linear(merged, merged) + linear(merged, d);
  assert.equal(
    config.vocab_size * d + d + layers * block + pixels * e + vision.depth * visual + merger,
    2_208_985_600,
  );
  assert.equal(QWEN2_VL_2B.baseTokens + QWEN2_VL_2B.specialTokens, config.video_token_id + 1);
  assert.equal(d / config.num_attention_heads, 2 * config.rope_scaling.mrope_section.reduce((a, b) => a + b, 0));
});

Deno.test("visualPrompt() has a place for each merged patch of the image, in one piece, and no other image token", () => {
  const ids = [...visualPrompt()], { image_token_id, vision_start_token_id, vision_end_token_id } = QWEN2_VL_2B.config;
  const first = ids.indexOf(image_token_id), last = ids.lastIndexOf(image_token_id);
  assert.equal(last - first + 1, 256);
  assert(ids.slice(first, last + 1).every((id) => id === image_token_id));
  assert.deepEqual([ids[first - 1], ids[last + 1]], [vision_start_token_id, vision_end_token_id]);
  assert.equal(ids.length, 288);
  assert.equal(visualPatches().length, GRID.h * GRID.w * 1176);
});

Deno.test("cachedFolder() makes a model folder once: tensors, tokenizer, both read by the project", () => {
  const parent = Deno.makeTempDirSync();
  try {
    const sizes = {
      hidden_size: 64,
      intermediate_size: 96,
      num_hidden_layers: 2,
      num_attention_heads: 4,
      num_key_value_heads: 2,
    };
    const ids = { vocab_size: 1024, bos_token_id: 997, eos_token_id: 999 };
    const shape = { config: { ...QWEN2_HALF_BILLION.config, ...sizes, ...ids }, baseTokens: 997, specialTokens: 4 };
    const said: string[] = [], folder = cachedFolder(join(parent, "model"), shape, (line) => said.push(line));
    assert.equal(said.length, 2);
    cachedFolder(folder, shape, (line) => said.push(line));
    assert.equal(said.length, 2);
    using tensors = openModelTensors(folder);
    assert.deepEqual(
      new Set(tensors.tensors.keys()),
      new Set(parameterLayout(modelConfig(shape.config)).parameters.map(({ name }) => name)),
    );
    const values = tensors.float32("model.embed_tokens.weight");
    const mean = values.reduce((a, b) => a + b) / values.length;
    const deviation = Math.sqrt(values.reduce((sum, x) => sum + (x - mean) ** 2, 0) / values.length);
    assert(Math.abs(mean) < 5e-4 && Math.abs(deviation - 0.02) < 5e-4, `${mean} ± ${deviation}`);
    assert(tensors.float32("model.norm.weight").every((x) => x === 1));
    const tokenizer = loadTokenizer(folder), text = "The tents over there: 20 of them, naïve and 東.";
    assert.equal(tokenizer.vocabSize, 1001);
    assert.deepEqual(tokenizer.eosIds, [999, 997]);
    assert.equal(tokenizer.decode(tokenizer.encode(text)), text);
    const merged = [300, 400].map((id) => tokenizer.idToToken(id)!).join(" ");
    assert(tokenizer.encode(merged).length < merged.length, "no merge was used");
  } finally {
    Deno.removeSync(parent, { recursive: true });
  }
});

Deno.test("trainedBytes() counts gradient and two moments of what trains, whole or an adapter's of rank 8", async () => {
  const width = 32, inner = 48, runtime = await cpuRuntime();
  const config = {
    model_type: "qwen2",
    vocab_size: 64,
    hidden_size: width,
    intermediate_size: inner,
    num_hidden_layers: 1,
    num_attention_heads: 2,
    num_key_value_heads: 2,
    tie_word_embeddings: true,
  };
  try {
    // Four projections of attention and three of the MLP: rank times the inputs and outputs of each.
    const adapter = 8 * (4 * 2 * width + 3 * (width + inner));
    assert.equal(await trainedBytes(runtime, config, true), 12 * adapter);
    assert.equal(await trainedBytes(runtime, config, false), 12 * parameterLayout(modelConfig(config)).count);
  } finally {
    runtime.release();
  }
});

Deno.test("products by blocks, and by dynamic quantization in one op and in five, are those of the codes", async () => {
  const products = [{ name: "a", out: 40, width: 96, largest: 63 }, { name: "b", out: 7, width: 64, largest: 63 }];
  const rows = 3;
  const runtime = await cpuRuntime();
  try {
    const ways = [
      await blockWay(runtime, products),
      ...await Promise.all([true, false].map((fused) => dynamicWay(runtime, products, fused))),
    ];
    for (const way of ways) {
      const { run, y } = way.bind(rows);
      await run.run();
      for (const [seed, product] of products.entries()) {
        const codes = codesOf(product, seed), got = y[product.name]!;
        for (let i = 0; i < rows * product.out; i++) {
          const row = Math.floor(i / product.out), n = i % product.out;
          let want = 0;
          for (let k = 0; k < product.width; k++) {
            want += Math.sin((row * product.width + k) * 0.37) * codes[n * product.width + k]!;
          }
          // Inputs are rounded to steps of 2 / 255: sums of that many errors.
          assert(Math.abs(got[i]! - want / 4096) < 0.01, `${product.name} ${i}: ${got[i]}, want ${want / 4096}`);
        }
      }
      way.release();
    }
  } finally {
    runtime.release();
  }
});
