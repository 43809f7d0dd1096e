/** Real runs of a very small workflow: every step kind of the training loop, a few hundred milliseconds each. */
import { join } from "node:path";
import { STEPS } from "../../../steps/mod.ts";
import {
  type RunEvent,
  type RunOptions,
  runPlan,
  type RunResult,
  StopControl,
} from "../../../workflows/engine/run_plan.ts";
import { parseWorkflow } from "../../../workflows/language/parse.ts";
import type { Plan } from "../../../workflows/plan/plan.ts";
import { planRuns } from "../../../workflows/plan/plan_workflow.ts";
import { sha256 } from "../../../data/digest.ts";
import { rowsOnDisk } from "../engine/fake_runs.ts";

/** Warm start, two rollouts with two updates each against a reference, evaluations, an export. */
export const TINY = `
name: tiny
params: { backend: ffi }
seed: 3
device: cpu
backend: \${{ params.backend }}
threads: 1
checkpoint: { every: 100, keep: 1 }
steps:
  - { uses: load_prompts, with: { task: addition, digits: 1 } }
  - { uses: load_model, with: { model: tiny_qwen2, reference: copy } }
  - uses: fine_tune
    with: { max_updates: 3, batch_size: 8, until_accuracy: 0.99, evaluate_every: 2, evaluate_limit: 4 }
  - repeat: 2
    steps:
      - { uses: sample_groups, with: { prompts_per_step: 4, group_size: 4, max_new_tokens: 3 } }
      - { uses: score_rewards, with: { rewards: [{ uses: verifier }, { uses: length_penalty, weight: 0.1 }] } }
      - { uses: compute_advantages, with: { estimator: grpo } }
      - uses: apply_update
        with:
          learning_rate: 1.0e-3
          updates_per_rollout: 2
          kl_coef: 0.05
          schedule: linear
          schedule_updates: 4
          gradients_every: 1
      - { uses: diagnose, with: { on_error: warn } }
      - { id: during, uses: evaluate, every: 2, with: { split: validation, limit: 2 } }
  - { id: after, uses: evaluate, with: { limit: 4, modes: [sampled, greedy] } }
  - { uses: export_model }
`;

export function tinyPlan(text = TINY, params: Record<string, string> = {}, folder = "/"): Plan {
  return planRuns(parseWorkflow(text, "tiny.yaml", { kinds: STEPS, folder }), STEPS, { params })[0]!;
}

/** Asks to stop at the n-th question whether to stop, that is at the n-th safe point. */
export class StopAtPoint extends StopControl {
  asked = 0;

  constructor(readonly point: number, readonly heard: (point: number) => void = () => {}) {
    super();
  }

  override get requested() {
    this.heard(this.asked);
    if (this.asked++ === this.point) this.request("SIGINT");
    return super.requested;
  }
}

export interface TinyRun extends RunResult {
  readonly events: readonly RunEvent[];
}

export interface TinyOptions extends Partial<RunOptions> {
  readonly runs: string;
  readonly text?: string;
  readonly params?: Record<string, string>;
  readonly workflow?: string;
}

export async function tinyRun({ runs, text, params, workflow, ...options }: TinyOptions): Promise<TinyRun> {
  const events: RunEvent[] = [];
  const result = await runPlan(tinyPlan(text, params, workflow), {
    runsFolder: runs,
    projectFolder: Deno.cwd(),
    onEvent: (event) => events.push(event),
    ...options,
  });
  return { ...result, events };
}

/** Columns that measure time: never equal. */
const TIMES = /_ms$|^tokens_per_second$/;

/** What must be bitwise equal of two runs: the exported weights and every row but its times. Absent is null. */
export function traces(folder: string): { weights: string; rows: Record<string, unknown[]> } {
  const rows = Object.entries(rowsOnDisk(folder)).map(([table, lines]) => [
    table,
    // A busy machine is seen, too: that is no property of the run.
    lines.map((line) => JSON.parse(line)).filter(({ cause }) => cause !== "resource_stall").map((row) =>
      Object.fromEntries(
        Object.entries(row).filter(([name, value]) => value !== null && !TIMES.test(name)),
      )
    ),
  ]);
  return {
    weights: sha256(Deno.readFileSync(join(folder, "model", "model.safetensors"))),
    rows: Object.fromEntries(rows),
  };
}
