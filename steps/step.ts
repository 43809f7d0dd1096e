/** What a step is: parameters, the columns and resources it reads and writes, and one function. @module */
import type { ColumnTable } from "arquero";
import type { z } from "zod";
import type { TableName, TABLES } from "../data/columns.ts";
import type { Cost, CostFacts } from "./cost/cost.ts";
import type { Resources } from "./resources/mod.ts";

export type { TableName };

/** What is not rows: weights with their sessions, the frozen reference, the optimizer's moments. */
export type ResourceName = keyof Resources;

type ColumnName<Name extends TableName> = keyof (typeof TABLES)[Name] & string;

/** Parameters of the last step of a kind before this one; null: there is none, or they are open until the run. */
export type Earlier = (uses: string) => Readonly<Record<string, unknown>> | null;

/** A column that must be there; or only where parameters ask for it, by the name of one; or read where it is there. */
export type ColumnRead<Name, Params> =
  | Name
  | { readonly column: Name; readonly param: string; when(given: Params): boolean }
  | { readonly column: Name; readonly optional: true };

/** A column that is always written; or only if something holds, said as what follows "only". */
type ColumnWrite<Name, Params> =
  | Name
  | { readonly column: Name; readonly only: string; when(given: Params, earlier: Earlier): boolean };

/** Columns of the dictionary that a step reads, by table; no columns: the table, whatever it holds. */
type Reads<Params = unknown> = {
  readonly [Name in TableName]?: readonly ColumnRead<ColumnName<Name>, Params>[];
};

/** Columns of the dictionary that a step writes, by table; no columns: any. A table it also reads keeps the others. */
export type Writes<Params = unknown> = {
  readonly [Name in TableName]?: readonly ColumnWrite<ColumnName<Name>, Params>[];
};

/** Tables a step writes: each replaces that table's rows of the current train step. */
export type TableWrites = Partial<Record<TableName, ColumnTable>>;

export interface StepResult {
  readonly tables?: TableWrites;
  readonly resources?: Partial<Resources>;
  /** Scalars that later steps look up as `steps.ID.outputs.NAME`: those that the step declares. */
  readonly outputs?: Readonly<Record<string, number | string | boolean | null>>;
  /** Stop the run after this step (status `stopped`, exit 3), with the reason. */
  readonly stop?: string;
  /**
   * Run the steps of the block again before going on, within the train step, from the last one of this kind that stands
   * before this step. What this step wrote is there for them.
   */
  readonly again?: string;
}

/** One line for the terminal and one record for events.jsonl. */
export interface StepEvent {
  readonly event: string;
  readonly [key: string]: unknown;
}

export interface StepContext {
  readonly runId: string;
  /** The run's seed; draws are keyed by (seed, stream, trainStep, row). */
  readonly seed: number;
  readonly device: "cpu" | "cuda";
  readonly backend: "ffi" | "napi";
  /** Intra-op threads. */
  readonly threads: number;
  readonly deterministic: boolean;
  readonly stepId: string;
  /** The current train step, from 1; 0 before the first. */
  readonly trainStep: number;
  /** Milliseconds that the steps before took in this train step, by what they are timed as. */
  readonly times?: ReadonlyMap<StepTime, number>;
  /** A clock in milliseconds; absent: performance.now(). */
  readonly now?: (() => number) | undefined;
  /** Aborted when the run must stop at the next safe point. */
  readonly signal: AbortSignal;
  /** Absolute folders: the project, the workflow file's folder, the run folder. */
  readonly folders: { readonly project: string; readonly workflow: string; readonly run: string };
  /** Rows of a table: of the current train step for per-step tables, all rows for `prompts`. */
  table(name: TableName): ColumnTable;
  /** Rows of the last `trainSteps` train steps, the current one included. */
  history(name: TableName, trainSteps: number): ColumnTable;
  /** A resource an earlier step gave. */
  resource<Name extends ResourceName>(name: Name): Resources[Name];
  /** Starts the next train step (only steps that train by themselves, such as `fine_tune`). */
  advance(): number;
  /**
   * True when a resume runs a completed step again only to have its resources back: build them, skip the work and
   * return them; their state is restored afterwards and rows and outputs are discarded.
   */
  readonly restoring?: boolean;
  /**
   * Gives resources before the step returns, so that checkpoints at its safe points hold them. In a resumed step their
   * saved state is restored before the call ends.
   */
  give?(resources: Partial<Resources>): Promise<void>;
  /** Writes rows of the current train step before the step returns. */
  write(tables: TableWrites): void;
  /** Where a resumed step left off: the position it gave to `safePoint`, or 0. */
  readonly position: number;
  /**
   * A place where the run may stop. With a position, the state at this point is complete: a stop here writes a
   * checkpoint and the resumed step starts with this `position`. Without one, the resumed run repeats the step from the
   * last position it gave (rows and train step are taken back; resources must not have changed since).
   */
  safePoint(position?: number): Promise<void>;
  emit(event: StepEvent): void;
}

