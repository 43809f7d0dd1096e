/** From the words of `run` to plans: a workflow file with its overrides, or the workflow of a run to resume. @module */
import { join } from "node:path";
import { RUN_FILES } from "../../data/run_folder.ts";
import { openRunFolder } from "../../data/open_run_folder.ts";
import { STEPS } from "../../steps/mod.ts";
import { readAssignments } from "../overrides.ts";
import { loadWorkflow } from "../parse.ts";
import { type Plan, planRuns } from "../plan.ts";
import { UsageError } from "./command.ts";
import { findRun } from "./find_run.ts";
import { pathArgument, shownPath } from "./paths.ts";

export interface RunWords {
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

export interface Planned {
  readonly plans: readonly Plan[];
  /** Id of the run to continue, or null. */
  readonly resumeId: string | null;
  readonly strategy: { readonly maxParallel: number; readonly failFast: boolean };
}

/** Plans everything that is to run. Throws WorkflowError and UsageError. */
export async function planFor(file: string | undefined, words: RunWords): Promise<Planned> {
  if (words.resume !== undefined) return await planResume(file, words, words.resume);
  const path = pathArgument(file!);
  await checkFile(path, file!);
  const loaded = await loadWorkflow(path, { shown: shownPath(path), kinds: STEPS });
  const { strategy } = loaded.document;
  const options = { params: readAssignments([...(words.param ?? [])]), settings: settingsOf(words) };
  return {
    plans: chosenCell(planRuns(loaded, STEPS, options), words.cell),
    resumeId: null,
    strategy: { maxParallel: strategy?.["max-parallel"] ?? 1, failFast: strategy?.["fail-fast"] ?? true },
  };
}

/** The resolved workflow of the run itself; a file given beside it is planned instead and must agree. */
async function planResume(file: string | undefined, words: RunWords, resume: string): Promise<Planned> {
  const folder = findRun(resume, words.runs);
  const { manifest } = openRunFolder(folder);
  const path = file === undefined ? join(folder, RUN_FILES.workflow) : pathArgument(file);
  const home = typeof manifest["workflow_folder"] === "string" ? { folder: manifest["workflow_folder"] } : {};
  const loaded = await loadWorkflow(path, {
    shown: shownPath(path),
    kinds: STEPS,
    ...(file === undefined ? home : {}),
  });
  const params = file === undefined
    ? {}
    : { ...manifest.params, ...readAssignments([...(words.param ?? [])]) } as Record<string, string>;
  const plans = planRuns(loaded, STEPS, { params, settings: settingsOf(words) });
  if (plans.length !== 1) {
    throw new UsageError(`Cannot resume "${resume}": ${shownPath(path)} plans ${plans.length} runs, want one`);
  }
  return { plans, resumeId: manifest.id, strategy: { maxParallel: 1, failFast: true } };
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
    ...(words.device === undefined ? {} : { device: words.device as "auto" | "cpu" | "cuda" }),
    ...(words.backend === undefined ? {} : { backend: words.backend as "ffi" | "napi" }),
    ...number("threads", 1, 1024),
    ...number("seed", 0, 2 ** 32 - 1),
  };
}

async function checkFile(path: string, typed: string): Promise<void> {
  let reason: string;
  try {
    const { isDirectory } = await Deno.stat(path);
    if (!isDirectory) return;
    reason = "it is a folder";
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    reason = `there is no file ${shownPath(path)}`;
  }
  throw new UsageError(`Cannot read workflow "${typed}": ${reason}; want a .yaml or .ts file`);
}
