/** What preflight says of a plan: one sentence, how bad, and where in the file. @module */
import { formatIssue, type Path, type Position, toIssues } from "../language/problems.ts";
import type { Plan, PlannedStep } from "../plan/plan.ts";

export interface PreflightFinding {
  readonly rule: string;
  /** error: it cannot work or does nothing; warning: it wastes or may fail; info: a note. */
  readonly severity: "error" | "warning" | "info";
  /** The run would throw sooner or later, or is sure to change no weight: `run` refuses it. False for what may learn nothing. */
  readonly refuses: boolean;
  readonly message: string;
  readonly file: string;
  /** Null for a workflow written in TypeScript. */
  readonly position: Position | null;
  /** The finding with its place, the source line and a caret. */
  readonly text: string;
}

/** What a rule reports; its name and the file's place are added by `preflight`. */
export interface Report {
  readonly severity: PreflightFinding["severity"];
  readonly refuses?: boolean;
  readonly message: string;
  readonly path: Path;
}

/** The place of a parameter of a step, or of its `uses` where it is not written. */
export function at(step: PlannedStep, ...key: Path): Path {
  const [first] = key;
  return first !== undefined && Object.hasOwn(step.with, first)
    ? [...step.path, "with", ...key]
    : [...step.path, "uses"];
}

/** Looks up where a report lies. */
export function placed(
  rule: string,
  { severity, refuses = false, message, path }: Report,
  plan: Plan,
): PreflightFinding {
  const [issue] = toIssues([{ path, message: `${severity}: ${message}` }], plan.source);
  return { rule, severity, refuses, message, file: issue!.file, position: issue!.position, text: formatIssue(issue!) };
}