/** Parts of a train step's time that steps take before the update. */
export type StepTime = "sample" | "score";

/** How long a step trains by itself, one train step per update. */
export interface OwnUpdates {
  /** At most. */
  readonly updates: number;
  /** The accuracy that ends it before, where one does. */
  readonly until?: number | undefined;
}

/** A parameter that takes a path: always, or unless it is one of these words, or a name of something that is no file. */
export type PathParam = "file" | readonly string[];

/** One thing that needs a person's word. */
export interface StepGrant {
  /** As the end of "This workflow …". */
  readonly text: string;
  /** The parameter that asks for it. */
  readonly key: readonly (string | number)[];
}

/** One kind of step. What code shared by all steps must know of one, the step declares here: nothing asks for its name. */
export interface Step<Params extends z.ZodType = z.ZodType, Outputs extends z.ZodType = z.ZodType> {
  /** One line: what it does. */
  readonly about: string;
  readonly params: Params;
  readonly reads: Reads<z.output<Params>>;
  readonly writes: Writes<z.output<Params>>;
  readonly needs: readonly ResourceName[];
  readonly gives: readonly ResourceName[];
  /** What it needs besides, where parameters ask for it. */
  needsFor?(params: z.output<Params>): readonly ResourceName[];
  /** Same parameters and inputs, same rows: `cache: true` is allowed. */
  readonly pure: boolean;
  /** Scalars that later steps can look up. */
  readonly outputs: Outputs;
  /** Parameters that take a path, by name; of a list's entries as `list.*.name`. */
  readonly paths?: Readonly<Record<string, PathParam>>;
  /** It prepares the run, once: a train step means nothing to what acts on it. */
  readonly setup?: true;
  /** Its outputs `sampled` and `greedy`, where it has them, are shares of solved prompts: run.json keeps them as evaluations. */
  readonly measures?: true;
  /** What its time counts as in the metrics of the train step. */
  readonly timedAs?: StepTime;
  /** Parameters that decide what a reward means: runs that differ in one do not compare by their rewards. */
  readonly decidesReward?: "all" | readonly string[];
  /** It trains by itself, supervised, and counts the train steps; its output `updates` says how many there were. */
  trains?(params: z.output<Params>): OwnUpdates;
  /** Values in force of parameters that are not set and have no default of their own. */
  inForce?(params: z.output<Params>): Readonly<Record<string, number>>;
  /** What it computes and holds in memory, roughly; null where the steps before it do not say enough. */
  cost?(params: z.output<Params>, facts: CostFacts): Cost | null;
  /** What cannot work, from the parameters alone: said by `check` and before the first expensive call. */
  check?(params: z.output<Params>): readonly string[];
  /**
   * What it may do besides computing and writing its own run, as far as parameters as written tell: a person is asked.
   * `folder` is the workflow's.
   */
  grants?(written: Readonly<Record<string, unknown>>, folder: string): readonly StepGrant[];
  run(params: z.output<Params>, context: StepContext): StepResult | Promise<StepResult>;
}

/** A step as its file writes it: without resources, and run anew each time, where it says nothing else. */
type Written<Params extends z.ZodType, Outputs extends z.ZodType, Given> =
  & Omit<Step<Params, Outputs>, "needs" | "gives" | "pure" | "run">
  & Partial<Pick<Step, "needs" | "gives" | "pure">>
  & { run(params: z.output<Params>, context: StepContext): Result<Outputs, Given> | Promise<Result<Outputs, Given>> };

/** A result whose outputs are declared, every one: an output that is not has no type. */
type Result<Outputs extends z.ZodType, Given> = Omit<StepResult, "outputs"> & {
  readonly outputs?: z.input<Outputs> & Given & Record<Exclude<NamesOf<Given>, NamesOf<z.input<Outputs>>>, never>;
};

/** Property names of every member of a union. */
type NamesOf<Values> = Values extends unknown ? keyof Values : never;

/** Lets `run` see the type of `params`. */
export function defineStep<Params extends z.ZodType, Outputs extends z.ZodType, Given>(
  written: Written<Params, Outputs, Given>,
): Step<Params, Outputs> {
  return { needs: [], gives: [], pure: false, ...written } as Step<Params, Outputs>;
}
