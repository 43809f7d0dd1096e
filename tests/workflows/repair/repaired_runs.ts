/** Runs small real workflows with repair in temporary folders. @module */
import { fromFileUrl } from "@deno/std/path/from_file_url.js";
import { STEPS } from "../../../steps/mod.ts";
import { parseWorkflow } from "../../../workflows/language/parse.ts";
import { planWorkflow } from "../../../workflows/plan/plan_workflow.ts";
import type { RunEvent, RunOptions } from "../../../workflows/engine/run_plan.ts";
import { type RepairedRun, runWithRepair } from "../../../workflows/repair/run_with_repair.ts";

/** What a test changes in the small workflow. */
export interface SmallRun {
  readonly repair?: "off" | "suggest" | "apply";
  readonly trainSteps?: number;
  readonly sampling?: Readonly<Record<string, unknown>>;
  readonly update?: Readonly<Record<string, unknown>>;
  readonly reward?: string;
  readonly seed?: number;
}

/** A tiny policy that adds two-digit numbers about half of the time. */
const WARM = fromFileUrl(new URL("../../models/warm_addition", import.meta.url));

const SUMS = fromFileUrl(new URL("../../../workflows/library/failures/two_digit_sums.jsonl", import.meta.url));

/** The workflow: a few train steps of GRPO from a warm policy. */
export function smallWorkflow(run: SmallRun): string {
  const flow = (values: Record<string, unknown>) => JSON.stringify(values);
  return `name: small
seed: ${run.seed ?? 3}
threads: 1
repair: ${run.repair ?? "apply"}
checkpoint: { every: 20, keep: 2 }
steps:
  - { uses: load_prompts, with: { file: ${JSON.stringify(SUMS)} } }
  - { uses: load_model, with: { model: ${JSON.stringify(WARM)} } }
  - repeat: ${run.trainSteps ?? 40}
    steps:
      - uses: sample_groups
        with: ${flow({ prompts_per_step: 16, group_size: 8, max_new_tokens: 4, ...run.sampling })}
      - { uses: score_rewards, with: { rewards: [{ uses: ${run.reward ?? "verifier"} }] } }
      - { uses: compute_advantages, with: { estimator: grpo } }
      - { uses: apply_update, with: ${flow({ learning_rate: 0.0001, ...run.update })} }
      - uses: diagnose
  - { id: after, uses: evaluate, with: { split: validation, limit: 64 } }
`;
}

export interface Told extends RepairedRun {
  readonly events: readonly RunEvent[];
}

/** Runs it to the end. */
export async function runSmall(runs: string, run: SmallRun, options: Partial<RunOptions> = {}): Promise<Told> {
  const events: RunEvent[] = [];
  const plan = planWorkflow(parseWorkflow(smallWorkflow(run), "small.yaml", { folder: runs }), STEPS);
  const result = await runWithRepair(plan, {
    runsFolder: runs,
    projectFolder: runs,
    onEvent: (event) => events.push(event),
    ...options,
  });
  return { ...result, events };
}

/** Mean reward of the last `count` train steps of the run that went on. */
export function lastReward(told: Told, count = 5): number {
  const rewards = told.events.filter(({ event, reward }) => event === "train_step" && typeof reward === "number")
    .map(({ reward }) => reward as number).slice(-count);
  return rewards.reduce((sum, reward) => sum + reward, 0) / rewards.length;
}
