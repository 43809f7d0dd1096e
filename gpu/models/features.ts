/** The switches of a decoder-only transformer: what graphs do differently from one family to another. @module */

/** What is special about one layer's attention. */
export interface LayerKind {
  /** A token sees itself and the `window` - 1 before it (transformers masking_utils.py `sliding_window_overlay`); null = all. */
  readonly window: number | null;
  /** Which rotary table it uses; null: positions do not enter. */
  readonly rope: "global" | "local" | null;
}

export interface Features {
  readonly qkvBias: boolean;
  /** Of the product that ends attention. */
  readonly outputBias: boolean;
  readonly mlpBias: boolean;
  /** RMSNorm of queries and keys before rotation: of each head by itself, or of all heads at once. */
  readonly qkNorm: "head" | "full" | null;
  /** A checkpoint holds q, k and v as one tensor, gate and up as another. */
  readonly packedProjections: boolean;
  readonly activation: Activation;
  /** Norms multiply by `normOffset` + weight. */
  readonly normOffset: 0 | 1;
  /** Whether norms stand before attention and MLP, after them (before the sum), or both. */
  readonly norms: "before" | "after" | "both";
  /** Factor of the embeddings. */
  readonly embeddingScale: number;
  /** Factor of what attention and MLP add to the residual stream. */
  readonly residualScale: number;
  /** Factor of the scores q·k. */
  readonly attentionScale: number;
  /** Scores x become c · tanh(x / c). */
  readonly attentionSoftcap: number | null;
  /** Logits are divided by it. */
  readonly logitsDivisor: number;
  /** Logits x become c · tanh(x / c). */
  readonly logitsSoftcap: number | null;
}

/** By their names in config.json (transformers activations.py ACT2FN). */
export const ACTIVATIONS = { silu: "silu", swish: "silu", gelu_pytorch_tanh: "gelu_tanh" } as const;

export type Activation = (typeof ACTIVATIONS)[keyof typeof ACTIVATIONS];

/** What holds where neither family nor option says otherwise; scores are divided by the root of the head size. */
export const PLAIN_FEATURES: Omit<Features, "attentionScale"> = {
  qkvBias: false,
  outputBias: false,
  mlpBias: false,
  qkNorm: null,
  packedProjections: false,
  activation: "silu",
  normOffset: 0,
  norms: "before",
  embeddingScale: 1,
  residualScale: 1,
  attentionSoftcap: null,
  logitsDivisor: 1,
  logitsSoftcap: null,
};
