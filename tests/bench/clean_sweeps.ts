/** Clean runs of the bench `faults` that are no files: five tasks, sizes, learning rates, long runs that solve the task. @module */
import { join } from "node:path";

export interface Sweep {
  readonly name: string;
  readonly prompts: string;
  readonly model: string;
  readonly warm: string;
  readonly tokens: number;
  readonly trainSteps: number;
  readonly learningRate: number;
  readonly groupSize: number;
  readonly seed: number;
}

/** Prompts, cap in tokens and warm start of five tasks that the tiny model learns in seconds. */
const TASKS = {
  addition: { prompts: "task: addition, digits: 1", tokens: 4, warm: "until_accuracy: 0.4, max_updates: 150" },
  subtraction: { prompts: "task: subtraction, digits: 1", tokens: 4, warm: "until_accuracy: 0.4, max_updates: 120" },
  multiplication_table: {
    prompts: "task: multiplication_table, max: 9",
    tokens: 4,
    warm: "until_accuracy: 0.3, max_updates: 300",
  },
  counting_letters: { prompts: "task: counting_letters", tokens: 4, warm: "until_accuracy: 0.4, max_updates: 200" },
  sorting_digits: {
    prompts: "task: sorting_digits, min_length: 2, max_length: 3",
    tokens: 5,
    warm: "until_accuracy: 0.3, max_updates: 400",
  },
} as const;

const RATES = [1e-6, 1e-5, 3e-5, 1e-4, 3e-4];

/** Five tasks at five rates, then seeds, large groups and long runs. A longer warm start learns its few prompts by heart. */
export const CLEAN_SWEEPS: readonly Sweep[] = Object.entries(TASKS).flatMap(([task, { prompts, tokens, warm }], i) => {
  const base = { prompts, tokens, warm, model: "tiny_qwen2", trainSteps: 25, groupSize: 8, seed: 10 + i };
  const sweep = (name: string, change: Partial<Sweep>): Sweep => ({
    name: `${task} ${name}`,
    learningRate: 1e-4,
    ...base,
    ...change,
  });
  return [
    ...RATES.map((learningRate) => sweep(`rate ${learningRate}`, { learningRate })),
    ...[51, 61].map((seed) => sweep(`seed ${seed + i}`, { seed: seed + i })),
    sweep("groups of 16", { groupSize: 16, seed: 31 + i }),
    sweep("until solved", { learningRate: 3e-4, trainSteps: 150, seed: 41 + i }),
    ...(task === "addition" ? [sweep("small_qwen2", { model: "small_qwen2", trainSteps: 12 })] : []),
  ];
});

/** Writes the workflow file of a sweep; returns its path. */
export async function sweepWorkflow(sweep: Sweep, folder: string): Promise<string> {
  const file = join(folder, `${sweep.name.replaceAll(/[^a-z0-9]+/g, "_")}.yaml`);
  await Deno.writeTextFile(
    file,
    `name: clean
seed: ${sweep.seed}
device: cpu
threads: 1
checkpoint: { every: 1000, keep: 1 }
steps:
  - { uses: load_prompts, with: { ${sweep.prompts} } }
  - { uses: load_model, with: { model: ${sweep.model}, reference: copy } }
  - { uses: fine_tune, with: { ${sweep.warm}, learning_rate: 2.0e-3, evaluate_every: 20, evaluate_limit: 100 } }
  - { id: after_warm_start, uses: diagnose, if: always(), with: { window: 1024 } }
  - repeat: ${sweep.trainSteps}
    steps:
      - uses: sample_groups
        with: { prompts_per_step: 16, group_size: ${sweep.groupSize}, max_new_tokens: ${sweep.tokens}, temperature: 1.0 }
      - { uses: score_rewards, with: { rewards: [{ uses: verifier }] } }
      - { uses: compute_advantages, with: { estimator: grpo } }
      - { uses: apply_update, with: { learning_rate: ${sweep.learningRate}, gradients_every: 0 } }
      - { uses: diagnose, if: always() }
`,
  );
  return file;
}
