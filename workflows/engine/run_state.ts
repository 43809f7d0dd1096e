/**
 * What one running workflow holds: tables, resources, outputs, findings, event log, and how a checkpoint is made of them.
 * @module
 */
import type { ColumnTable } from "arquero";
import type { StepEvent, StepTime, TableWrites } from "../../steps/step.ts";
import { checkpointName, type RunManifestInput } from "../../data/run_folder.ts";
import { columnArray } from "../../data/tables/mod.ts";
import { Faults } from "../../steps/faults/inject.ts";
import type { Resource, ResourceState } from "../../steps/resources/resource.ts";
import type { Scope } from "../language/expressions.ts";
import type { Plan, PlannedStep } from "../plan/plan.ts";
import { type LoadedCheckpoint, NonFiniteStateError, type RunRecord, writeCheckpoint } from "../store/checkpoint.ts";
import type { EventLog } from "../store/events.ts";
import { retain } from "../store/retention.ts";
import { MEMORY_STEPS, RunTables } from "../store/run_tables.ts";
import { SegmentStore } from "../store/segments.ts";
import type { SetAside } from "../store/set_aside.ts";
import type { RunEnvironment } from "./environment.ts";
import { type RunFinding, RunFindings } from "./findings.ts";

/** One level of the cursor: which node, and its round if it is a block that is under way. */
export interface Frame {
  readonly index: number;
  readonly round: number;
}

/** Where a resume goes on: the step at `frames`, from `position` inside it. */
export interface Cursor {
  readonly frames: readonly Frame[];
  readonly position: number;
}

/** Which step gave a resource last. */
interface Giver {
  readonly step: string;
  readonly trainStep: number;
}

/** Waits until a step may begin: whoever walks through a run step by step looks at its state meanwhile. */
export type Gate = (step: PlannedStep, state: RunState) => Promise<void>;

/** What a step hands to look-ups. */
export type Output = number | string | boolean | null;

/** state.json of a checkpoint. */
interface SavedState {
  readonly cursor: Cursor;
  readonly outputs: Record<string, Record<string, Output>>;
  readonly givers: [string, Giver][];
  readonly findings: RunFinding[];
  readonly reported: number;
  readonly measured: { readonly step: string; readonly trainStep: number } | null;
  readonly pinned?: string | null;
}

export class RunState {
  readonly tables: RunTables;
  readonly segments: SegmentStore;
  readonly resources = new Map<string, Resource>();
  readonly givers = new Map<string, Giver>();
  /** What the workflow injects, for tests of the doctor. */
  readonly faults: Faults;
  outputs: Record<string, Record<string, Output>> = {};
  findings = new RunFindings();
  /** States of resources that a resumed step has yet to give. */
  pending = new Map<string, ResourceState>();
  /** The step that measured last. */
  measured: SavedState["measured"] = null;
  /** The last train step whose metrics were told. */
  #reported = 0;
  /** Name of the last checkpoint, and the train step of the last periodic one. */
  lastCheckpoint: string | null = null;
  /** The checkpoint a repair may fall back to: it outlives `checkpoint.keep`. */
  pinned: string | null = null;
  #savedStep = 0;
  /** Told after each checkpoint, so that the manifest of a running run is current. */
  onSaved: () => void = () => {};

  constructor(
    readonly plan: Plan,
    readonly environment: RunEnvironment,
    readonly runId: string,
    readonly folders: { readonly project: string; readonly workflow: string; readonly run: string },
    /** What a checkpoint says of its run. */
    readonly record: () => RunRecord<RunManifestInput>,
    readonly events: EventLog,
  ) {
    this.tables = new RunTables(plan.settings.keepCompletions);
    this.segments = new SegmentStore(folders.run);
    this.tables.archive = (name, from, to) => this.segments.rows(name, from, to);
    this.faults = new Faults(plan.settings.faults);
  }

  emit(event: StepEvent): void {
    this.events.write(event);
  }

  message(text: string): void {
    this.emit({ event: "message", text });
  }

  /** What look-ups see. */
  get scope(): Scope {
    return {
      params: this.plan.params,
      matrix: this.plan.matrix,
      steps: this.outputs,
      run: { id: this.runId, seed: this.plan.settings.seed, train_step: this.tables.trainStep },
    };
  }

  write(tables: TableWrites, writer: string): void {
    this.tables.write(tables, writer);
    if (tables.findings !== undefined) this.found(tables.findings);
  }

  /** Tells each finding once, and again when it has become more severe. */
  found(findings: ColumnTable): void {
    for (const finding of this.findings.add(findings, this.tables.trainStep)) {
      this.emit({ event: "finding", ...finding });
    }
  }

  /** Takes resources from a step; a resumed run puts their saved state back first. */
  async give(resources: Readonly<Record<string, Resource | undefined>>, step: string): Promise<void> {
    for (const [name, resource] of Object.entries(resources)) {
      if (resource === undefined) continue;
      const earlier = this.resources.get(name);
      if (earlier !== undefined && earlier !== resource) earlier.release();
      const state = this.pending.get(name);
      if (state !== undefined) await resource.restore(state);
      this.pending.delete(name);
      this.resources.set(name, resource);
      this.givers.delete(name);
      this.givers.set(name, { step, trainStep: this.tables.trainStep });
    }
  }

