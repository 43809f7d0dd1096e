/**
 * Opens a run: its folder under lock, its state, and, for one that is resumed, where it goes on. Nothing runs yet.
 * @module
 */
import { basename, join } from "node:path";
import { isFile, isThere, textIfThere } from "../../data/file_system.ts";
import { checkRunId, newRunId, RUN_FILES, type RunManifest, type RunManifestInput } from "../../data/run_folder.ts";
import type { Plan } from "../plan/plan.ts";
import { stringifyPlan } from "../plan/resolved.ts";
import { sha256 } from "../../data/digest.ts";
import { openEvents, type RunEvent } from "../store/events.ts";
import { acquireLock, freeing, type RunLock } from "../store/lock.ts";
import { readManifest, writeManifest } from "../store/manifest.ts";
import { makeFolder, writeFileAtomic } from "../store/write_file.ts";
import { findEnvironment, type RunEnvironment } from "./environment.ts";
import { identityOf, settingsOf } from "./identity.ts";
import { findResumed, restart, type Resumed } from "./restart.ts";
import { type Cursor, elapsed, type Gate, RunState } from "./run_state.ts";
import type { StopControl } from "./stop.ts";

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
  /** Pauses the run at the safe point after this train step: a resume goes on from there, bit for bit. */
  readonly pauseAt?: number;
  /** Asked before each step. */
  readonly gate?: Gate;
  /** Further keys of run.json: where a fork comes from. */
  readonly manifest?: Readonly<Record<string, unknown>>;
  /** Messages at the start of the run. */
  readonly notes?: readonly string[];
}

/** A run under lock. */
export interface OpenRun {
  readonly state: RunState;
  readonly locks: readonly RunLock[];
  /** `performance.now()` when it was opened. */
  readonly started: number;
  /** What run.json has to say at this moment. */
  manifest(): RunManifestInput;
  /** Tells how the run begins and brings back what a resume goes on from: returns where, null = from the beginning. */
  begin(): Cursor | null;
}

/** Throws LockHeldError, DriftError, NoCheckpointError, or why the folder cannot be written. */
export function openRun(plan: Plan, options: RunOptions, now: () => Date): OpenRun {
  const started = performance.now();
  const { environment, notes } = findEnvironment(plan.settings, options.environment);
  const runId = options.resume ?? options.runId ??
    newRunId(plan.name, now(), crypto.getRandomValues(new Uint32Array(1))[0]!);
  const folder = join(options.runsFolder, checkRunId(runId));
  const identity = identityOf(plan, environment), workflow = stringifyPlan(plan);
  if (options.resume !== undefined && !isThere(folder)) readManifest(folder); // says what is missing
  makeFolder(folder);
  const locks = takeLocks(plan, options.runsFolder, folder, now());
  const resumed = options.resume === undefined
    ? null
    : freeing(locks, () => findResumed(folder, runId, identity, options));
  const folders = { project: options.projectFolder, workflow: plan.folder, run: folder };
  const events = openEvents(folder, options.onEvent ?? (() => {}), now);
  const record = () => ({ manifest: manifest(), workflow });
  const state = new RunState(plan, environment, runId, folders, record, events);
  let fixed: RunManifestInput = {
    ...triggerOf(resumed?.manifest ?? null),
    ...options.manifest,
    ...manifestOf(plan, environment, runId, resumed?.manifest.created ?? now().toISOString()),
    ...sourceOf(plan, resumed?.manifest ?? null, folder),
    identity,
  };
  const earlierMs = resumed?.from.checkpoint?.loaded.record.manifest.ms ?? 0;
  const manifest = (): RunManifestInput => ({
    ...fixed,
    train_step: state.tables.trainStep,
    ms: earlierMs + elapsed(started),
    checkpoint: state.lastCheckpoint,
    outputs: state.outputs,
    findings: state.findings.all,
  });
  const begin = () => {
    tellStart(state, locks, resumed, [...notes, ...(options.notes ?? [])]);
    // What a drift changed is the run's own from here: a plain resume reads it back.
    if (resumed === null || resumed.drift.length > 0) {
      writeFileAtomic(join(folder, RUN_FILES.workflow), new TextEncoder().encode(workflow));
    }
    const cursor = resumed === null ? null : restart(state, resumed.from, options.fromStart ?? false);
    fixed = { ...fixed, resumed_from: state.lastCheckpoint };
    state.onSaved = () => writeManifest(folder, manifest());
    state.onSaved();
    return cursor;
  };
  return { state, locks, started, manifest, begin };
}

function tellStart(
  state: RunState,
  locks: readonly RunLock[],
  resumed: Resumed | null,
  notes: readonly string[],
): void {
  const { runId, plan, folders, environment } = state;
  state.emit({
    event: "run_started",
    run: runId,
    pid: Deno.pid,
    workflow: plan.name,
    resumed: resumed !== null,
    folder: folders.run,
    versions: environment.versions,
  });
  for (const { stale, aside } of locks) {
    if (aside !== null) state.message(`The lock is no plain file; it is moved to ${aside}`);
    if (stale !== null) state.message(`The lock of process ${stale.pid} is taken over: it is gone`);
  }
  for (const note of [...resumed?.mended ?? [], ...notes, ...state.faults.lines]) state.message(note);
  for (const difference of resumed?.drift ?? []) state.message(`Drift allowed: ${difference}`);
}

function manifestOf(plan: Plan, environment: RunEnvironment, id: string, created: string) {
  return {
    format: 1,
    id,
    name: plan.name,
    about: plan.about,
    status: "running",
    created,
    workflow_folder: plan.folder,
    ...settingsOf(plan, environment),
    versions: environment.versions,
    faults: plan.settings.faults,
  } as const satisfies Partial<RunManifestInput>;
}

/** A run that is resumed is still the one that was started so, and one of the same matrix. */
function triggerOf(resumed: RunManifest | null) {
  if (resumed === null) return {};
  const { trigger, scheduled_for, halving } = resumed;
  return { trigger, scheduled_for, ...(halving === null ? {} : { halving }) };
}

/** Which file the run is of, and what was in it; a resume by the run's own copy is still of the file it began with. */
function sourceOf(plan: Plan, resumed: RunManifest | null, folder: string) {
  const { text } = plan.source, isCopy = text !== null && text === textIfThere(join(folder, RUN_FILES.workflow));
  if (resumed !== null && isCopy) {
    const { workflow, workflow_sha256 } = resumed;
    return { workflow, workflow_sha256 };
  }
  const path = join(plan.folder, basename(plan.file));
  return { workflow: plan.file, workflow_sha256: isFile(path) ? sha256(Deno.readFileSync(path)) : null };
}

/** The lock of the run folder and, before it, that of the concurrency group. */
function takeLocks(plan: Plan, runsFolder: string, folder: string, time: Date): RunLock[] {
  const group = plan.settings.concurrencyGroup;
  if (group === null) return [acquireLock(folder, time)];
  const groupFolder = join(runsFolder, ".groups", sha256(group).slice(0, 16));
  makeFolder(groupFolder);
  const first = acquireLock(groupFolder, time);
  return [first, freeing([first], () => acquireLock(folder, time))];
}
