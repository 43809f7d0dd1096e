/** Says to a person who edited the file of a run and resumes it that the edit does not count, and how it would. @module */
import { basename, dirname, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { isFile } from "../../data/file_system.ts";
import type { RunManifest } from "../../data/run_folder.ts";
import { STEPS } from "../../steps/mod.ts";
import { differences, workflowOf } from "../engine/identity.ts";
import { loadWorkflow } from "../language/parse.ts";
import { WorkflowError } from "../language/problems.ts";
import type { Value } from "../language/schema.ts";
import type { Plan } from "../plan/plan.ts";
import { planRuns } from "../plan/plan_workflow.ts";
import { paramWords } from "../repair/advice.ts";
import { sha256 } from "../../data/digest.ts";
import { commandLine, optionWords, runsWords } from "../terminal/command_line.ts";
import { shownPath } from "../terminal/paths.ts";

/** A note with the command that goes on with the file, where its content is no longer that of the run; `own` is its plan. */
export async function editedSince(manifest: RunManifest, folder: string, own: Plan): Promise<string[]> {
  const { workflow, workflow_folder: home, workflow_sha256, created } = manifest;
  const source = join(home ?? folder, basename(workflow));
  if (home === null || home === folder || !isFile(source)) return [];
  // A run of before it was kept: all there is to tell is the time.
  const isSame = workflow_sha256 === null
    ? (Deno.statSync(source).mtime ?? new Date(0)) <= new Date(created)
    : workflow_sha256 === sha256(Deno.readFileSync(source));
  if (isSame) return [];
  const shown = shownPath(source), words = await wordsFor(source, manifest, own);
  const how = words === null
    ? `to go on with the file's, mend it first: ${commandLine(["check", shown])}`
    : `to go on with the file's: ${
      commandLine(["run", shown, "--resume", basename(folder), ...runsWords(dirname(folder)), ...words])
    }`;
  return [`${shown} was changed after this run began: the run goes on with its own copy; ${how}`];
}

/** What a command needs so that the file goes on as this run, and nothing else differs; null: it cannot be planned. */
async function wordsFor(source: string, { matrix }: RunManifest, own: Plan): Promise<string[] | null> {
  try {
    const loaded = await loadWorkflow(source, { kinds: STEPS }), { params: defaults } = loaded.document;
    const kept = Object.entries(own.params).filter(([name]) => Object.hasOwn(defaults, name));
    const cells = planRuns(loaded, STEPS, { params: Object.fromEntries(kept) });
    const plan = cells.find((cell) => isDeepStrictEqual(cell.matrix, matrix)) ?? cells[0]!;
    const settings = (["seed", "device", "backend", "threads"] as const)
      .filter((name) => plan.settings[name] !== own.settings[name] && own.settings[name] !== null)
      .flatMap((name) => optionWords(name, String(own.settings[name])));
    const params = kept.filter(([name, value]) => !isDeepStrictEqual(value, defaults[name]))
      .flatMap(([name, value]) => paramWords(name, value as Value));
    const drift = differences(
      { ...workflowOf(plan), params: plan.params },
      { ...workflowOf(own), params: own.params },
    );
    return [...settings, ...params, ...(drift.length > 0 ? ["--allow-drift"] : [])];
  } catch (error) {
    if (error instanceof WorkflowError) return null;
    throw error;
  }
}
