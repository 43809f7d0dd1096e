/**
 * Where every parameter lies in the one array that holds them all.
 *
 * Matrices keep Hugging Face's [out, in] layout; q, k and v are neighbours, so one view is the fused matrix and a Hugging
 * Face tensor is a contiguous view too: no conversion, exact both ways. Matrices come first,
 * vectors last, so that weight decay is a prefix.
 * @module
 */
import type { ModelConfig } from "../models/config.ts";
import { matchesName } from "./name_pattern.ts";

/** One Hugging Face tensor. */
export interface Parameter {
  readonly name: string;
  readonly shape: readonly number[];
  /** First element in the arena. */
  readonly offset: number;
  readonly size: number;
}

/** One tensor as the graphs see it: one or several parameters, stacked by rows. */
export interface PackedParameter extends Parameter {
  readonly parts: readonly Parameter[];
}

export interface Layout {
  readonly packed: readonly PackedParameter[];
  readonly parameters: readonly Parameter[];
  /** Elements of the arena, padding between tensors included. */
  readonly size: number;
  /** Elements before the first vector: those that weight decay applies to. */
  readonly matrixSize: number;
  /** Parameters that count, without padding. */
  readonly count: number;
}

/** Tensors start at multiples of 64 bytes. */
const ALIGN = 16;

type Row = readonly [packed: string, ...parts: (readonly [name: string, shape: readonly number[]])[]];

function layerRows(config: ModelConfig, layer: number): Row[] {
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
        ] as Row,
      ]
      : []),
    ...(config.qkNorm
      ? [
        [`${layer}.q_norm`, [`${attention}q_norm.weight`, [headDim]]] as Row,
        [`${layer}.k_norm`, [`${attention}k_norm.weight`, [headDim]]] as Row,
      ]
      : []),
    [`${layer}.norm1`, [`${at}input_layernorm.weight`, [d]]],
    [`${layer}.norm2`, [`${at}post_attention_layernorm.weight`, [d]]],
  ];
}

function count(shape: readonly number[]): number {
  return shape.reduce((a, b) => a * b, 1);
}

/** The layout of a model: names as in its checkpoint, offsets in elements. */
export function parameterLayout(config: ModelConfig): Layout {
  const embedding = [config.vocabSize, config.hiddenSize];
  const rows: Row[] = [
    ["embed", ["model.embed_tokens.weight", embedding]],
    ...(config.tiedEmbeddings ? [] : [["head", ["lm_head.weight", embedding]] as Row]),
    ...Array.from({ length: config.layers }, (_, layer) => layerRows(config, layer)).flat(),
    ["norm", ["model.norm.weight", [config.hiddenSize]]],
  ];
  const isMatrix = (row: Row) => row[1]?.[1].length === 2;
  let offset = 0, matrixSize = 0;
  const packed: PackedParameter[] = [];
  for (const matrices of [true, false]) {
    for (const row of rows.filter((row) => isMatrix(row) === matrices)) {
      const [name, ...parts] = row;
      const start = offset;
      const placed = parts.map(([partName, shape]) => {
        const part = { name: partName, shape, offset, size: count(shape) };
        offset += part.size;
        return part;
      });
      const leading = placed.reduce((sum, part) => sum + (part.shape[0] ?? 0), 0);
      const shape = [leading, ...(placed[0]?.shape.slice(1) ?? [])];
      packed.push({ name, shape, offset: start, size: offset - start, parts: placed });
      offset = Math.ceil(offset / ALIGN) * ALIGN;
    }
    if (matrices) matrixSize = offset;
  }
  const parameters = packed.flatMap((tensor) => tensor.parts);
  return { packed, parameters, size: offset, matrixSize, count: parameters.reduce((sum, p) => sum + p.size, 0) };
}

/** True where a name matches one of the patterns (`*` = any characters). Throws when a pattern matches nothing. */
export function matchParameters(layout: Layout, patterns: readonly string[]): Set<string> {
  const names = layout.parameters.map(({ name }) => name);
  const matched = new Set<string>();
  for (const pattern of patterns) {
    const hits = names.filter((name) => matchesName(pattern, name));
    if (hits.length === 0) {
      throw new RangeError(
        `Cannot choose trainable parameters: "${pattern}" matches no parameter, want one of ${names.join(", ")}`,
      );
    }
    hits.forEach((name) => matched.add(name));
  }
  return matched;
}
