/** The workflow documents of slow deaths and their twins: one builder for rollouts, one for preferences. @module */
import { fromFileUrl } from "@deno/std/path/from_file_url.js";
import { MODEL_PRESETS } from "../../../steps/resources/model_presets.ts";

type Options = Readonly<Record<string, unknown>>;

/** A workflow as its file would have it. */
export interface Document {
  readonly name: string;
  readonly seed: number;
  readonly steps: readonly Options[];
  readonly [key: string]: unknown;
}

/** What differs from run to run of one kind. */
export interface Draw {
  readonly seed: number;
  readonly size: Size;
  /** The folder of the warm model of a base. */
  readonly warm: (base: Base) => string;
  /** A number of this kind, seed and size: between the two evenly in their logarithm. */
  readonly between: (low: number, high: number) => number;
}

/** The two sizes; both learn their task within 500 train steps. */
export const SIZES = {
  tiny: { ...MODEL_PRESETS.tiny_qwen2, num_hidden_layers: 1 },
  small: { ...MODEL_PRESETS.tiny_qwen2, hidden_size: 80, intermediate_size: 220, head_dim: 20 },
} as const;
export type Size = keyof typeof SIZES;

const SORT = { task: "sorting_digits", min_length: 2, max_length: 3 };
const SORT_WARM = { until_accuracy: 0.45, max_updates: 800 };
/** Prompts, the longest answer in tokens with its end, and how far the warm start goes. */
export const BASES = {
  sort: { prompts: SORT, cap: 6, warm: SORT_WARM },
  sums: { prompts: { task: "addition", digits: 1 }, cap: 4, warm: { until_accuracy: 0.4, max_updates: 300 } },
  letters: { prompts: { task: "counting_letters" }, cap: 4, warm: { until_accuracy: 0.35, max_updates: 300 } },
  /** Sums beside strings to sort. */
  mixed: {
    prompts: { file: "mixed.jsonl", verifier: "exact", split_column: "split" },
    cap: 6,
    warm: { until_accuracy: 0.25, max_updates: 260 },
  },
} as const;
export type Base = keyof typeof BASES;

/** The strings to sort, right where the last number is: what stands around it does not matter. */
export const NUMERIC: Options = { file: "numeric.jsonl", verifier: "numeric" };
/** Strings to sort are trained on, sums are only asked: a model of the base `mixed` can do both. */
export const OTHER: Options = { file: "other.jsonl", verifier: "exact", split_column: "split" };
/** Pairs of them, of which nearly half are the wrong way round. */
export const SWAPPED: Options = { file: "swapped.jsonl" };

/** Train steps of every run at least; held-out prompts are asked every so many. */
export const TRAIN_STEPS = 520;
export const EVALUATE_EVERY = 20;
const EVALUATED = { split: "held_out", limit: 80 };

const head = (name: string, seed: number) => ({
  name,
  seed,
  device: "cpu",
  threads: 1,
  checkpoint: { every: 100_000, keep: 1 },
});

/** Teaches a base to a fresh model, and writes it. */
export function warmDocument(base: Base, size: Size, seed: number): Document {
  const { prompts, warm } = BASES[base];
  return {
    ...head(`warm_${base}`, seed),
    steps: [
      { uses: "load_prompts", with: prompts },
      { uses: "load_model", with: { model: SIZES[size] } },
      { uses: "fine_tune", with: { ...warm, learning_rate: 2e-3, evaluate_every: 20, evaluate_limit: 100 } },
      { uses: "export_model" },
    ],
  };
}

/** The options of one stretch of a run; a later stretch has those of the one before it but for what it says. */
export interface Stretch {
  readonly steps?: number;
  readonly prompts?: Options;
  readonly sample?: Options;
  readonly rewards?: readonly Options[];
  readonly advantages?: Options;
  readonly update?: Options;
  /** Steps between sampling and advantages: filter_groups. */
  readonly filter?: Options;
  /** The critic of PPO; absent without one. */
  readonly critic?: Options;
}

export interface Rollout extends Stretch {
  readonly base?: Base;
  readonly model?: Options;
  /** A second split that is asked, of prompts that are not trained on. */
  readonly other?: boolean;
  readonly then?: readonly Stretch[];
  readonly faults?: readonly Options[];
}

/** A rollout run as it is without anything said: GRPO at a rate that learns. */
const USUAL = {
  steps: TRAIN_STEPS,
  sample: { prompts_per_step: 4, group_size: 8, temperature: 1 },
  rewards: [{ uses: "verifier" }],
  advantages: { estimator: "grpo" },
  update: { learning_rate: 3e-4, gradients_every: 0 },
} as const;

