/** A workflow one step at a time: run a step, look at its tables, change them, go on. @module */
import type { ColumnTable } from "arquero";
import { type TableName, TABLES } from "../../data/columns.ts";
import { didYouMean } from "../../data/did_you_mean.ts";
import type { ChartView } from "../../notebooks/chart_view.ts";
import type { Chart } from "../../notebooks/charts/chart.ts";
import type { ChartName } from "../../notebooks/charts/mod.ts";
import type { DrawOptions } from "../../notebooks/draw.ts";
import { reportRows } from "../../steps/metrics/report_rows.ts";
import type { Output, RunState } from "../engine/run_state.ts";
import { type RunResult, StopControl } from "../engine/run_plan.ts";
import { type Plan, type PlannedStep, stepsOf } from "../plan/plan.ts";
import { chartOf } from "./chart_of.ts";
import { interrupts } from "./interrupt.ts";

/** What one step came to. */
export interface StepRun {
  readonly step: string;
  readonly trainStep: number;
  readonly outputs: Readonly<Record<string, Output>>;
  /** The tables that the step writes, as they stand after it. */
  readonly tables: Readonly<Partial<Record<TableName, ColumnTable>>>;
}

/** Runs a plan, asking `gate` before each step. */
type Runner = (
  options: { readonly gate: (step: PlannedStep, state: RunState) => Promise<void>; readonly stop: StopControl },
) => Promise<RunResult>;

/**
 * A run that waits before each step. It holds its models and its lock until `finish()` or `close()`: a notebook that
 * forgets both leaves a run that can be resumed.
 */
export class WorkflowSession {
  readonly #stop = new StopControl();
  readonly #over: Promise<RunResult>;
  readonly #release: () => void;
  #state: RunState | null = null;
  /** The step that waits at the gate; null while steps run and after the end. */
  #waiting: PlannedStep | null = null;
  /** The step that runs since the gate was last opened. */
  #running: PlannedStep | null = null;
  #arrived = Promise.withResolvers<void>();
  #open = Promise.withResolvers<void>();
  #result: RunResult | null = null;

  constructor(readonly plan: Plan, run: Runner, signal?: AbortSignal) {
    this.#release = interrupts(this.#stop, signal);
    this.#over = run({ gate: (step, state) => this.#wait(step, state), stop: this.#stop });
    this.#over.then((result) => {
      this.#result = result;
      this.#waiting = null;
      this.#release();
      this.#arrived.resolve();
    }, (error) => {
      this.#release();
      this.#arrived.reject(error);
    });
    this.#arrived.promise.catch(() => {}); // whoever waits hears of it; nobody may be waiting yet
  }

  /** Ids of the steps, in the order of the file. */
  get steps(): string[] {
    return stepsOf(this.plan.steps).map(({ id }) => id);
  }

  /** The id of the step that comes next; null at the end. */
  get next(): string | null {
    return this.#waiting?.id ?? null;
  }

  get trainStep(): number {
    return this.#state?.tables.trainStep ?? 0;
  }

  /**
   * Runs steps up to the next one of that id or kind and this one too; the next step alone where no name is given. Throws
   * RangeError for a name that no step has or that does not come any more, and what the step throws where it fails.
   */
  async step(name?: string): Promise<StepRun> {
    const isWanted = (step: PlannedStep) => name === undefined || step.id === name || step.uses === name;
    const all = stepsOf(this.plan.steps);
    if (!all.some(isWanted)) {
      const names = [...new Set(all.flatMap(({ id, uses }) => [id, uses]))];
      throw new RangeError(
        `Cannot run step "${name}": the workflow has none${didYouMean(name!, names)}; it has ${this.steps.join(", ")}`,
      );
    }
    await this.#arrival();
    for (;;) {
      if (this.#result !== null) throw this.#ended(`run step "${name ?? "next"}"`);
      const ran = this.#waiting!;
      await this.#pass();
      if (!isWanted(ran)) continue;
      if (this.#failed) throw this.#ended(`run step "${ran.id}"`);
      return this.#stepRun(ran);
    }
  }

  /** Rows of the current train step, or a table that is stored whole (`prompts`, `settings`). */
  table(name: TableName): ColumnTable {
    return this.#tables(name).table(name);
  }

  /** Rows of the last train steps. */
  history(name: TableName, trainSteps: number): ColumnTable {
    return this.#tables(name).history(name, trainSteps);
  }

  /** A chart of the last train steps, as far as memory holds them. */
  chart(chart: ChartName | Chart, options: DrawOptions = {}): ChartView {
    const rows = (name: TableName) => reportRows(this.history(name, Number.MAX_SAFE_INTEGER));
    const names = ["metrics", "completions", "gradients", "findings"] as const;
    return chartOf(chart, Object.fromEntries(names.map((name) => [name, rows(name)])), options);
  }

  /** Puts a changed table in place of the rows of the current train step: the next steps read it. */
  write(name: TableName, table: ColumnTable): void {
    this.#tables(name);
    this.#state!.write({ [name]: table }, this.#running?.id ?? "notebook");
  }

  /** Runs what is left. Returns the result of the run. */
  async finish(): Promise<RunResult> {
    await this.#arrival();
    while (this.#result === null) await this.#pass();
    return this.#result;
  }

  /** Stops the run here, saved: `run --resume` or the command line goes on from there. */
  async close(): Promise<RunResult> {
    await this.#arrival();
    if (this.#result === null) this.#stop.request("SIGINT");
    return await this.finish();
  }

  get #failed(): boolean {
    return this.#result !== null && this.#result.status !== "ok";
  }

  /** Lets the step that waits run, until the next one waits or the run is over. */
  async #pass(): Promise<void> {
    this.#arrived = Promise.withResolvers();
    this.#arrived.promise.catch(() => {});
    this.#running = this.#waiting;
    this.#waiting = null;
    const open = this.#open;
    this.#open = Promise.withResolvers();
    open.resolve();
    await this.#arrived.promise;
  }

  async #arrival(): Promise<void> {
    if (this.#waiting === null && this.#result === null) await this.#arrived.promise;
  }

  async #wait(step: PlannedStep, state: RunState): Promise<void> {
    this.#state = state;
    this.#waiting = step;
    const { promise } = this.#open;
    this.#arrived.resolve();
    await Promise.race([promise, this.#stop.hard]);
  }

  #tables(name: TableName) {
    if (!Object.hasOwn(TABLES, name)) {
      throw new RangeError(`Cannot read table "${name}"${didYouMean(name, Object.keys(TABLES))}`);
    }
    if (this.#state === null) throw new RangeError(`Cannot read table "${name}": no step has run; run one by step()`);
    return this.#state.tables;
  }

  #stepRun(step: PlannedStep): StepRun {
    const state = this.#state!, names = Object.keys(step.kind.writes) as TableName[];
    return {
      step: step.id,
      trainStep: state.tables.trainStep,
      outputs: state.outputs[step.id] ?? {},
      tables: Object.fromEntries(names.map((name) => [name, state.tables.table(name)])),
    };
  }

  #ended(what: string): Error {
    const { status, reason, error } = this.#result!;
    return error ?? new RangeError(`Cannot ${what}: the run has ended (${status}${reason ? `: ${reason}` : ""})`);
  }
}
