/** Why cells of a matrix did not start, and what would start them. @module */
import { cellName } from "../plan/matrix.ts";
import type { Cell } from "./last_line.ts";

/** One sentence without its full stop; null where every cell has started. */
export function notStartedText(cells: readonly Cell[], failFast: boolean): string | null {
  const waiting = cells.filter(({ run, status }) => run === null && status === "not started").length;
  if (waiting === 0) return null;
  const which = `${waiting} of ${cells.length} runs did not start`;
  const stopped = cells.find(({ status }) => status === "interrupted");
  if (stopped !== undefined) return `${which}: ${cellName(stopped.matrix)} was interrupted`;
  const cause = cells.find(({ status }) => status === "failed" || status === "stopped");
  if (cause === undefined || !failFast) return which;
  const how = cause.status === "failed" ? "failed" : "was stopped";
  return `${which}, because ${
    cellName(cause.matrix)
  } ${how}; "fail-fast: false" under strategy starts them nevertheless`;
}
