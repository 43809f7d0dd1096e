/** The prompts of a plan, read as load_prompts reads them. @module */
import { join } from "node:path";
import { listFolder, orElse } from "../../data/file_system.ts";
import type { PromptRow as Row } from "../../data/tasks/mod.ts";
import { dataPath } from "../../steps/options/data_source.ts";
import { loadPrompts } from "../../steps/load_prompts.ts";
import type { StepContext } from "../../steps/step.ts";
import { toldMessage } from "../terminal/told.ts";
import { loneContext } from "../engine/lone_context.ts";
import type { Plan } from "../plan/plan.ts";
import type { Known } from "./facts.ts";

/** A row with the columns that every task and file has. */
export type PromptRow = Row & Readonly<Record<"prompt" | "answer" | "split" | "verifier", string>>;

export interface PromptFacts {
  readonly loaded: Known<"load_prompts">;
  /** Why they cannot be loaded, or null. */
  readonly problem: string | null;
  /** How a file is read where options do not say all of it: what the step tells when it runs. */
  readonly told: readonly string[];
  /** Columns that are there for an option that nobody named, as they are told. */
  readonly unused: readonly string[];
  readonly rows: readonly PromptRow[];
}

const MAX_BYTES = 100e6; // Larger files are left to the run: a check must be quick.

/** True for a file that a check leaves to the run. */
export function isLeftToRun(file: string | undefined, { folder }: Plan): boolean {
  // Of what has no size, reading it will say what is wrong.
  return file !== undefined && orElse(() => bytesBelow(dataPath(file, folder)), 0) > MAX_BYTES;
}

/** Bytes of a file, or of the files in a folder. */
function bytesBelow(path: string, depth = 4): number {
  const { isDirectory, size } = Deno.statSync(path);
  if (!isDirectory) return size;
  const inner = depth === 0 ? [] : listFolder(path);
  return inner.reduce((sum, name) => sum + orElse(() => bytesBelow(join(path, name), depth - 1), 0), 0);
}

/** What a loading step reads of a run: its workflow's folder and seed. What it would keep in the run's goes to `run`. */
export function loadingContext(
  stepId: string,
  plan: Plan,
  emit: StepContext["emit"] = () => {},
  run = plan.folder,
): StepContext {
  const context = loneContext({
    runId: "check",
    seed: plan.settings.seed,
    device: "cpu",
    backend: "ffi",
    threads: 1,
    deterministic: false,
    stepId,
    folders: { project: plan.folder, workflow: plan.folder, run },
  });
  return { ...context, emit };
}

/** What was read for the plans of a file, by what they ask for: the runs of a matrix mostly read the same. */
const read = new WeakMap<Plan["source"], Map<string, PromptFacts>>();

/** Runs load_prompts, which reads nothing of a run but the workflow's folder; null for a file that is too large. */
export async function readPrompts(loaded: Known<"load_prompts">, plan: Plan): Promise<PromptFacts | null> {
  if (isLeftToRun(loaded.params.file, plan)) return null;
  const ofFile = read.get(plan.source) ?? new Map<string, PromptFacts>();
  read.set(plan.source, ofFile);
  const key = JSON.stringify([loaded.step.id, loaded.params, plan.settings.seed]);
  const facts = ofFile.get(key) ?? await promptFacts(loaded, plan);
  ofFile.set(key, facts);
  return { ...facts, loaded };
}

async function promptFacts(loaded: Known<"load_prompts">, plan: Plan): Promise<PromptFacts> {
  const told: string[] = [], unused: string[] = [];
  // Images are stored as they are read, and a check leaves nothing behind.
  const run = Deno.makeTempDirSync({ prefix: "nonzero_check_" });
  try {
    const context = loadingContext(loaded.step.id, plan, (event) => {
      (event["unused"] === undefined ? told : unused).push(String(event["text"]));
    }, run);
    const { tables } = await loadPrompts.run(loaded.params, context);
    return { loaded, problem: null, told, unused, rows: tables!.prompts!.objects() as PromptRow[] };
  } catch (error) {
    return { loaded, problem: toldMessage(error), told, unused, rows: [] };
  } finally {
    Deno.removeSync(run, { recursive: true });
  }
}