/** The reward file beside this one. */
const PROXY_FILE = fromFileUrl(new URL("proxies.ts", import.meta.url));
export const proxy = (name: string, weight: number, options: Options = {}, called = name): Options => ({
  uses: PROXY_FILE,
  name: called,
  weight,
  with: { proxy: name, ...options },
});

export function rollout({ seed, warm }: Draw, given: Rollout = {}): Document {
  const { base = "sort", then = [] } = given;
  const stretches = [given, ...then].reduce<Required<Stretch>[]>((made, next) => {
    const last = made.at(-1) ?? { ...USUAL, prompts: BASES[base].prompts, filter: {}, critic: {} };
    const cap = { max_new_tokens: BASES[base].cap };
    return [...made, {
      steps: next.steps ?? last.steps,
      prompts: next.prompts ?? last.prompts,
      sample: { ...cap, ...last.sample, ...next.sample },
      rewards: next.rewards ?? last.rewards,
      advantages: next.advantages ?? last.advantages,
      update: { ...last.update, ...next.update },
      filter: next.filter ?? last.filter,
      critic: { ...last.critic, ...next.critic },
    }];
  }, []);
  const ppo = Object.keys(stretches[0]!.critic).length > 0;
  return {
    ...head("rollout", seed),
    ...(given.faults === undefined ? {} : { faults: given.faults }),
    steps: [
      { uses: "load_prompts", with: stretches[0]!.prompts },
      { uses: "load_model", with: { model: warm(base), reference: "copy", ...given.model } },
      ...(ppo ? [{ uses: "load_critic", with: { body: "own" } }] : []),
      { id: "before", uses: "evaluate", with: EVALUATED },
      ...stretches.flatMap((stretch, i) => [
        ...(i > 0 && stretch.prompts !== stretches[i - 1]!.prompts
          ? [{ id: `prompts_${i + 1}`, uses: "load_prompts", with: stretch.prompts }]
          : []),
        { repeat: stretch.steps, steps: trainStep(stretch, i === 0 ? "" : `_${i + 1}`, ppo, given.other ?? false) },
      ]),
    ],
  };
}

function trainStep(stretch: Required<Stretch>, suffix: string, ppo: boolean, other: boolean): Options[] {
  const step = (uses: string, options: Options) => ({ id: `${uses}${suffix}`, uses, with: options });
  return [
    step("sample_groups", stretch.sample),
    step("score_rewards", { rewards: stretch.rewards }),
    ...(Object.keys(stretch.filter).length > 0 ? [step("filter_groups", stretch.filter)] : []),
    ...(ppo ? [step("compute_values", {})] : []),
    step("compute_advantages", stretch.advantages),
    step("apply_update", stretch.update),
    ...(ppo ? [step("update_critic", stretch.critic)] : []),
    { id: `held_out${suffix}`, uses: "evaluate", every: EVALUATE_EVERY, with: EVALUATED },
    ...(other
      ? [{ id: `other${suffix}`, uses: "evaluate", every: EVALUATE_EVERY, with: { ...EVALUATED, split: "validation" } }]
      : []),
  ];
}

/** A run on preferences; `data` are options of load_preferences, `train` those of train_preferences. */
export function preferences({ seed, warm }: Draw, given: {
  readonly base?: Base;
  readonly data?: Options;
  readonly model?: Options;
  readonly train: Options;
}): Document {
  const { base = "sort" } = given, { prompts } = BASES[base];
  const form = given.train["loss"] === "dpo" ? {} : { form: "unpaired" };
  return {
    ...head("preferences", seed),
    steps: [
      { uses: "load_prompts", with: prompts },
      { uses: "load_preferences", with: given.data ?? { ...prompts, ...form } },
      { uses: "load_model", with: { model: warm(base), reference: "copy", ...given.model } },
      { id: "before", uses: "evaluate", with: { ...EVALUATED, limit: 256 } },
      {
        uses: "train_preferences",
        with: {
          max_updates: TRAIN_STEPS,
          batch_size: 16,
          learning_rate: 1e-4,
          evaluate_every: EVALUATE_EVERY,
          evaluate_limit: 64,
          ...given.train,
        },
      },
      { id: "after", uses: "evaluate", with: { ...EVALUATED, limit: 256 } },
    ],
  };
}

/** How many train steps a document is made of. */
export function trainSteps({ steps }: Document): number {
  const of = (step: Options) => Number(step["repeat"] ?? (step["with"] as Options | undefined)?.["max_updates"] ?? 0);
  return steps.reduce((sum, step) => sum + of(step), 0);
}
