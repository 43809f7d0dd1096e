/** From the words of `run` to plans: a workflow file with its overrides, or the workflow of a run to resume. @module */
import { basename, join, resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { notAFile } from "../../data/file_system.ts";
import { RUN_FILES, type RunManifest } from "../../data/run_folder.ts";
import { STEPS } from "../../steps/mod.ts";
import { readAssignments } from "../plan/overrides.ts";
import { pathsFromCaller } from "../plan/caller_paths.ts";
import { type LoadedWorkflow, loadWorkflow } from "../language/parse.ts";
import type { DEVICES, WorkflowDocument } from "../language/schema.ts";
import { type HalvingPlan, planHalving, seedAxes } from "../plan/halving.ts";
import type { Plan } from "../plan/plan.ts";
import { planRuns } from "../plan/plan_workflow.ts";
import { acquireLock } from "../store/lock.ts";
import { readManifest } from "../store/manifest.ts";
import { mendManifest, mendWorkflow } from "../store/record.ts";
import { UsageError } from "../terminal/usage_error.ts";
import { findRun } from "../explore/find_run.ts";
import { newestModel } from "../explore/newest_model.ts";
import { editedSince } from "./edited_since.ts";
import { callerFolder, shownPath, workflowArgument } from "../terminal/paths.ts";

interface RunWords {
  readonly param?: readonly string[];
  readonly device?: string;
  readonly backend?: string;
  readonly threads?: string;
  readonly seed?: string;
  /** One cell of the matrix, counted from 1. */
  readonly cell?: string;
  readonly resume?: string;
  /** Absolute. */
  readonly runs: string;
}

interface Planned {
  readonly plans: readonly Plan[];
  /** Id of the run to continue, or null. */
  readonly resumeId: string | null;
  /** What was mended before a resume. */
  readonly notes: readonly string[];
  readonly strategy: Strategy;
}

/** How the runs of a matrix are gone through. */
export interface Strategy {
  readonly maxParallel: number;
  readonly failFast: boolean;
  /** How they are compared on the way; null where they are not. */
  readonly halving: HalvingPlan | null;
  /** Axes of the matrix that are seeds. */
  readonly seeds: readonly string[];
}

/** A run that is alone. */
const ALONE: Strategy = { maxParallel: 1, failFast: true, halving: null, seeds: [] };

/** `strategy` of a workflow. Runs that are compared outlive one that fails: it is the worst of them. */
export function strategyOf(document: WorkflowDocument, plans: readonly Plan[]): Strategy {
  const halving = planHalving(document, plans), { strategy } = document;
  return {
    maxParallel: strategy?.["max-parallel"] ?? 1,
    failFast: strategy?.["fail-fast"] ?? halving === null,
    halving,
    seeds: seedAxes(document),
  };
}

/** Plans everything that is to run. Throws WorkflowError and UsageError. */
export async function planFor(file: string | undefined, words: RunWords): Promise<Planned> {
  if (words.resume !== undefined) return await planResume(file, words, words.resume);
  const path = workflowArgument(file!);
  await checkFile(path, file!);
  const loaded = await loadWorkflow(path, { shown: shownPath(path), kinds: STEPS });
  const newestRun = (name: string) => newestModel(words.runs, name);
  const options = { params: typedParams(loaded, words), settings: settingsOf(words), newestRun };
  const all = planRuns(loaded, STEPS, options), plans = chosenCell(all, words.cell);
  return { plans, resumeId: null, notes: [], strategy: strategyOf(loaded.document, all) };
}

/**
 * The resolved workflow of the run itself; a file given beside it is planned instead and must agree. Where run.json or
 * workflow.yaml cannot be used, that of the newest checkpoint takes its place.
 */
async function planResume(given: string | undefined, words: RunWords, resume: string): Promise<Planned> {
  const folder = findRun(resume, words.runs);
  const isOwn = given !== undefined && resolve(workflowArgument(given)) === resolve(folder, RUN_FILES.workflow);
  const file = isOwn && words.param === undefined ? undefined : given;
  const notes: string[] = [];
  mendRun(folder, notes);
  const manifest = readManifest(folder);
  const plan = () =>
    file === undefined
      ? planFile(join(folder, RUN_FILES.workflow), words, { home: manifest.workflow_folder ?? undefined })
        // A run's own file has no matrix any more, and the run is still one of its matrix.
        .then((own) => own.map((one) => ({ ...one, matrix: manifest.matrix as Plan["matrix"] })))
      : planFile(workflowArgument(file), words, { kept: manifest.params, notes })
        .then((cells) => cells.length === 1 ? cells : sameCell(cells, manifest));
  const plans = await plan().catch((error) => {
    const mended = file === undefined ? underLock(folder, notes, () => mendWorkflow(folder)) : null;
    if (mended === null) throw error;
    notes.push(mended);
    return plan();
  });
  if (plans.length !== 1) {
    const shown = file ?? shownPath(join(folder, RUN_FILES.workflow));
    throw new UsageError(`Cannot resume "${resume}": ${shown} plans ${plans.length} runs, want one`);
  }
  if (file === undefined) notes.push(...await editedSince(manifest, folder, plans[0]!));
  return { plans, resumeId: basename(folder), notes, strategy: ALONE };
}

/** The cell of a matrix that a run was; all of them where none is. */
function sameCell(cells: readonly Plan[], { matrix }: RunManifest): readonly Plan[] {
  const own = cells.filter((plan) => isDeepStrictEqual(plan.matrix, matrix));
  return own.length === 1 ? own : cells;
}

/** A plan of a file for a run that goes on; `kept` are the parameters it had, of which the file may have fewer by now. */
async function planFile(
  path: string,
  words: RunWords,
  { kept = {}, notes = [], home }: {
    readonly kept?: Readonly<Record<string, unknown>>;
    readonly notes?: string[];
    readonly home?: string | undefined;
  },
): Promise<readonly Plan[]> {
  const loaded = await loadWorkflow(path, {
    shown: shownPath(path),
    kinds: STEPS,
    ...(home === undefined ? {} : { folder: home }),
  });
  const isKnown = ([name]: [string, unknown]) => Object.hasOwn(loaded.document.params, name);
  const gone = Object.entries(kept).filter((entry) => !isKnown(entry)).map(([name, value]) => `${name}=${value}`);
  if (gone.length > 0) notes.push(`${shownPath(path)} has no parameter ${gone.join(", ")} any more: left out`);
  const params = {
    ...Object.fromEntries(Object.entries(kept).filter(isKnown)),
    ...typedParams(loaded, words),
  };
  const newestRun = (name: string) => newestModel(words.runs, name);
  return planRuns(loaded, STEPS, { params: params as Record<string, string>, settings: settingsOf(words), newestRun });
}

/** What was typed as -p: its paths are meant from where the person stands. */
function typedParams(loaded: LoadedWorkflow, { param = [] }: RunWords): Record<string, string> {
  return pathsFromCaller(loaded, STEPS, readAssignments(param), callerFolder());
}

/** Puts a run.json that cannot be read back from the newest checkpoint; `notes` are told of it. Throws where none has it. */
export function mendRun(folder: string, notes: string[]): void {
  notes.push(...underLock(folder, notes, () => mendManifest(folder)));
}

/** A run that is alive is not mended. */
function underLock<T>(folder: string, notes: string[], action: () => T): T {
  const lock = acquireLock(folder, new Date());
  if (lock.aside !== null) notes.push(`The lock is no plain file; it is moved to ${lock.aside}`);
  try {
    return action();
  } finally {
    lock.release();
  }
}

function chosenCell(plans: readonly Plan[], cell: string | undefined): readonly Plan[] {
  if (cell === undefined) return plans;
  const plan = /^[1-9]\d*$/.test(cell) ? plans[Number(cell) - 1] : undefined;
  if (plan === undefined) {
    throw new UsageError(`Cannot read --cell: it is "${cell}", want a whole number from 1 to ${plans.length}`);
  }
  return [plan];
}

function settingsOf(words: RunWords) {
  const number = (name: "threads" | "seed", least: number, most: number) => {
    const text = words[name];
    if (text === undefined) return {};
    const value = Number(text);
    if (!Number.isSafeInteger(value) || value < least || value > most) {
      throw new UsageError(`Cannot read --${name}: it is "${text}", want a whole number from ${least} to ${most}`);
    }
    return { [name]: value };
  };
  return {
    ...(words.device === undefined ? {} : { device: words.device as typeof DEVICES[number] }),
    ...(words.backend === undefined ? {} : { backend: words.backend as "ffi" | "napi" }),
    ...number("threads", 1, 1024),
    ...number("seed", 0, 2 ** 32 - 1),
  };
}

/** Throws a UsageError where there is no such file. */
export async function checkFile(path: string, typed: string): Promise<void> {
  let reason: string;
  try {
    const kind = notAFile(await Deno.stat(path));
    if (kind === null) return;
    reason = `it is ${kind}`;
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    reason = `there is no file ${shownPath(path)}`;
  }
  throw new UsageError(
    `Cannot read workflow "${typed}": ${reason}; want a .yaml or .ts file, or the name of one in workflows/library, as grpo`,
  );
}
