/** Which numbers an option may have: the one table of their ranges, by option, for every system. @module */
import type { OptionName } from "./options.ts";

/** What a number may be; without bounds, any. */
export interface Range {
  readonly least?: number;
  readonly most?: number;
  /** The bound itself is refused. */
  readonly above?: true;
  readonly below?: true;
  readonly whole?: true;
  /** Several numbers are taken as well. */
  readonly listed?: true;
  /** From above this on it is taken, and does nothing of what it is for. */
  readonly useful?: number;
  /** What is commonly written. */
  readonly usual: number;
}

const MOST = 1e9; // Of anything counted: what is more is a slip, and products of it are no numbers.

const count = (usual: number): Range => ({ least: 1, most: MOST, whole: true, usual });
const share = (usual: number): Range => ({ least: 0, most: 1, usual });
const weight = (usual: number): Range => ({ least: 0, usual });

/**
 * Options that are numbers. Bounds are those beyond which every system refuses the value or computes nonsense: torch on rates
 * and weight decay, vLLM and transformers on sampling, PEFT on adapters, counts of things. 0 and 1 of groups, rates and ranks
 * are inside where they have a meaning of their own (verl's rank 0 is off) or a rule.
 */
export const OPTION_RANGES = {
  // ***** adapters *****
  lora_rank: { least: 0, whole: true, usual: 16 },
  lora_alpha: weight(32),
  lora_dropout: { least: 0, most: 1, below: true, usual: 0.05 },
  // ***** lengths and sampling *****
  max_length: count(2048),
  max_prompt_length: count(512),
  max_new_tokens: count(1024),
  group_size: count(8),
  temperature: weight(1),
  top_p: { least: 0, above: true, most: 1, usual: 1 },
  top_k: { least: -1, whole: true, usual: 0 },
  min_p: share(0),
  repetition_penalty: { least: 0, above: true, usual: 1 },
  max_pixels: count(1003520),
  // ***** loss *****
  kl_coef: { least: 0, listed: true, usual: 0.04 },
  clip_low: { least: 0, useful: 1, usual: 0.2 },
  clip_high: { least: 0, listed: true, usual: 0.28 },
  ratio_cap: { least: 0, above: true, usual: 4 },
  updates_per_rollout: count(1),
  label_smoothing: share(0),
  desirable_weight: weight(1),
  undesirable_weight: weight(1),
  ld_alpha: share(1),
  nll_loss_coef: weight(1),
  top_entropy_fraction: share(0.2),
  cov_fraction: share(0.0002),
  // ***** advantages and critic *****
  gamma: share(1),
  lambda: share(0.95),
  value_clip: weight(0.5),
  critic_updates_per_rollout: count(1),
  overlong_buffer: { least: 0, whole: true, usual: 4096 },
  // ***** optimizer *****
  learning_rate: weight(1e-6),
  critic_learning_rate: weight(1e-5),
  weight_decay: weight(0.01),
  warmup_fraction: weight(0.03), // More than all of it has a rule of its own.
  max_grad_norm: { usual: 1 },
  // ***** batches *****
  device_batch_size: count(8),
  gradient_accumulation: count(1),
  batch_size: count(64),
  minibatch_size: count(64),
  rollout_batch_size: count(64),
  steps_per_generation: count(1),
  train_steps: { least: -1, whole: true, usual: 500 },
  epochs: { usual: 1 },
} as const satisfies Readonly<Partial<Record<OptionName, Range>>>;

/** Options without a meaning of ours, by the end of their names in any system. */
const OTHERS: readonly (readonly [end: RegExp, range: Range])[] = [
  [/(?:^|[._])adam_beta1$/, { least: 0, most: 1, below: true, usual: 0.9 }],
  [/(?:^|[._])adam_beta2$/, { least: 0, most: 1, below: true, usual: 0.999 }],
  [/(?:^|[._])adam_epsilon$/, { least: 0, usual: 1e-8 }],
  [/(?:^|[._])gpu_memory_utilization$|^vllm_gpu_util$/, { least: 0, above: true, most: 1, usual: 0.5 }],
  [/(?:^|[._])tensor_(?:model_)?parallel_size$/, { least: 1, whole: true, usual: 1 }],
];

/** What an option may be, by its meaning or its name; null where it is no number or has no bounds that are known. */
export function rangeOf(option: OptionName | null, name: string): Range | null {
  const own = option === null ? undefined : (OPTION_RANGES as Readonly<Partial<Record<OptionName, Range>>>)[option];
  return own ?? OTHERS.find(([end]) => end.test(name))?.[1] ?? null;
}

/** True of a number inside. */
export function isInRange(value: number, { least, most, above, below, whole }: Range): boolean {
  if (Number.isNaN(value) || whole && !Number.isInteger(value)) return false;
  if (least !== undefined && (above ? value <= least : value < least)) return false;
  return most === undefined || (below ? value < most : value <= most);
}

/** "a whole number of at least 1", "a number above 0 and at most 1". */
export function rangeText({ least, most, above, below, whole }: Range): string {
  const bounds = [
    ...(least === undefined ? [] : [`${above ? "above" : "of at least"} ${least}`]),
    ...(most === undefined || most === MOST ? [] : [`${below ? "below" : "at most"} ${most}`]),
  ];
  return [`a ${whole ? "whole " : ""}number`, bounds.join(" and ")].filter((part) => part !== "").join(" ");
}