  /** Milliseconds of the steps of the current train step, by what they are timed as. */
  readonly times = new Map<StepTime, number>();

  /** Tells the metrics of the train step that has ended, once. */
  endTrainStep(): void {
    this.times.clear();
    const { trainStep } = this.tables;
    if (trainStep <= this.#reported) return;
    this.#reported = trainStep;
    const table = this.tables.table("metrics");
    const columns = table.columnNames().map((name) => [name, columnArray(table, name)] as const);
    for (let row = 0; row < table.numRows(); row++) {
      const values = columns.flatMap(([name, array]) => array[row] === null ? [] : [[name, array[row]]]);
      this.emit({ event: "train_step", ...Object.fromEntries(values), train_step: trainStep });
    }
  }

  /** Stores finished rows when checkpoints are far apart, so that completions do not fill the memory. */
  spill(): void {
    const to = this.tables.trainStep - 1;
    if (to - this.segments.storedTo < MEMORY_STEPS) return;
    this.segments.flush(this.tables, to, { sync: true });
    this.tables.forget();
  }

  /** Whether the train step that has just ended is one to save. */
  get isCheckpointDue(): boolean {
    const { trainStep } = this.tables;
    return trainStep > this.#savedStep && trainStep % this.plan.settings.checkpoint.every === 0;
  }

  /** Writes a checkpoint. Returns its name, or null when a resource is not finite: then the last good one stays. */
  async save(cursor: Cursor): Promise<string | null> {
    const { trainStep } = this.tables;
    const started = performance.now();
    const resources = new Map<string, ResourceState>();
    for (const [name, resource] of this.resources) resources.set(name, await resource.save());
    const update = this.tables.currentRows("updates");
    const name = checkpointName(trainStep, update);
    const best = this.#best();
    const saved: SavedState = {
      cursor,
      outputs: this.outputs,
      givers: [...this.givers],
      findings: this.findings.all,
      reported: this.#reported,
      measured: this.measured,
      pinned: this.pinned,
    };
    this.#savedStep = trainStep;
    try {
      this.segments.flush(this.tables, trainStep - 1, { sync: true });
      writeCheckpoint(this.folders.run, name, {
        trainStep,
        update,
        best,
        record: this.record(),
        state: saved,
        tables: this.tables,
        resources,
      });
    } catch (error) {
      if (!(error instanceof NonFiniteStateError)) throw error;
      this.message(error.message);
      return null;
    }
    this.lastCheckpoint = name;
    retain(this.folders.run, this.plan.settings.checkpoint.keep, name, this.pinned);
    this.tables.forget();
    this.onSaved();
    this.emit({ event: "checkpoint", checkpoint: name, train_step: trainStep, best, ms: elapsed(started) });
    return name;
  }

  /**
   * Takes over the state of a checkpoint, resources excepted: their steps must give them first. `keepCut`: rows after it
   * are moved aside, for a checkpoint after it could not be read.
   */
  load(name: string, loaded: LoadedCheckpoint, aside: SetAside, keepCut: boolean): Cursor {
    const saved = loaded.state as SavedState;
    const { train_step: trainStep } = loaded.manifest;
    this.tables.goTo(trainStep);
    this.segments.load(this.tables, trainStep, { aside, keepCut, tell: (text) => this.message(text) });
    loaded.restoreTables(this.tables);
    this.tables.forget();
    this.tables.mark();
    this.outputs = saved.outputs;
    this.findings = new RunFindings(saved.findings);
    this.#reported = saved.reported;
    this.measured = saved.measured;
    this.pinned = saved.pinned ?? null;
    this.pending = new Map(loaded.resources);
    for (const [resource, giver] of saved.givers) this.givers.set(resource, giver);
    this.lastCheckpoint = name;
    this.#savedStep = trainStep;
    return saved.cursor;
  }

  #best(): number | null {
    const { best } = this.plan.settings.checkpoint;
    if (best === null) return null;
    const [root, name] = [best.slice(0, best.indexOf(".")), best.slice(best.indexOf(".") + 1)];
    const value = root === "evaluations"
      ? this.measured?.trainStep === this.tables.trainStep ? this.outputs[this.measured.step]?.[name] : null
      : this.#metric(name);
    return typeof value === "number" && Number.isFinite(value) ? value : null;
  }

  #metric(name: string): unknown {
    const table = this.tables.table("metrics");
    if (table.numRows() === 0 || !table.columnNames().includes(name)) return null;
    return columnArray(table, name)[table.numRows() - 1];
  }
}

/** Milliseconds since `started`, to the microsecond. */
export function elapsed(started: number): number {
  return Math.round((performance.now() - started) * 1000) / 1000;
}
