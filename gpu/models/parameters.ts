/** The parameters that a config asks for: their names in a checkpoint, their shapes, and what is stacked into one. @module */
import { type Layout, layoutOf, type LayoutRow } from "../weights/layout.ts";
import type { ModelConfig } from "./config.ts";
import { visionRows, VISUAL } from "./vision_parameters.ts";

/** Products of a layer that one matrix computes here: its packed name, and the rows of each part. */
interface Stack {
  readonly name: string;
  /** Names of the parts in a checkpoint, and that of all of them where it holds them packed. */
  readonly parts: Readonly<Record<string, number>>;
  readonly packed?: string;
  readonly inner: number;
  readonly bias: boolean;
}

/** Gate and up are one matrix only where a checkpoint has it so: splitting a product costs more than a second one. */
function stacks(config: ModelConfig): Stack[] {
  const { hiddenSize: d, intermediateSize: f, headDim, mlpBias } = config;
  const q = config.heads * headDim, kv = config.kvHeads * headDim;
  const attention = "self_attn.", mlp = "mlp.";
  return [
    {
      name: "qkv",
      parts: { [`${attention}q_proj`]: q, [`${attention}k_proj`]: kv, [`${attention}v_proj`]: kv },
      packed: `${attention}qkv_proj`,
      inner: d,
      bias: config.qkvBias,
    },
    { name: "o", parts: { [`${attention}o_proj`]: d }, inner: q, bias: config.outputBias },
    ...(config.packedProjections
      ? [{ name: "gate_up", parts: { [`${mlp}gate_up_proj`]: 2 * f }, inner: d, bias: mlpBias }]
      : ["gate", "up"].map((name) => ({ name, parts: { [`${mlp}${name}_proj`]: f }, inner: d, bias: mlpBias }))),
    { name: "down", parts: { [`${mlp}down_proj`]: d }, inner: f, bias: mlpBias },
  ];
}

/** Names of the norms of a layer in a checkpoint, by where they stand: before and after attention, before and after the MLP. */
const NORMS: Readonly<Record<ModelConfig["norms"], Readonly<Record<string, string>>>> = {
  before: { norm1: "input_layernorm", norm2: "post_attention_layernorm" },
  after: { post1: "post_attention_layernorm", post2: "post_feedforward_layernorm" },
  both: {
    norm1: "input_layernorm",
    post1: "post_attention_layernorm",
    norm2: "pre_feedforward_layernorm",
    post2: "post_feedforward_layernorm",
  },
};

function layerRows(config: ModelConfig, layer: number): LayoutRow[] {
  const at = `model.layers.${layer}.`, { qkNorm, headDim, heads, kvHeads } = config;
  const all = stacks(config).map((stack) => {
    const whole = Object.values(stack.parts).reduce((a, b) => a + b);
    return config.packedProjections && stack.packed ? { ...stack, parts: { [stack.packed]: whole } } : stack;
  });
  const row = (name: string, end: string, parts: Stack["parts"], inner: readonly number[]): LayoutRow => [
    `${layer}.${name}`,
    ...Object.entries(parts).map(([part, rows]) => [`${at}${part}.${end}`, [rows, ...inner]] as const),
  ];
  const vector = (name: string, parameter: string, size: number): LayoutRow => [
    `${layer}.${name}`,
    [`${at}${parameter}.weight`, [size]],
  ];
  const normed = (count: number) => (qkNorm === "full" ? count * headDim : headDim);
  return [
    ...all.map(({ name, parts, inner }) => row(name, "weight", parts, [inner])),
    ...all.filter(({ bias }) => bias).map(({ name, parts }) => row(`${name}_bias`, "bias", parts, [])),
    ...(qkNorm
      ? [
        vector("q_norm", "self_attn.q_norm", normed(heads)),
        vector("k_norm", "self_attn.k_norm", normed(kvHeads)),
      ]
      : []),
    ...Object.entries(NORMS[config.norms]).map(([name, parameter]) => vector(name, parameter, config.hiddenSize)),
  ];
}

/** The scalar head: [1, D], without a bias, as transformers' models for sequence classification have it. */
export const SCORE = "score.weight";

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
    ...(config.vision ? visionRows(config.vision, config.hiddenSize) : []),
  ];
  const repeated = tied && !scalar ? ["lm_head.weight"] : [];
  const { initializerRange, normOffset, vision } = config;
  const initializerRanges: Readonly<Record<string, number>> = vision ? { [VISUAL]: vision.initializerRange } : {};
  return layoutOf(rows, { repeated, initializerRange, initializerRanges, initialNorm: normOffset === 0 ? 1 : 0 });
}
