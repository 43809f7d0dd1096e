import assert from "node:assert/strict";
import { modelConfig, toConfigJson } from "../../../gpu/models/config.ts";
import { patchWidth, visionConfig, visionJson, type VisionStyle } from "../../../gpu/models/vision_config.ts";
import { readJson } from "../safetensors.ts";
import { plainConfig, TOWERS } from "./plain_config.ts";

const STYLES = ["qwen2_vl", "qwen2_5_vl"] as const;
const read = (style: VisionStyle, more: Record<string, unknown> = {}) =>
  visionConfig({ ...TOWERS[style], ...more }, style, 32);

Deno.test("visionConfig() reads the towers of the goldens", () => {
  const common = { patchSize: 14, temporalPatchSize: 2, channels: 3, mergeSize: 2, initializerRange: 0.02 };
  assert.deepEqual(modelConfig(readJson("models/qwen2_vl/config.json")).vision, {
    ...common,
    depth: 2,
    embedDim: 32,
    heads: 2,
    mlpWidth: 64,
    activation: "quick_gelu",
    style: "qwen2_vl",
    norm: "layer",
    gated: false,
    window: null,
  });
  assert.deepEqual(modelConfig(readJson("models/qwen2_5_vl/config.json")).vision, {
    ...common,
    depth: 4,
    embedDim: 24,
    heads: 2,
    mlpWidth: 20,
    activation: "silu",
    style: "qwen2_5_vl",
    norm: "rms",
    gated: true,
    window: { pixels: 56, full: [1, 3] },
  });
});

Deno.test("visionConfig() assumes what transformers assumes", () => {
  const first = visionConfig({}, "qwen2_vl", 3584), second = visionConfig({}, "qwen2_5_vl", 3584);
  assert.deepEqual([first.depth, first.embedDim, first.heads, first.mlpWidth], [32, 1280, 16, 5120]);
  assert.deepEqual([first.activation, first.window, patchWidth(first)], ["quick_gelu", null, 1176]);
  assert.throws(() => visionConfig({}, "qwen2_vl", 64), /"hidden_size" of "vision_config" is 3584, want 64, the text/);
  assert.deepEqual([second.embedDim, second.mlpWidth, second.activation], [3584, 3420, "silu"]);
  assert.deepEqual(second.window, { pixels: 112, full: [7, 15, 23, 31] });
});

for (const style of STYLES) {
  Deno.test(`visionJson() of ${style} is read back as the same tower`, () => {
    for (
      const more of [
        {},
        { patch_size: 8, temporal_patch_size: 1, spatial_merge_size: 4, in_channels: 1, initializer_range: 0.5 },
        { hidden_act: "gelu_pytorch_tanh", depth: 5 },
      ]
    ) {
      const config = read(style, more);
      assert.deepEqual(visionConfig(visionJson(config, 32), style, 32), config);
    }
    assert.notDeepEqual(read(style), read(style, { patch_size: 8 }));
  });

  Deno.test(`visionConfig() of ${style} changes with every key that it reads`, () => {
    const changed: Record<string, unknown> = {
      depth: 3,
      num_heads: 1,
      patch_size: 8,
      temporal_patch_size: 1,
      spatial_merge_size: 1,
      in_channels: 1,
      in_chans: 1,
      hidden_act: "gelu",
      initializer_range: 0.5,
      ...(style === "qwen2_vl"
        ? { embed_dim: 32, mlp_ratio: 3 }
        : { hidden_size: 32, intermediate_size: 7, window_size: 56, fullatt_block_indexes: [0] }),
    };
    for (const [key, value] of Object.entries(changed)) assert.notDeepEqual(read(style, { [key]: value }), read(style));
  });

  Deno.test(`visionConfig() of ${style} refuses what it does not do, by name`, () => {
    const refused: readonly [more: Record<string, unknown>, message: RegExp][] = [
      [{ made_up: 3 }, /"vision_config" has "made_up", which is not supported, want /],
      [{ num_heads: 3 }, /"vision_config" has 3 heads for a width of 16, want a head size that is a multiple of 4/],
      [{ hidden_act: "relu" }, /"hidden_act" of "vision_config" is "relu", want quick_gelu or silu or gelu/],
      [{ hidden_act: "toString" }, /"hidden_act" of "vision_config" is "toString"/],
      [{ depth: 0 }, /"depth" of "vision_config" is 0, want a whole number from 1 to 1000/],
      [{ patch_size: "14" }, /"patch_size" of "vision_config" is "14"/],
      [
        style === "qwen2_vl" ? { hidden_size: 8 } : { out_hidden_size: 8 },
        /of "vision_config" is 8, want 32, the text/,
      ],
    ];
    for (const [more, message] of refused) assert.throws(() => read(style, more), { name: "TypeError", message });
    for (const value of [null, [], "a tower", undefined]) {
      assert.throws(() => visionConfig(value, style, 32), /"vision_config" is .*, want an object/);
    }
    read(style, { model_type: style, torch_dtype: "bfloat16", tokens_per_second: 2, made_up: null });
  });
}

