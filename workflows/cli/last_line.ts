/** The last line of `run --json`: the same shape however the run ended. @module */
import type { RunResult } from "../engine/run_plan.ts";
import { eventText } from "../store/events.ts";

/** Correct share of one evaluation, null where that mode was not measured. */
interface Measured {
  readonly sampled: number | null;
  readonly greedy: number | null;
}

/**
 * What each evaluation measured: `before` and `after` alone where the workflow has one of them, else every evaluation
 * by its step's id.
 */
export function measured(evaluations: RunResult["evaluations"]): Record<string, Measured> {
  const ids = Object.keys(evaluations);
  const ends = ["before", "after"].filter((id) => ids.includes(id));
  const number = (value: unknown) => typeof value === "number" ? value : null;
  return Object.fromEntries((ends.length ? ends : ids).map((id) => {
    const { sampled, greedy } = evaluations[id]!;
    return [id, { sampled: number(sampled), greedy: number(greedy) }];
  }));
}

/** One run that came to an end. `more` are further keys: the checkpoint, the time. */
export function finishedLine(
  { runId, status, reason, evaluations, findings }: Pick<
    RunResult,
    "runId" | "status" | "reason" | "evaluations" | "findings"
  >,
  more: Readonly<Record<string, unknown>> = {},
): string {
  const line = { run: runId, status, reason, evaluations: measured(evaluations), findings };
  return eventText({ ...more, ...line, event: "run_finished" });
}

/** Nothing ran: the command line, the file or the folder could not be used, or the lock is held. */
export function refusedLine(error: string): string {
  return eventText({ event: "run_finished", run: null, status: "failed", evaluations: {}, findings: [], error });
}

/** What one cell of a matrix came to. */
export interface Cell {
  readonly matrix: Readonly<Record<string, unknown>>;
  /** Null for a run that did not start. */
  readonly run: string | null;
  readonly status: string;
}

const WORST_FIRST = ["failed", "stopped", "interrupted", "paused"];

/** All runs of a matrix: the worst status of those that started, and each run by its cell. */
export function matrixLine(cells: readonly Cell[]): string {
  const status = WORST_FIRST.find((status) => cells.some((cell) => cell.status === status)) ?? "ok";
  return eventText({ event: "run_finished", run: null, status, evaluations: {}, findings: [], runs: cells });
}
