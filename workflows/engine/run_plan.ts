/** Runs a plan: makes or resumes its run folder, walks its steps, and leaves a status, whatever happened. @module */
import { join } from "node:path";
import { closeSandboxes } from "../../steps/rewards/sandbox/pool.ts";
import { type Plan, stepsOf } from "../plan/plan.ts";
import type { RunEvent } from "../store/events.ts";
import { writeManifest } from "../store/manifest.ts";
import { StepCache } from "../store/step_cache.ts";
import { resumeCommand } from "../terminal/command_line.ts";
import { toldMessage } from "../terminal/told.ts";
import { Execution } from "./execute.ts";
import type { RunFinding } from "./findings.ts";
import { DriftError } from "./identity.ts";
import { judge, type RunVerdict } from "./judgement.ts";
import { type OpenRun, openRun, type RunOptions } from "./open_run.ts";
import { NoCheckpointError } from "./restart.ts";
import { elapsed, type Output, type RunState } from "./run_state.ts";
import { HardStop, Interrupted, listenForSignals, SIGNAL_EXIT, StopControl } from "./stop.ts";

export { DriftError, listenForSignals, NoCheckpointError, StopControl };
export { LockHeldError } from "../store/lock.ts";
export type { RunEvent, RunFinding, RunOptions, RunVerdict };

type FinalStatus = "ok" | "stopped" | "failed" | "interrupted" | "paused";

interface Outcome {
  readonly status: FinalStatus;
  /** 0 ok or paused, 1 failed, 3 stopped by a finding, 130 and 143 interrupted. */
  readonly exitCode: number;
  /** Why it failed or stopped. */
  readonly reason: string | null;
  readonly error: Error | null;
}

export interface RunResult extends Outcome {
  readonly runId: string;
  /** Absolute. */
  readonly folder: string;
  /** Outputs of the steps that measure, by step id. */
  readonly evaluations: Readonly<Record<string, Readonly<Record<string, Output>>>>;
  /** One per cause, worst first. */
  readonly findings: readonly RunFinding[];
  readonly verdict: RunVerdict | null;
  readonly checkpoint: string | null;
}

/**
 * Runs a plan to its end. Throws only before the first step: LockHeldError, DriftError, NoCheckpointError, an
 * unwritable folder; whatever a step does becomes the result.
 */
export async function runPlan(plan: Plan, options: RunOptions): Promise<RunResult> {
  const { now = () => new Date(), stop = new StopControl() } = options;
  const run = openRun(plan, options, now);
  const execution = new Execution(
    run.state,
    stop,
    new StepCache(join(options.runsFolder, ".cache")),
    options.gate ?? null,
    options.pauseAt,
  );
  const error = await walk(run, execution).then(() => null, asError);
  stop.close();
  await closeSandboxes(run.state.runId);
  return finish(run, execution, outcomeOf(execution, stop, error), now);
}

async function walk({ state, begin }: OpenRun, execution: Execution): Promise<void> {
  const cursor = begin();
  if (cursor !== null) await execution.restoreResources(cursor.frames, cursor.position);
  await execution.run(cursor);
  if (execution.halt === null && state.tables.trainStep > 0) {
    await state.save({ frames: [{ index: state.plan.steps.length, round: 0 }], position: 0 });
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

function outcomeOf({ halt, state }: Execution, stop: StopControl, error: Error | null): Outcome {
  if (error instanceof Interrupted && stop.requested === null) return pausedOutcome(error, state.tables.trainStep);
  if (error instanceof Interrupted || error instanceof HardStop) {
    const signal = stop.requested ?? "SIGINT";
    const reason = error instanceof HardStop
      ? `stopped hard: ${error.message}; the last checkpoint is kept`
      : error.checkpoint === null
      ? `${signal}; the state was not saved, the last checkpoint is kept`
      : signal;
    return { status: "interrupted", exitCode: SIGNAL_EXIT[signal], reason, error: null };
  }
  if (error !== null) return { status: "failed", exitCode: 1, reason: toldMessage(error), error };
  if (halt === null) return { status: "ok", exitCode: 0, reason: null, error: null };
  return { status: halt.status, exitCode: halt.status === "failed" ? 1 : 3, reason: halt.reason, error: halt.error };
}

/** What cannot be saved cannot wait: it would not go on as it was. */
function pausedOutcome({ checkpoint }: Interrupted, trainStep: number): Outcome {
  return checkpoint !== null
    ? { status: "paused", exitCode: 0, reason: `paused after train step ${trainStep}, as asked`, error: null }
    : {
      status: "failed",
      exitCode: 1,
      reason: `it was to pause after train step ${trainStep}, and its state was not saved`,
      error: null,
    };
}

/** Writes the last rows, the manifest and the last event; a full disk becomes part of the result. */
function finish(
  { state, locks, started, manifest }: OpenRun,
  execution: Execution,
  outcome: Outcome,
  now: () => Date,
): RunResult {
  const { runId, folders: { run: folder } } = state;
  let { status, exitCode, reason, error } = outcome;
  const attempt = (action: () => void) => {
    try {
      action();
    } catch (failure) {
      // The first reason stays; a status of ok cannot.
      if (status === "ok") [status, exitCode] = ["failed", 1];
      error ??= asError(failure);
      reason ??= error.message;
    }
  };
  attempt(() => state.endTrainStep());
  attempt(() => state.segments.flush(state.tables, state.tables.trainStep, { sync: false }));
  let verdict: RunVerdict | null = null;
  const isUnderWay = status === "interrupted" || status === "paused";
  attempt(() => verdict = isUnderWay ? null : judge(state));
  const told = { evaluations: evaluationsOf(state), findings: state.findings.all, verdict };
  if (isUnderWay) {
    const at = `Stopped at train step ${state.tables.trainStep} (last checkpoint: ${state.lastCheckpoint ?? "none"})`;
    attempt(() => state.message(`${at}; resume with: ${resumeCommand(state.folders.run)}`));
  }
  attempt(() => writeManifest(folder, { ...manifest(), status, reason, finished: now().toISOString(), ...told }));
  const checkpoint = state.lastCheckpoint, train_step = state.tables.trainStep;
  attempt(() =>
    state.emit({
      event: "run_finished",
      run: runId,
      status,
      reason,
      train_step,
      ms: elapsed(started),
      checkpoint,
      ...told,
    })
  );
  state.events.close();
  for (const lock of locks) lock.release();
  // A step that was given up may still compute: its sessions go with the process.
  if (!execution.abandoned) { for (const resource of new Set(state.resources.values())) resource.release(); }
  return { runId, folder, status, exitCode, reason, ...told, checkpoint, error };
}

/** Outputs of the steps that measure, as they were last. */
function evaluationsOf({ plan, outputs }: RunState): RunResult["evaluations"] {
  const measuring = new Set(stepsOf(plan.steps).flatMap(({ kind, id }) => kind.measures ? [id] : []));
  return Object.fromEntries(Object.entries(outputs).filter(([id]) => measuring.has(id)));
}
