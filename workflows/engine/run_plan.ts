/**
 * Runs a plan: makes or resumes its run folder, walks its steps, and leaves a status, whatever happened.
 * @module
 */
import { join } from "node:path";
import { checkRunId, newRunId, RUN_FILES, type RunManifestInput } from "../../data/run_folder.ts";
import { closeSandboxes } from "../../steps/rewards/sandbox/pool.ts";
import { resumeCommand } from "../terminal/command_line.ts";
import { environmentOf, findEnvironment, type RunEnvironment } from "./environment.ts";
import { Execution, Interrupted } from "./execute.ts";
import type { RunFinding } from "./findings.ts";
import { DriftError, identityOf } from "./identity.ts";
import { judge, type RunVerdict } from "./judgement.ts";
import { driftOf, findRestart, NoCheckpointError, restart } from "./restart.ts";
import { type Cursor, elapsed, type Output, RunState } from "./run_state.ts";
import { HardStop, listenForSignals, SIGNAL_EXIT, StopControl } from "./stop.ts";
import { type Plan, stepsOf } from "../plan/plan.ts";
import { stringifyPlan } from "../plan/resolved.ts";
import { sha256 } from "../store/digest.ts";
import { openEvents, type RunEvent } from "../store/events.ts";
import { acquireLock, freeing, type RunLock } from "../store/lock.ts";
import { readManifest, writeManifest } from "../store/manifest.ts";
import { mendEvents, mendManifest } from "../store/record.ts";
import { StepCache } from "../store/step_cache.ts";
import { isThere, makeFolder, writeFileAtomic } from "../store/write_file.ts";

export { DriftError, environmentOf, listenForSignals, NoCheckpointError, StopControl };
export { LockHeldError } from "../store/lock.ts";
export type { RunEnvironment, RunEvent, RunFinding, RunVerdict };

export interface RunOptions {
  /** Absolute folder of all runs. */
  readonly runsFolder: string;
  /** Absolute folder of the project. */
  readonly projectFolder: string;
  /** What numbers depend on; what this machine has if absent. */
  readonly environment?: RunEnvironment;
  /** Id of the run to continue. */
  readonly resume?: string;
  /** Continue although workflow, parameters, threads, … differ. */
  readonly allowDrift?: boolean;
  /** With `resume`: begin again instead of going on from a checkpoint; what is there is moved aside. */
  readonly fromStart?: boolean;
  /** Id of a new run; made from name and time if absent. */
  readonly runId?: string;
  /** Hears every event as it is written. */
  readonly onEvent?: (event: RunEvent) => void;
  /** Asks the run to stop; with `listenForSignals(stop)` it hears SIGINT and SIGTERM. */
  readonly stop?: StopControl;
  readonly now?: () => Date;
  /** Further keys of run.json: where a fork comes from. */
  readonly manifest?: Readonly<Record<string, unknown>>;
  /** Messages at the start of the run. */
  readonly notes?: readonly string[];
}

export type FinalStatus = "ok" | "stopped" | "failed" | "interrupted";

export interface RunResult {
  readonly runId: string;
  /** Absolute. */
  readonly folder: string;
  readonly status: FinalStatus;
  /** 0 ok, 1 failed, 3 stopped by a finding, 130 and 143 interrupted. */
  readonly exitCode: number;
  /** Why it failed or stopped. */
  readonly reason: string | null;
  /** Outputs of the steps that measure, by step id. */
  readonly evaluations: Readonly<Record<string, Readonly<Record<string, Output>>>>;
  /** One per cause, worst first. */
  readonly findings: readonly RunFinding[];
  readonly verdict: RunVerdict | null;
  readonly checkpoint: string | null;
  readonly error: Error | null;
}

/**
 * Runs a plan to its end. Throws only before the first step: LockHeldError, DriftError, NoCheckpointError, an
 * unwritable folder; whatever a step does becomes the result.
 */
