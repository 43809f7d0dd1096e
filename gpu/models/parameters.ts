/** The parameters that a config asks for: their names in a checkpoint, their shapes, and what is stacked into one. @module */
import { type Layout, layoutOf, type LayoutRow } from "../weights/layout.ts";
import type { ModelConfig } from "./config.ts";

function layerRows(config: ModelConfig, layer: number): LayoutRow[] {
  const { hiddenSize: d, intermediateSize: f, headDim } = config;
  const q = config.heads * headDim, kv = config.kvHeads * headDim;
  const at = `model.layers.${layer}.`, attention = `${at}self_attn.`;
  const sizes = { q, k: kv, v: kv };
  const projections = Object.entries(sizes);
  return [
    [`${layer}.qkv`, ...projections.map(([n, rows]) => [`${attention}${n}_proj.weight`, [rows, d]] as const)],
    [`${layer}.o`, [`${attention}o_proj.weight`, [d, q]]],
    [`${layer}.gate`, [`${at}mlp.gate_proj.weight`, [f, d]]],
    [`${layer}.up`, [`${at}mlp.up_proj.weight`, [f, d]]],
    [`${layer}.down`, [`${at}mlp.down_proj.weight`, [d, f]]],
    ...(config.qkvBias
      ? [
        [
          `${layer}.qkv_bias`,
          ...projections.map(([n, rows]) => [`${attention}${n}_proj.bias`, [rows]] as const),
        ] as LayoutRow,
      ]
      : []),
    ...(config.qkNorm
      ? [
        [`${layer}.q_norm`, [`${attention}q_norm.weight`, [headDim]]] as LayoutRow,
        [`${layer}.k_norm`, [`${attention}k_norm.weight`, [headDim]]] as LayoutRow,
      ]
      : []),
    [`${layer}.norm1`, [`${at}input_layernorm.weight`, [d]]],
    [`${layer}.norm2`, [`${at}post_attention_layernorm.weight`, [d]]],
  ];
}

/** The scalar head: [1, D], without a bias, as transformers' models for sequence classification have it. */
const SCORE = "score.weight";

/** The layout of a model: names as in its checkpoint, offsets in elements. */
export function parameterLayout(config: ModelConfig): Layout {
  const embedding = [config.vocabSize, config.hiddenSize];
  const scalar = config.head === "scalar", tied = config.tiedEmbeddings;
  const rows: LayoutRow[] = [
    ["embed", ["model.embed_tokens.weight", embedding]],
    ...(scalar ? [["score", [SCORE, [1, config.hiddenSize]]] as LayoutRow] : []),
    ...(scalar || tied ? [] : [["head", ["lm_head.weight", embedding]] as LayoutRow]),
    ...Array.from({ length: config.layers }, (_, layer) => layerRows(config, layer)).flat(),
    ["norm", ["model.norm.weight", [config.hiddenSize]]],
  ];
  const repeated = tied && !scalar ? ["lm_head.weight"] : [];
  return layoutOf(rows, { repeated, initializerRange: config.initializerRange });
}