Deno.test("visionConfig() refuses windows smaller than a token, and full blocks that are no numbers", () => {
  assert.throws(() => read("qwen2_5_vl", { window_size: 27 }), /"window_size" of .* is 27, want 28 pixels of a merged/);
  assert.throws(() => read("qwen2_5_vl", { fullatt_block_indexes: 3 }), /"fullatt_block_indexes" of .* is 3, want a/);
  assert.throws(() => read("qwen2_5_vl", { fullatt_block_indexes: [-1] }), /want a list of block numbers below 1000/);
  for (const blocks of [[1e300], [1.5], Array(1001).fill(0)]) {
    assert.throws(() => read("qwen2_5_vl", { fullatt_block_indexes: blocks }), { message: /^.{1,250}$/ });
  }
  assert.deepEqual(read("qwen2_5_vl", { fullatt_block_indexes: [1, 7] }).window!.full, [1]);
});

for (const style of STYLES) {
  Deno.test(`modelConfig() reads the text of ${style} in text_config, or beside the tower, and writes it back`, () => {
    const plain = plainConfig(style), { model_type, vision_config, image_token_id, video_token_id, ...text } = plain;
    const config = modelConfig(plain);
    const nested = {
      model_type,
      vision_config,
      image_token_id,
      video_token_id,
      text_config: { ...text, model_type: "x" },
    };
    assert.deepEqual(modelConfig(nested), config);
    assert.deepEqual(modelConfig(toConfigJson(config)), config);
    assert.deepEqual([config.imageToken, config.silentTokens], [6, [6, 7, 8, 9]]);
    for (const id of [10, -1, 1.5, "6", null]) {
      assert.throws(
        () => modelConfig({ ...plain, image_token_id: id }),
        /"image_token_id" is .*, want a token below 10/,
      );
    }
    assert.throws(() => modelConfig({ ...plain, text_config: 3 }), /"text_config" is 3, want an object/);
    assert.throws(() => modelConfig({ ...plain, rope_scaling: { type: "mrope", mrope_section: [2, 2, 2] } }), {
      message: /"mrope_section" is \[2,2,2\], want three whole numbers whose sum is 4/,
    });
  });
}

Deno.test("visionConfig() takes the rope that transformers 5 writes, and no other", () => {
  const plain = read("qwen2_vl"), rope = (rope_parameters: unknown) => read("qwen2_vl", { rope_parameters });
  for (const given of [null, {}, { rope_theta: 10000, rope_type: "axial" }, { rope_type: "default" }]) {
    assert.deepEqual(rope(given), plain);
  }
  for (
    const given of [
      { rope_theta: 5000 },
      { rope_type: "linear", factor: 2 },
      { rope_type: "axial", factor: 2 },
      10000,
      true,
    ]
  ) {
    assert.throws(
      () => rope(given),
      /"rope_parameters" of "vision_config" is .*, want rope_theta 10000 and rope_type axial/,
    );
  }
});

