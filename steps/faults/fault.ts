/**
 * What an injected fault is: where it acts, how, and the cause the doctor must name.
 *
 * A fault is a hook around a step: it changes the step's parameters before it, what the step sees of the run, or the
 * tables and resources the step gave. The steps themselves know nothing of faults.
 * @module
 */
import type { ColumnTable } from "arquero";
import { z } from "zod";
import type { Cause } from "../diagnoses/mod.ts";
import type { StepName } from "../mod.ts";
import type { StepContext, StepResult, TableName } from "../step.ts";
import { changed, type Columns } from "./change.ts";

/** Parameters of a step, validated. */
export type StepParams = Readonly<Record<string, unknown>>;

export interface Fault<Params extends z.ZodObject = z.ZodObject> {
  /** One line: what goes wrong. */
  readonly about: string;
  /** The kind of step it acts on. */
  readonly step: StepName;
  /** What it must be diagnosed as, the best name first; more than one where the evidence cannot tell them apart. */
  readonly causes: readonly [Cause, ...Cause[]];
  /** exact: one wrong train step is proof; statistical: a trend must be seen. */
  readonly rule: "exact" | "statistical";
  /** The clean run that looks like it and must stay silent: a file in workflows/library/failures/clean; else `grpo`. */
  readonly lookAlike: string;
  readonly params: Params;
  /** Acts at train step `from` only. */
  readonly once?: boolean;
  /** The step's parameters, changed. */
  before?(given: z.output<Params>, params: StepParams, context: StepContext): StepParams;
  /** What the step sees of the run, changed. */
  around?(given: z.output<Params>, context: StepContext): StepContext;
  /** What the step gave, changed. */
  after?(given: z.output<Params>, result: StepResult, context: StepContext): StepResult | Promise<StepResult>;
}

/** A fault without parameters of its own. */
const NO_PARAMS = z.strictObject({});

/** The keys every entry of `faults` has besides the fault's own. */
export const ENTRY = {
  kind: z.string().describe("which fault"),
  from: z.int().min(0).default(0).describe("first train step in which it acts; 0 = from the beginning"),
  to: z.int().min(0).optional().describe("last train step in which it acts; to the end if absent"),
} as const;

/** A fault as its file writes it: the step stands there once, the rest where it is not what `fault` fills in. */
type Written<Params extends z.ZodObject> =
  & Omit<Fault<Params>, "step" | "params" | "rule" | "lookAlike">
  & Partial<Pick<Fault<Params>, "params" | "rule" | "lookAlike">>;

/** The same without hooks: what goes wrong follows. */
export type Plain<Params extends z.ZodObject> = Omit<Written<Params>, "before" | "around" | "after">;

/** What a change of columns may look at besides them. */
interface Around<Params extends z.ZodObject> {
  readonly given: z.output<Params>;
  readonly context: StepContext;
  readonly table: ColumnTable;
}

/** The four ways to write a fault of one kind of step. */
export function faultsOf(step: StepName) {
  /** Hooks of its own. */
  function fault<Params extends z.ZodObject = typeof NO_PARAMS>(written: Written<Params>): Fault<Params> {
    return { params: NO_PARAMS as z.ZodObject as Params, rule: "exact", lookAlike: "grpo", ...written, step };
  }
  /** Sets parameters of the step. */
  function setting<Params extends z.ZodObject = typeof NO_PARAMS>(
    written: Plain<Params>,
    set: (given: z.output<Params>, params: StepParams) => StepParams,
  ): Fault<Params> {
    return fault({ ...written, before: (given, params) => ({ ...params, ...set(given, params) }) });
  }
  /** Changes something in place before the step. */
  function altering<Params extends z.ZodObject = typeof NO_PARAMS>(
    written: Plain<Params>,
    change: (context: StepContext, given: z.output<Params>) => void,
  ): Fault<Params> {
    return fault({
      ...written,
      before(given, params, context) {
        change(context, given);
        return params;
      },
    });
  }
  /** Rewrites columns of a table that the step gave. */
  function rewriting<Params extends z.ZodObject = typeof NO_PARAMS>(
    name: TableName,
    written: Plain<Params>,
    columns: (column: <T>(name: string) => T[], around: Around<Params>) => Columns,
  ): Fault<Params> {
    return fault({
      ...written,
      after: (given, result, context) =>
        changed(result, name, (column, table) => columns(column, { given, context, table })),
    });
  }
  return { fault, setting, altering, rewriting };
}
