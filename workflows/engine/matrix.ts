/** Runs the plans of a matrix: one after another in this process, or several at a time in child processes. @module */
import type { Plan } from "../plan/plan.ts";
import { SIGNAL_EXIT, type StopControl } from "./stop.ts";
import { type RunOptions, runPlan, type RunResult } from "./run_plan.ts";

/** What one run of a matrix came to. */
export interface MatrixRun {
  readonly plan: Plan;
  readonly exitCode: number;
  /** Null when it ran in a child process, or did not start because an earlier one failed. */
  readonly result: RunResult | null;
  readonly started: boolean;
  /** Null when it did not start, or where only a child process knows it. */
  readonly runId: string | null;
}

/** What one run of a matrix does otherwise than the others: it goes on, it pauses. */
export type Leg = Pick<RunOptions, "resume" | "pauseAt" | "manifest">;

export interface MatrixOptions extends Omit<RunOptions, "resume" | "runId"> {
  readonly maxParallel: number;
  /** A failed run keeps those that have not started from starting. */
  readonly failFast: boolean;
  /** Runs one plan in this process; runPlan if absent. */
  readonly run?: (plan: Plan, options: RunOptions) => Promise<RunResult>;
  /** Runs one plan in a child process and gives its exit code; needed when `maxParallel` is above 1. */
  readonly inChild?: (plan: Plan, index: number, leg: Leg) => Promise<number>;
  /** Options of one run alone, by its index. */
  readonly each?: (index: number) => Leg;
  /** Hears what each run came to; false keeps those that have not started from starting. */
  readonly onRun?: (run: MatrixRun, index: number) => boolean;
}

/** Runs every plan; results in the order of the plans. */
export async function runMatrix(plans: readonly Plan[], options: MatrixOptions): Promise<MatrixRun[]> {
  const { maxParallel, failFast, inChild, each = (): Leg => ({}), run = runPlan, onRun, ...runOptions } = options;
  const workers = Math.min(maxParallel, plans.length);
  if (workers > 1 && inChild === undefined) {
    throw new RangeError(
      `Cannot run ${workers} plans at a time in one process: want max-parallel 1, or child processes`,
    );
  }
  const runs: MatrixRun[] = plans.map((plan) => ({ plan, exitCode: 0, result: null, started: false, runId: null }));
  let next = 0;
  let hasFailed = false, isOver = false;
  const work = async () => {
    while (next < plans.length && !(hasFailed && failFast) && !isOver && !options.stop?.requested) {
      const index = next++;
      const plan = plans[index]!;
      const leg = each(index);
      const result = workers > 1 ? null : await run(plan, { ...runOptions, ...leg });
      const exitCode = result === null ? await inChild!(plan, index, leg) : result.exitCode;
      runs[index] = { plan, exitCode, result, started: true, runId: result?.runId ?? leg.resume ?? null };
      hasFailed ||= exitCode !== 0;
      if (onRun?.(runs[index]!, index) === false) isOver = true;
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, workers) }, work));
  return runs;
}

/** The exit code of a matrix: the signal's where one has stopped it before `isOver`, else the first that is not 0. */
export function matrixExitCode(
  runs: readonly MatrixRun[],
  requested: StopControl["requested"] = null,
  isOver = runs.every(({ started }) => started),
): number {
  if (requested !== null && !isOver) return SIGNAL_EXIT[requested];
  return runs.find(({ exitCode }) => exitCode !== 0)?.exitCode ?? 0;
}