/** Keys beside the sizes, as transformers 5.24 saves them. */
const SAVED_TEXT = {
  attention_dropout: 0,
  bos_token_id: 8,
  eos_token_id: 9,
  hidden_act: "silu",
  initializer_range: 0.02,
  layer_types: ["full_attention", "full_attention"],
  max_position_embeddings: 512,
  max_window_layers: 80,
  pad_token_id: null,
  rms_norm_eps: 1e-6,
  sliding_window: null,
  tie_word_embeddings: true,
  use_cache: true,
  use_sliding_window: false,
};
const SAVED_TOWER = {
  in_channels: 3,
  initializer_range: 0.02,
  patch_size: 14,
  rope_parameters: { rope_theta: 10000, rope_type: "axial" },
  spatial_merge_size: 2,
  temporal_patch_size: 2,
};

for (const style of STYLES) {
  Deno.test(`modelConfig() reads ${style} as transformers 5 saves it, as it reads the published form`, () => {
    const { vision_config, rope_scaling, ...plain } = plainConfig(style),
      { mrope_section } = rope_scaling as {
        mrope_section: unknown;
      };
    const { hidden_size, intermediate_size, num_hidden_layers, num_attention_heads, num_key_value_heads, vocab_size } =
      plain;
    const sizes = {
      hidden_size,
      intermediate_size,
      num_hidden_layers,
      num_attention_heads,
      num_key_value_heads,
      vocab_size,
    };
    const published = { ...plain, ...SAVED_TEXT, rope_theta: 1e6, rope_scaling, vision_config };
    const more = style === "qwen2_vl"
      ? { hidden_act: "quick_gelu" }
      : { hidden_act: "silu", tokens_per_second: 4, window_size: 112, fullatt_block_indexes: [7, 15, 23, 31] };
    const saved = (rope_parameters: unknown) => ({
      architectures: ["Qwen2VLForConditionalGeneration"],
      dtype: "float32",
      image_token_id: plain["image_token_id"],
      model_type: style,
      text_config: { ...sizes, ...SAVED_TEXT, model_type: `${style}_text`, rope_parameters },
      tie_word_embeddings: true,
      transformers_version: "5.24.0",
      video_token_id: plain["video_token_id"],
      vision_config: { ...vision_config as object, ...SAVED_TOWER, ...more, model_type: `${style}_vision` },
      vision_end_token_id: plain["vision_end_token_id"],
      vision_start_token_id: plain["vision_start_token_id"],
    });
    const rope = { mrope_section, rope_theta: 1e6, rope_type: "default" };
    assert.deepEqual(modelConfig(saved({ ...rope, type: "mrope" })), modelConfig(published));
    assert.deepEqual(modelConfig(saved(rope)), modelConfig(published));
    assert.notDeepEqual(modelConfig(saved({ ...rope, rope_theta: 1e4 })), modelConfig(published));
  });
}
for (const style of STYLES) {
  Deno.test(`visionConfig() of ${style} bounds every size, as the text's, and names it`, () => {
    const bounds: Readonly<Record<string, number>> = {
      depth: 1000,
      num_heads: 4096,
      patch_size: 64,
      temporal_patch_size: 8,
      spatial_merge_size: 8,
      in_channels: 16,
      ...(style === "qwen2_vl"
        ? { embed_dim: 131072 }
        : { hidden_size: 131072, intermediate_size: 1048576, window_size: 65536 }),
    };
    for (const [key, most] of Object.entries(bounds)) {
      for (const value of [most + 1, 1e9, 1e300, Infinity, 1.5, -1, "2", [2]]) {
        assert.throws(() => read(style, { [key]: value }), {
          name: "TypeError",
          message: new RegExp(`"${key}" of "vision_config" is .*, want a whole number from 1 to ${most}$`),
        });
      }
    }
    assert.equal(read(style, { depth: 1000 }).depth, 1000);
  });
}

Deno.test("visionConfig() refuses a ratio whose MLP has no number, or more than any model's", () => {
  for (const mlp_ratio of [1e-9, 1e9, Infinity]) {
    const message = /"mlp_ratio" of "vision_config" is .*, want 1 to 1048576 numbers for a width of 16/;
    assert.throws(() => read("qwen2_vl", { mlp_ratio }), { name: "TypeError", message });
  }
});
