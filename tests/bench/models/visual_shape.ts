/** The published shape of a model that reads images, and a prompt with one image: what the benchmark of a visual step takes. @module */
import type { FolderShape } from "./folder.ts";
import { below } from "./random_values.ts";

/** The config.json of Qwen2-VL-2B-Instruct, of which each size is the published one; the tower's activation is left unsaid there. */
export const QWEN2_VL_2B = {
  config: {
    architectures: ["Qwen2VLForConditionalGeneration"],
    attention_dropout: 0.0,
    bos_token_id: 151_643,
    eos_token_id: 151_645,
    hidden_act: "silu",
    hidden_size: 1536,
    image_token_id: 151_655,
    initializer_range: 0.02,
    intermediate_size: 8960,
    max_position_embeddings: 32_768,
    max_window_layers: 28,
    model_type: "qwen2_vl",
    num_attention_heads: 12,
    num_hidden_layers: 28,
    num_key_value_heads: 2,
    rms_norm_eps: 1e-6,
    rope_scaling: { type: "mrope", mrope_section: [16, 24, 24] },
    rope_theta: 1_000_000.0,
    sliding_window: 32_768,
    tie_word_embeddings: true,
    torch_dtype: "bfloat16",
    use_cache: true,
    use_sliding_window: false,
    video_token_id: 151_656,
    vision_config: {
      depth: 32,
      embed_dim: 1280,
      hidden_size: 1536,
      in_chans: 3,
      mlp_ratio: 4,
      model_type: "qwen2_vl",
      num_heads: 16,
      patch_size: 14,
      spatial_merge_size: 2,
      spatial_patch_size: 14,
      temporal_patch_size: 2,
    },
    vision_end_token_id: 151_653,
    vision_start_token_id: 151_652,
    vision_token_id: 151_654,
    vocab_size: 151_936,
  },
  baseTokens: 151_643,
  specialTokens: 14,
} as const satisfies FolderShape;

/** Pixels of the image's side, as the processor leaves them: a whole number of merged patches. */
const SIDE = 448;
const WORDS = 24;

const { config } = QWEN2_VL_2B, { vision_config: vision } = config;

/** Patches of the image: [448, 448] pixels are 32 x 32 of them, and 16 x 16 image tokens. */
export const GRID = { h: SIDE / vision.patch_size, w: SIDE / vision.patch_size } as const;

/** Token ids of a prompt with the image before some text, each image token in its place: 256 of 288. */
export function visualPrompt(): Int32Array {
  const draw = below(3), text = (count: number) => Array.from({ length: count }, () => draw(150_000));
  const tokens = GRID.h * GRID.w / vision.spatial_merge_size ** 2;
  const image = Array.from({ length: tokens }, () => config.image_token_id);
  const start = 151_644, end = config.eos_token_id;
  return Int32Array.from([
    start,
    ...text(2),
    config.vision_start_token_id,
    ...image,
    config.vision_end_token_id,
    ...text(WORDS),
    end,
    start,
    ...text(1),
  ]);
}

/** The image's patches, as the processor would hand them over: float32 [h * w, channels * frames * patch * patch], about normal. */
export function visualPatches(): Float32Array {
  const width = vision.in_chans * vision.temporal_patch_size * vision.patch_size ** 2, draw = below(4);
  return Float32Array.from({ length: GRID.h * GRID.w * width }, () => (draw(4001) - 2000) / 1000);
}
