/** What a WorkflowError reports, as `line:column message` (or `path message` without a file text). @module */
import assert from "node:assert/strict";
import { formatPath, WorkflowError } from "../../../workflows/language/problems.ts";

export function issuesOf(action: () => unknown): string[] {
  try {
    action();
  } catch (error) {
    assert(error instanceof WorkflowError, `want a WorkflowError, got ${(error as Error).stack}`);
    return error.issues.map(({ position, path, message }) =>
      `${position === null ? formatPath(path) : `${position.line}:${position.column}`} ${message}`
    );
  }
  return [];
}
