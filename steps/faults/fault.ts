/**
 * What an injected fault is: where it acts, how, and the cause the doctor must name.
 *
 * A fault is a hook around a step: it changes the step's parameters before it, what the step sees of the run, or the
 * tables and resources the step gave. The steps themselves know nothing of faults.
 * @module
 */
import { z } from "zod";
import type { Cause } from "../diagnoses/mod.ts";
import type { StepName } from "../mod.ts";
import type { StepContext, StepResult } from "../step.ts";

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
  /** The clean run that looks like it and must stay silent: a file in workflows/library/failures/clean. */
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

/** Identity; lets the hooks see the type of `params`. */
export function defineFault<Params extends z.ZodObject>(fault: Fault<Params>): Fault<Params> {
  return fault;
}

/** A fault without parameters of its own. */
export const NO_PARAMS = z.strictObject({});

/** The keys every entry of `faults` has besides the fault's own. */
export const ENTRY = {
  kind: z.string().describe("which fault"),
  from: z.int().min(0).default(0).describe("first train step in which it acts; 0 = from the beginning"),
  to: z.int().min(0).optional().describe("last train step in which it acts; to the end if absent"),
} as const;

/** A fault that sets parameters of its step. */
export function setting<Params extends z.ZodObject>(
  fault: Omit<Fault<Params>, "before" | "around" | "after">,
  set: (given: z.output<Params>, params: StepParams) => StepParams,
): Fault<Params> {
  return { ...fault, before: (given, params) => ({ ...params, ...set(given, params) }) };
}
