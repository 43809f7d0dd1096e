/** Says what is wrong with a workflow as `file:line:column: message` with the source line and a caret. @module */
import { printable } from "../../data/printable.ts";

/** Keys and indices from the root of the document. */
export type Path = readonly (string | number)[];

/** A place in a file, both from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** Where a problem lies in the document. */
export interface Place {
  readonly path: Path;
  /** Point at the key instead of its value. */
  readonly key?: boolean;
  /** Characters into the value, for a problem inside a text. */
  readonly offset?: number;
}

/** One problem, before its place in the file is looked up. */
export interface Problem extends Place {
  readonly message: string;
}

/** One problem as reported. */
export interface Issue extends Problem {
  readonly file: string;
  /** Null for a workflow written in TypeScript. */
  readonly position: Position | null;
  /** The line of the file it points into, or null. */
  readonly sourceLine: string | null;
}

/** The text a document came from, which knows where everything stands. */
export interface WorkflowSource {
  /** The file as the user named it. */
  readonly file: string;
  /** Null for a workflow written in TypeScript. */
  readonly text: string | null;
  locate(place: Place): Position | null;
}

/** One or more problems in a workflow; the command line prints `message` and exits 2. */
export class WorkflowError extends SyntaxError {
  override readonly name = "WorkflowError";
  constructor(readonly issues: readonly Issue[]) {
    super(issues.map(formatIssue).join("\n"));
  }
}

/** `steps[4].with.temperature` */
export function formatPath(path: Path): string {
  return path.map((part, index) => typeof part === "number" ? `[${part}]` : index === 0 ? part : `.${part}`).join("");
}

/** One problem as text: a line to jump to, the source line, a caret; a file's own text makes no line and moves nothing. */
export function formatIssue(issue: Issue): string {
  const file = printable(issue.file), message = printable(issue.message);
  if (issue.position === null) {
    const path = formatPath(issue.path);
    return `${file}: ${path === "" ? "" : `${printable(path)}: `}${message}`;
  }
  const { line, column } = issue.position;
  const head = `${file}:${line}:${column}: ${message}`;
  if (issue.sourceLine === null) return head;
  // Long lines are cut around the caret, so that a minified file prints one readable line.
  const from = issue.sourceLine.length <= 120 ? 0 : Math.max(0, column - 60);
  const shown = issue.sourceLine.slice(from, from + 120);
  const gutter = `${line}`.padStart(5);
  const indent = shown.slice(0, column - 1 - from).replaceAll(/[^\t]/g, " ");
  // Tabs stay, so that the caret stands under its column.
  return `${head}\n${gutter} | ${shown.split("\t").map(printable).join("\t")}\n${" ".repeat(5)} | ${indent}^`;
}

/** Looks up where problems lie, sorts them by place and drops repetitions. */
export function toIssues(problems: readonly Problem[], source: WorkflowSource): Issue[] {
  const lines = source.text?.split(/\r?\n/) ?? [];
  const issues = problems.map((problem): Issue => {
    const position = source.locate(problem);
    return {
      ...problem,
      file: source.file,
      position,
      sourceLine: position === null ? null : lines[position.line - 1] ?? null,
    };
  });
  issues.sort((a, b) =>
    (a.position?.line ?? 0) - (b.position?.line ?? 0) || (a.position?.column ?? 0) - (b.position?.column ?? 0)
  );
  const seen = new Set<string>();
  return issues.filter((issue) => {
    const text = formatIssue(issue);
    return seen.has(text) ? false : (seen.add(text), true);
  });
}

/** Throws a WorkflowError when there are problems. */
export function refuse(problems: readonly Problem[], source: WorkflowSource): void {
  if (problems.length > 0) throw new WorkflowError(toIssues(problems, source));
}
