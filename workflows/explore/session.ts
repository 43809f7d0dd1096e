/** A workflow one step at a time: run a step, look at its tables, change them, go on. @module */
import type { ColumnTable } from "arquero";
import { type TableName, TABLES } from "../../data/columns.ts";
import { didYouMean } from "../../data/did_you_mean.ts";
import { emptyTable } from "../../data/tables/mod.ts";
import type { ChartView } from "../../notebooks/chart_view.ts";
import type { Chart } from "../../notebooks/charts/chart.ts";
import type { ChartName } from "../../notebooks/charts/mod.ts";
import { type Bundle, JUPYTER_DISPLAY } from "../../notebooks/display.ts";
import type { DrawOptions } from "../../notebooks/draw.ts";
import { reportRows } from "../../steps/metrics/report_rows.ts";
import type { Output, RunState } from "../engine/run_state.ts";
import { type RunEvent, type RunResult, StopControl } from "../engine/run_plan.ts";
import { type Plan, type PlannedStep, stepsOf } from "../plan/plan.ts";
import { chartOf } from "./chart_of.ts";
import { canCome } from "./coming_steps.ts";
import { onInterrupt } from "./interrupt.ts";
import { stepBundle, stepsBundle } from "./step_bundle.ts";
import type { RunTables } from "../store/run_tables.ts";
import { resumeCommand } from "../terminal/command_line.ts";

/** What one step came to. */
export interface StepRun {
  readonly step: string;
  readonly trainStep: number;
  readonly outputs: Readonly<Record<string, Output>>;
  /** The tables that the step writes, as they stand after it. */
  readonly tables: Readonly<Partial<Record<TableName, ColumnTable>>>;
}

