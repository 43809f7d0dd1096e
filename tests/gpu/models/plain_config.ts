/** The smallest config.json of every family, for tests of its keys. @module */
import { FAMILIES, type Family, type ModelType } from "../../../gpu/models/families.ts";
import type { VisionStyle } from "../../../gpu/models/vision_config.ts";

export const SIZES = {
  hidden_size: 32,
  intermediate_size: 16,
  num_hidden_layers: 2,
  num_attention_heads: 4,
  num_key_value_heads: 2,
  vocab_size: 10,
};

/** By its style, a tower of which the text model takes what it gives. */
export const TOWERS: Readonly<Record<VisionStyle, Readonly<Record<string, unknown>>>> = {
  qwen2_vl: { depth: 1, embed_dim: 16, num_heads: 2, mlp_ratio: 2, hidden_size: 32 },
  qwen2_5_vl: { depth: 2, hidden_size: 16, num_heads: 2, intermediate_size: 12, out_hidden_size: 32 },
};

/** Sizes, and what a model with a tower has besides. */
export function plainConfig(type: ModelType): Record<string, unknown> {
  const { vision }: Family = FAMILIES[type], json = { ...SIZES, model_type: type };
  if (!vision) return json;
  return {
    ...json,
    vision_config: TOWERS[vision],
    image_token_id: 6,
    video_token_id: 7,
    vision_start_token_id: 8,
    vision_end_token_id: 9,
    rope_scaling: { type: "mrope", mrope_section: [2, 1, 1] },
  };
}
