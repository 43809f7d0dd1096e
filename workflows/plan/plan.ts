/** A plan: what is run, every name, type, table and resource checked before the first expensive call. @module */
import type { Step } from "../../steps/step.ts";
import type { Condition } from "../language/expression_syntax.ts";
import type { Path, Position, Problem, WorkflowSource } from "../language/problems.ts";
import type { DEVICES, StepEntry, Value, WorkflowDocument } from "../language/schema.ts";
import type { Combination } from "./matrix.ts";

/** One step, ready to run. */
export interface PlannedStep {
  readonly type: "step";
  /** Unique in the workflow; the step kind's name (with a number if taken) when the file gives none. */
  readonly id: string;
  /** What a person reads. */
  readonly name: string;
  /** Name of the step kind. */
  readonly uses: string;
  readonly kind: Step;
  /** Parameters as written, `params` and `matrix` answered. */
  readonly with: Readonly<Record<string, unknown>>;
  /** Validated parameters, or null while a look-up of `steps` or `run` is open: see `answerParams`. */
  readonly params: unknown;
  /** Null = runs unless an earlier step failed. */
  readonly condition: Condition | null;
  /** Runs on every n-th round of its block; 1 outside of blocks. */
  readonly every: number;
  /** How a failed step is tried again: at most `max` times, 0 = never. */
  readonly retry: NonNullable<StepEntry["retry"]>;
  readonly timeoutMinutes: number | null;
  readonly continueOnError: boolean;
  readonly cache: boolean;
  /** Where it stands in the document and, for YAML, in the file. */
  readonly path: Path;
  readonly position: Position | null;
}

export interface PlannedBlock {
  readonly type: "repeat";
  readonly name: string;
  /** Rounds at most. */
  readonly repeat: number;
  /** The block ends after a round in which this holds. */
  readonly until: Condition | null;
  readonly steps: readonly PlanNode[];
  readonly path: Path;
  readonly position: Position | null;
}

export type PlanNode = PlannedStep | PlannedBlock;

/** What holds for the whole run. */
export interface RunSettings {
  readonly seed: number;
  readonly device: typeof DEVICES[number];
  /** Null = ffi, and napi with a printed line where ffi is missing. */
  readonly backend: "ffi" | "napi" | null;
  /** Intra-op threads; null = the machine's cores. */
  readonly threads: number | null;
  readonly deterministic: boolean;
  readonly checkpoint: { readonly every: number; readonly keep: number; readonly best: string | null };
  readonly keepCompletions: number | "all";
  readonly concurrencyGroup: string | null;
  readonly repair: "off" | "suggest" | "apply";
  readonly faults: readonly Readonly<Record<string, unknown>>[];
}

/** What the command line said beside the file: words that another command on the file has to repeat. */
interface Given {
  /** Parameters that differ from the file's. */
  readonly params: Readonly<Record<string, Value>>;
  readonly settings: Partial<Pick<RunSettings, "seed" | "device" | "backend" | "threads" | "deterministic">>;
  /** Which run of the file's matrix this is, from 1; null where the file is one run. */
  readonly cell: number | null;
}

/** One run, checked. */
export interface Plan {
  readonly name: string;
  readonly about: string;
  /** The file as the user named it. */
  readonly file: string;
  /** Absolute folder that paths inside the workflow are relative to. */
  readonly folder: string;
  readonly settings: RunSettings;
  readonly params: Readonly<Record<string, Value>>;
  /** The matrix combination of this run; empty without a matrix. */
  readonly matrix: Combination;
  readonly steps: readonly PlanNode[];
  readonly given: Given;
  /** The document of this run alone: parameters overridden, matrix answered. See resolved.ts. */
  readonly document: WorkflowDocument;
  readonly source: WorkflowSource;
  /** Parameters and matrix axes that nothing in the file looks up. */
  readonly unread: readonly Problem[];
}

/** Every step of a plan in the order of the file. */
export function stepsOf(nodes: readonly PlanNode[]): PlannedStep[] {
  return nodes.flatMap((node) => node.type === "step" ? [node] : stepsOf(node.steps));
}