export async function runPlan(plan: Plan, options: RunOptions): Promise<RunResult> {
  const now = options.now ?? (() => new Date()), started = performance.now();
  const { environment, notes } = findEnvironment(plan.settings, options.environment);
  const runId = options.resume ?? options.runId ??
    newRunId(plan.name, now(), crypto.getRandomValues(new Uint32Array(1))[0]!);
  const folder = join(options.runsFolder, checkRunId(runId));
  const identity = identityOf(plan, environment), workflow = stringifyPlan(plan);
  const { fromStart = false, allowDrift = false } = options;
  makeRunFolder(folder, options.resume !== undefined);
  const locks = takeLocks(plan, options.runsFolder, folder, now());
  const { earlier, from, drift, mended } = freeing(locks, () => {
    if (options.resume === undefined) return { earlier: null, from: null, drift: [], mended: [] };
    const mended = [...mendManifest(folder), ...mendEvents(folder)], earlier = readManifest(folder);
    const from = findRestart(folder, runId, earlier, fromStart);
    const drift = driftOf(identity, earlier, from);
    if (drift.length > 0 && !allowDrift) throw new DriftError(runId, drift, from.checkpoint?.name);
    return { earlier, from, drift, mended };
  });

  const events = openEvents(folder, options.onEvent ?? (() => {}), now);
  const folders = { project: options.projectFolder, workflow: plan.folder, run: folder };
  const record = () => ({ manifest: manifestNow(), workflow });
  const state = new RunState(plan, environment, runId, folders, record, events);
  const stop = options.stop ?? new StopControl();
  const execution = new Execution(state, stop, new StepCache(join(options.runsFolder, ".cache")));
  let manifest: RunManifestInput = {
    ...options.manifest,
    ...manifestOf(plan, environment, runId, earlier?.created ?? now().toISOString()),
    identity,
  };
  const earlierMs = from?.checkpoint?.loaded.record.manifest.ms ?? 0;
  const manifestNow = (): RunManifestInput => ({
    ...manifest,
    train_step: state.tables.trainStep,
    ms: earlierMs + elapsed(started),
    checkpoint: state.lastCheckpoint,
    outputs: state.outputs,
    findings: state.findings.all,
  });
  let outcome: Outcome;
  try {
    let cursor: Cursor | null = null;
    state.emit({
      event: "run_started",
      run: runId,
      pid: Deno.pid,
      workflow: plan.name,
      resumed: earlier !== null,
      folder,
      versions: environment.versions,
    });
    for (const { stale, aside } of locks) {
      if (aside !== null) state.message(`The lock is no plain file; it is moved to ${aside}`);
      if (stale !== null) state.message(`The lock of process ${stale.pid} is taken over: it is gone`);
    }
    for (const note of [...mended, ...notes, ...(options.notes ?? [])]) state.message(note);
    for (const line of state.faults.lines) state.message(line);
    for (const difference of drift) state.message(`Drift allowed: ${difference}`);
    // What a drift changed is the run's own from here: a plain resume reads it back.
    if (from === null || drift.length > 0) writeFileAtomic(join(folder, RUN_FILES.workflow), encode(workflow));
    if (from !== null) cursor = restart(state, from, fromStart);
    manifest = { ...manifest, resumed_from: state.lastCheckpoint };
    state.onSaved = () => writeManifest(folder, manifestNow());
    state.onSaved();
    if (cursor !== null) await execution.restoreResources(cursor.frames, cursor.position);
    await execution.run(cursor);
    if (execution.halt === null && state.tables.trainStep > 0) {
      await state.save({ frames: [{ index: plan.steps.length, round: 0 }], position: 0 });
    }
    outcome = outcomeOf(execution, stop, null);
  } catch (error) {
    outcome = outcomeOf(execution, stop, error instanceof Error ? error : new Error(String(error)));
  }
  stop.close();
  await closeSandboxes(runId);
  return finish({ state, execution, outcome, manifest: manifestNow, locks, started, now });
}

interface Outcome {
  readonly status: FinalStatus;
  readonly exitCode: number;
  readonly reason: string | null;
  readonly error: Error | null;
}

function outcomeOf({ halt }: Execution, stop: StopControl, error: Error | null): Outcome {
  if (error instanceof Interrupted || error instanceof HardStop) {
    const signal = stop.requested ?? "SIGINT";
    const reason = error instanceof HardStop
      ? `stopped hard: ${error.message}; the last checkpoint is kept`
      : error.checkpoint === null
      ? `${signal}; the state was not saved, the last checkpoint is kept`
      : signal;
    return { status: "interrupted", exitCode: SIGNAL_EXIT[signal], reason, error: null };
  }
  if (error !== null) return { status: "failed", exitCode: 1, reason: error.message, error };
  if (halt === null) return { status: "ok", exitCode: 0, reason: null, error: null };
  return { status: halt.status, exitCode: halt.status === "failed" ? 1 : 3, reason: halt.reason, error: halt.error };
}

