/** Runs real steps one after another without the engine: tables in memory, resources kept, everything released. */
import type { ColumnTable } from "arquero";
import { join } from "node:path";
import { columnArray } from "../../../data/tables/mod.ts";
import { type StepName, STEPS } from "../../../steps/mod.ts";
import type { Resources } from "../../../steps/resources/mod.ts";
import { MODEL_PRESETS } from "../../../steps/resources/model_presets.ts";
import type { Step, StepContext, StepEvent, StepResult, TableName } from "../../../steps/step.ts";
import { RunTables } from "../../../workflows/store/run_tables.ts";

export interface TrainingRunOptions {
  readonly seed?: number;
  readonly deterministic?: boolean;
  /** A clock in milliseconds. */
  readonly now?: () => number;
  /** The workflow file's folder; a temporary one if absent. */
  readonly workflow?: string;
}

export interface RunOptions {
  readonly id?: string;
  /** Where a resumed step left off. */
  readonly position?: number;
  /** Called at every safe point; throw to leave the step. */
  readonly safePoint?: (position: number | undefined) => void;
}

export class TrainingRun {
  readonly tables = new RunTables("all");
  readonly events: StepEvent[] = [];
  readonly resources: Partial<Resources> = {};
  readonly folders: StepContext["folders"];
  seed: number;

  constructor(readonly folder: string, readonly options: TrainingRunOptions = {}) {
    this.seed = options.seed ?? 7;
    const run = join(folder, "runs", "this_run");
    Deno.mkdirSync(run, { recursive: true });
    this.folders = { project: folder, workflow: options.workflow ?? folder, run };
  }

  context(stepId: string, { position = 0, safePoint }: RunOptions = {}): StepContext {
    const { tables, resources, events } = this;
    return {
      runId: "this_run",
      seed: this.seed,
      device: "cpu",
      backend: "ffi",
      threads: 1,
      deterministic: this.options.deterministic ?? false,
      stepId,
      get trainStep() {
        return tables.trainStep;
      },
      now: this.options.now,
      signal: new AbortController().signal,
      folders: this.folders,
      table: (name) => tables.table(name),
      history: (name, trainSteps) => tables.history(name, trainSteps),
      resource<Name extends keyof Resources>(name: Name) {
        const found = resources[name];
        if (!found) throw new Error(`the test gives no resource ${name}`);
        return found as Resources[Name];
      },
      advance: () => tables.advance(),
      write: (written) => tables.write(written, stepId),
      position,
      safePoint: (reached) => new Promise((resolve) => resolve(safePoint?.(reached))),
      emit: (event) => void events.push(event),
    };
  }

  /** Runs a step with parameters as a workflow file has them; its tables and resources are taken over. */
  async run(uses: StepName, given: unknown = {}, options: RunOptions = {}): Promise<StepResult> {
    const step: Step = STEPS[uses], id = options.id ?? uses;
    const result = await step.run(step.params.parse(given), this.context(id, options));
    this.tables.write(result.tables ?? {}, id);
    for (const [name, resource] of Object.entries(result.resources ?? {})) {
      const earlier = this.resources[name as keyof Resources];
      if (earlier && earlier !== resource) earlier.release();
      Object.assign(this.resources, { [name]: resource });
    }
    return result;
  }

  /** Starts the next train step and runs the steps of a rollout up to its advantages. */
  async rollout(sampling: Record<string, unknown> = {}): Promise<void> {
    this.tables.advance();
    await this.run("sample_groups", { prompts_per_step: 4, group_size: 4, max_new_tokens: 4, ...sampling });
    await this.run("score_rewards", { rewards: [{ uses: "verifier" }] });
    await this.run("compute_advantages", { estimator: "grpo" });
  }

  get policy(): Resources["policy"] {
    return this.context("test").resource("policy");
  }

  /** A copy of all weights. */
  weights(): Float32Array {
    const { layout, values } = this.policy.model.weights;
    return values.download(new Float32Array(layout.size));
  }

  column<T>(table: TableName, name: string): T[] {
    return Array.from(columnArray(this.tables.table(table), name) as ArrayLike<T>);
  }

  /** Values of the table `settings` by name, with where each came from. */
  settings(): Record<string, { value: unknown; source: string }> {
    const rows = this.tables.table("settings").objects() as { name: string; value: string; source: string }[];
    return Object.fromEntries(rows.map(({ name, value, source }) => [name, { value: JSON.parse(value), source }]));
  }

  release(): void {
    this.resources.critic?.release();
    this.resources.reward_model?.release();
    this.resources.reference?.release();
    this.resources.optimizer?.release();
    this.resources.policy?.release();
  }
}

/** Runs `body` in a temporary folder and releases what its steps loaded. */
export async function withRun(
  body: (run: TrainingRun) => void | Promise<void>,
  options: TrainingRunOptions = {},
): Promise<void> {
  const folder = Deno.makeTempDirSync({ prefix: "nonzero_steps_" });
  const run = new TrainingRun(folder, options);
  try {
    await body(run);
  } finally {
    run.release();
    Deno.removeSync(folder, { recursive: true });
  }
}

/** For what knows nothing of layers: with each, a train graph takes twice as long to load. */
export const ONE_LAYER = { model: { ...MODEL_PRESETS.tiny_qwen2, num_hidden_layers: 1 } };

/** The same with one-digit addition and a tiny policy of random weights. */
export function withTinyPolicy(
  body: (run: TrainingRun) => void | Promise<void>,
  model: Record<string, unknown> = {},
  options: TrainingRunOptions = {},
): Promise<void> {
  return withRun(async (run) => {
    await run.run("load_prompts", { task: "addition", digits: 1 });
    await run.run("load_model", { model: "tiny_qwen2", ...model });
    await body(run);
  }, options);
}

/** A list column as plain numbers. */
export function lists(table: ColumnTable, name: string): number[][] {
  return Array.from(columnArray(table, name) as ArrayLike<ArrayLike<number>>, (row) => Array.from(row));
}
