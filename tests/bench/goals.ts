/** What the project promises against its peers: one line per figure, and how it is read from rows. @module */

/** How many times faster ours is to be than a peer. */
export interface Goal {
  readonly what: string;
  readonly bench: string;
  readonly model: string;
  /** Systems of which the fastest counts. */
  readonly against: readonly string[];
  /** What is compared; seconds where absent. */
  readonly column?: "seconds" | "peak_rss_mb";
  /** Least ratio peer / ours. */
  readonly least: number;
}

const MODELS = ["tiny", "1m", "10m"] as const;

function perModel(
  what: string,
  bench: string,
  against: readonly string[],
  least: Partial<Record<(typeof MODELS)[number], number>>,
): Goal[] {
  return MODELS.flatMap((model) => {
    const ratio = least[model];
    return ratio === undefined ? [] : [{ what, bench, model, against, least: ratio }];
  });
}

export const GOALS: readonly Goal[] = [
  ...perModel("GRPO step 8×8×32", "grpo", ["trl"], { tiny: 4, "1m": 2.3, "10m": 1.7 }),
  ...perModel("GRPO step 8×8×32", "grpo", ["jax"], { tiny: 1.8, "1m": 1.6, "10m": 1.35 }),
  ...perModel("decode batch 64, 128 new", "generate_b64", ["transformers"], { tiny: 2.8, "1m": 2.4, "10m": 1.7 }),
  ...perModel("decode batch 64, 128 new", "generate_b64", ["jax"], { tiny: 1.6, "1m": 1.9, "10m": 1.5 }),
  ...perModel("decode batch 1, 128 new", "generate_b1", ["transformers"], { tiny: 10 }),
  ...perModel("decode batch 1, 128 new", "generate_b1", ["jax"], { tiny: 1.1, "1m": 1.1, "10m": 1.1 }),
  ...perModel("train 64×40", "train_64x40", ["torch_hf", "torch_eager", "torch_compile", "jax"], {
    tiny: 2,
    "1m": 1.7,
    "10m": 1.6,
  }),
  ...perModel("DPO update, 16 pairs of 33", "dpo", ["trl"], { tiny: 2, "1m": 1.4, "10m": 1 }),
  ...perModel("KTO update, 16 rows of 33", "kto", ["trl"], { tiny: 2, "1m": 1.4, "10m": 1 }),
  ...perModel("start to first train step", "start", ["trl"], { tiny: 2.5 }),
  {
    what: "peak memory of the start",
    bench: "start",
    model: "tiny",
    against: ["trl"],
    column: "peak_rss_mb",
    least: 2,
  },
];

/** Figures of ours alone. */
export const LIMITS = [
  { what: "start to first train step, s", bench: "start", model: "tiny", column: "seconds", most: 1.3 },
  { what: "engine overhead, share of the step", bench: "engine_overhead", model: "1m", column: "overhead", most: 0.03 },
  { what: "share of ORT's MatMul rate", bench: "matmul_share", model: "10m", column: "share", least: 0.75 },
] as const;