interface Ending {
  readonly state: RunState;
  readonly execution: Execution;
  readonly outcome: Outcome;
  readonly manifest: () => RunManifestInput;
  readonly locks: readonly RunLock[];
  readonly started: number;
  readonly now: () => Date;
}

/** Writes the last rows, the manifest and the last event; a full disk becomes part of the result. */
function finish({ state, execution, outcome, manifest, locks, started, now }: Ending): RunResult {
  const folder = state.folders.run;
  const ids = stepsOf(state.plan.steps).flatMap(({ kind, id }) => kind.measures ? [id] : []);
  const evaluations = Object.fromEntries(Object.entries(state.outputs).filter(([id]) => ids.includes(id)));
  let { status, exitCode, reason, error } = outcome;
  const attempt = (action: () => void) => {
    try {
      action();
    } catch (failure) {
      // The first reason stays; a status of ok cannot.
      if (status === "ok") [status, exitCode] = ["failed", 1];
      error ??= failure instanceof Error ? failure : new Error(String(failure));
      reason ??= error.message;
    }
  };
  attempt(() => state.endTrainStep());
  attempt(() => state.segments.flush(state.tables, state.tables.trainStep, { sync: false }));
  const verdict = status === "interrupted" ? null : judge(state);
  const told = { evaluations, findings: state.findings.all, verdict };
  if (status === "interrupted") attempt(() => state.message(howToResume(state)));
  attempt(() =>
    writeManifest(folder, {
      ...manifest(),
      status,
      reason,
      finished: now().toISOString(),
      ...told,
    })
  );
  attempt(() =>
    state.emit({
      event: "run_finished",
      run: state.runId,
      status,
      reason,
      train_step: state.tables.trainStep,
      ms: elapsed(started),
      checkpoint: state.lastCheckpoint,
      ...told,
    })
  );
  state.events.close();
  for (const lock of locks) lock.release();
  // A step that was given up may still compute: its sessions go with the process.
  if (!execution.abandoned) { for (const resource of new Set(state.resources.values())) resource.release(); }
  return { runId: state.runId, folder, status, exitCode, reason, ...told, checkpoint: state.lastCheckpoint, error };
}

function howToResume({ tables, folders, lastCheckpoint }: RunState): string {
  const at = `Stopped at train step ${tables.trainStep}`, saved = lastCheckpoint ?? "none";
  return `${at} (last checkpoint: ${saved}); resume with: ${resumeCommand(folders.run)}`;
}

function manifestOf(
  plan: Plan,
  environment: RunEnvironment,
  id: string,
  created: string,
) {
  return {
    format: 1,
    id,
    name: plan.name,
    about: plan.about,
    status: "running",
    created,
    workflow: plan.file,
    workflow_folder: plan.folder,
    params: plan.params,
    matrix: plan.matrix,
    seed: plan.settings.seed,
    device: environment.device,
    backend: environment.backend,
    threads: environment.threads,
    deterministic: plan.settings.deterministic,
    cpu_class: environment.cpuClass,
    versions: environment.versions,
    faults: plan.settings.faults,
  } as const satisfies Partial<RunManifestInput>;
}

/** Makes the folder of a new run; a run to resume has one. */
function makeRunFolder(folder: string, resumed: boolean): void {
  if (resumed && !isThere(folder)) readManifest(folder);
  makeFolder(folder);
}

/** The lock of the run folder and, before it, that of the concurrency group. */
function takeLocks(plan: Plan, runsFolder: string, folder: string, time: Date): RunLock[] {
  const group = plan.settings.concurrencyGroup;
  if (group === null) return [acquireLock(folder, time)];
  const groupFolder = join(runsFolder, ".groups", sha256(group).slice(0, 16));
  makeFolder(groupFolder);
  const first = acquireLock(groupFolder, time);
  try {
    return [first, acquireLock(folder, time)];
  } catch (error) {
    first.release();
    throw error;
  }
}

const encode = (text: string) => new TextEncoder().encode(text);