/** Runs a plan, asking `gate` before each step and telling each event. */
type Runner = (options: {
  readonly gate: (step: PlannedStep, state: RunState) => Promise<void>;
  readonly stop: StopControl;
  readonly onEvent: (event: RunEvent) => void;
}) => Promise<RunResult>;

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
  /** The train step in which the last step ended: the next round may have begun since. Null before the first step. */
  #ended: number | null = null;
  /** Calls of two cells wait for each other. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(readonly plan: Plan, run: Runner, signal?: AbortSignal) {
    const stop = () => this.#stop.request("SIGINT");
    // The stop button of a cell that has nothing to do with a run that waits leaves it waiting.
    const release = onInterrupt(() => {
      if (this.#waiting === null) stop();
    });
    signal?.addEventListener("abort", stop);
    if (signal?.aborted) stop();
    this.#release = () => {
      release();
      signal?.removeEventListener("abort", stop);
    };
    this.#over = run({
      gate: (step, state) => this.#wait(step, state),
      stop: this.#stop,
      onEvent: ({ event }) => {
        if (event === "step_finished") this.#ended = this.#state!.tables.trainStep;
      },
    });
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

  /** The train step of the step that ran last; 0 before the first. */
  get trainStep(): number {
    return this.#ended ?? 0;
  }

  /**
   * Runs steps up to the next one of that id or kind and this one too; the next step alone where no name is given. Throws
   * RangeError for a name that no step has or that does not come any more, and what the step throws where it fails.
   */
  step(name?: string): Promise<StepRun> {
    return this.#inTurn(() => this.#stepTo(name));
  }

  async #stepTo(name: string | undefined): Promise<StepRun> {
    const isWanted = (step: PlannedStep) => name === undefined || step.id === name || step.uses === name;
    const all = stepsOf(this.plan.steps);
    if (!all.some(isWanted)) {
      const names = [...new Set(all.flatMap(({ id, uses }) => [id, uses]))];
      throw new RangeError(`Cannot run step "${name}": the workflow has none${didYouMean(name!, names)}`);
    }
    await this.#arrival();
    if (this.#waiting && !canCome(this.plan.steps, this.#waiting, isWanted)) {
      throw new RangeError(
        `Cannot run step "${name}": it does not come any more; next is "${this.next}": open the workflow anew to run it`,
      );
    }
    for (;;) {
      if (this.#result !== null) throw this.#endedBefore(`run step "${name ?? "next"}"`);
      const ran = this.#waiting!;
      await this.#pass();
      if (!isWanted(ran)) continue;
      if (this.#failed) throw this.#endedBefore(`run step "${ran.id}"`);
      return this.#stepRun(ran);
    }
  }

  /** Rows of the train step in which the last step ran, or a table that is stored whole (`prompts`, `settings`). */
  table(name: TableName): ColumnTable {
    const { tables, at } = this.#held(name);
    if (tables.whole.has(name) || tables.trainStep === at) return tables.table(name);
    return tables.rowsBetween(at, at).get(name)?.table ?? emptyTable(name);
  }

  /** Rows of the last train steps. */
  history(name: TableName, trainSteps: number): ColumnTable {
    const { tables, at } = this.#held(name);
    return tables.history(name, trainSteps + tables.trainStep - at);
  }

  /** A chart of the last train steps, as far as memory holds them. */
  chart(chart: ChartName | Chart, options: DrawOptions = {}): ChartView {
    const rows = (name: TableName) => reportRows(this.history(name, Number.MAX_SAFE_INTEGER));
    const names = ["metrics", "completions", "gradients", "findings"] as const;
    return chartOf(chart, Object.fromEntries(names.map((name) => [name, rows(name)])), options);
  }

  /**
   * Puts a changed table in place of the rows of the current train step: the next steps read it. Throws RangeError where no
   * step would: the train step or the run has ended.
   */
  write(name: TableName, table: ColumnTable): void {
    const { tables, at } = this.#held(name);
    if (this.#result !== null) throw this.#endedBefore(`change table "${name}"`);
    if (!tables.whole.has(name) && tables.trainStep !== at) {
      throw new RangeError(
        `Cannot change table "${name}" of train step ${at}: it has ended; next is "${this.next}" of train step ` +
          `${tables.trainStep}`,
      );
    }
    this.#state!.write({ [name]: table }, this.#running?.id ?? "notebook");
  }

  /** Runs what is left. Returns the result of the run. */
  finish(): Promise<RunResult> {
    return this.#inTurn(() => this.#rest());
  }

  /** Stops the run here, saved: `run --resume` or the command line goes on from there. */
  close(): Promise<RunResult> {
    return this.#inTurn(async () => {
      await this.#arrival();
      if (this.#result === null) this.#stop.request("SIGINT");
      return await this.#rest();
    });
  }

  [JUPYTER_DISPLAY](): Bundle {
    return stepsBundle(this.plan.name, this.steps, this.next, this.trainStep);
  }

  async #rest(): Promise<RunResult> {
    await this.#arrival();
    while (this.#result === null) await this.#pass();
    return this.#result;
  }

  #inTurn<Value>(action: () => Promise<Value>): Promise<Value> {
    const done = this.#turn.then(action);
    this.#turn = done.catch(() => {});
    return done;
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

  /** The tables, and the train step of what is looked at. */
  #held(name: TableName): { readonly tables: RunTables; readonly at: number } {
    if (!Object.hasOwn(TABLES, name)) {
      throw new RangeError(`Cannot read table "${name}"${didYouMean(name, Object.keys(TABLES))}`);
    }
    if (this.#state === null || this.#ended === null) {
      throw new RangeError(`Cannot read table "${name}": no step has run; run one by step()`);
    }
    return { tables: this.#state.tables, at: this.#ended };
  }

  #stepRun(step: PlannedStep): StepRun {
    const names = Object.keys(step.kind.writes) as TableName[];
    const ran = {
      step: step.id,
      trainStep: this.trainStep,
      outputs: this.#state!.outputs[step.id] ?? {},
      tables: Object.fromEntries(names.map((name) => [name, this.table(name)])),
    };
    return Object.defineProperty(ran, JUPYTER_DISPLAY, { value: () => stepBundle(ran) });
  }

  #endedBefore(what: string): Error {
    const { status, reason, error, checkpoint, folder } = this.#result!;
    const more = status === "interrupted" && checkpoint !== null ? `; it is saved: ${resumeCommand(folder)}` : "";
    return error ??
      new RangeError(`Cannot ${what}: the run has ended (${status}${reason ? `: ${reason}` : ""})${more}`);
  }
}
