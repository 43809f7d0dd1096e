/** Finds the other runs of a halved matrix that one of them is resumed of: they go on together. @module */
import { basename, dirname, join } from "node:path";
import { messageOf } from "../../data/error_text.ts";
import { isFile, isFolder, listFolder, orElse } from "../../data/file_system.ts";
import { RUN_FILES, type RunManifest } from "../../data/run_folder.ts";
import { STEPS } from "../../steps/mod.ts";
import { isLive } from "../explore/find_run.ts";
import { newestModel } from "../explore/newest_model.ts";
import { loadWorkflow } from "../language/parse.ts";
import type { Value } from "../language/schema.ts";
import type { Plan } from "../plan/plan.ts";
import { planRuns } from "../plan/plan_workflow.ts";
import { paramWords } from "../repair/advice.ts";
import { sha256 } from "../../data/digest.ts";
import { readManifest } from "../store/manifest.ts";
import { recordedManifest } from "../store/record.ts";
import { commandLine, optionWords, runsWords } from "../terminal/command_line.ts";
import { shownPath } from "../terminal/paths.ts";
import { UsageError } from "../terminal/usage_error.ts";
import { mendRun, planFor, type Strategy, strategyOf } from "./run_words.ts";

/** A matrix that goes on. */
interface HalvedMatrix {
  readonly plans: readonly Plan[];
  readonly strategy: Strategy;
  readonly sweep: string;
  /** Ids of the runs that are there, null for those that have not started. */
  readonly started: readonly (string | null)[];
  /** Arguments of `run` for one that has not. */
  readonly childArguments: readonly string[];
  readonly notes: readonly string[];
}

/**
 * The matrix that a run waits in, or was interrupted in; null for a run that is alone, or has come to its end. Throws a
 * UsageError where the file has changed since, or one of the runs cannot be read: they could not be compared.
 */
export async function halvedMatrix(folder: string): Promise<HalvedMatrix | null> {
  const manifest = recordedManifest(folder), runs = dirname(folder), notes: string[] = [];
  const halving = manifest?.halving ?? null;
  if (manifest === null || halving === null || !isUnderWay(manifest)) return null;
  const file = join(manifest.workflow_folder ?? folder, basename(manifest.workflow));
  const { params, settings } = halving.given;
  if (!isFile(file) || sha256(Deno.readFileSync(file)) !== manifest.workflow_sha256) {
    const alone = commandLine([
      "run",
      shownPath(join(folder, "workflow.yaml")),
      "--resume",
      manifest.id,
      ...runsWords(runs),
    ]);
    throw new UsageError(
      `Cannot resume the matrix of run "${manifest.id}": ${shownPath(file)} is not as it was when the runs began; ` +
        `put it back, or go on with this run alone: ${alone}`,
    );
  }
  const loaded = await loadWorkflow(file, { shown: shownPath(file), kinds: STEPS });
  const newestRun = (name: string) => newestModel(runs, name);
  const planned = planRuns(loaded, STEPS, { params: params as Record<string, Value>, settings, newestRun });
  const siblings = siblingsOf(runs, halving.sweep, notes);
  const started = planned.map((_, i) => siblings.findLast(({ cell }) => cell === i + 1)?.id ?? null);
  const live = started.find((id) => id !== null && isLive(join(runs, id)));
  if (live !== undefined) {
    throw new UsageError(`Cannot resume the matrix of run "${manifest.id}": run ${live} is running`);
  }
  // What a run has looked up, run:last for one, is in its own file.
  const plans = await Promise.all(planned.map(async (plan, i) => {
    const id = started[i]!;
    if (id === null || !isUnderWay(readManifest(join(runs, id)))) return plan;
    const own = await planFor(undefined, { resume: join(runs, id), runs });
    notes.push(...own.notes);
    return own.plans[0]!;
  }));
  const words = [
    ...Object.entries(params).flatMap(([name, value]) => paramWords(name, value as Value)),
    ...Object.entries(settings).flatMap(([name, value]) => value === null ? [] : optionWords(name, String(value))),
  ];
  const count = started.filter((id) => id !== null).length;
  return {
    plans,
    strategy: strategyOf(loaded.document, planned),
    sweep: halving.sweep,
    started,
    childArguments: [file, ...words, ...optionWords("runs", runs), "--trust"],
    notes: [
      ...notes,
      `${manifest.id} is one of ${planned.length} runs that are compared, ${count} of which have begun: all of them go on`,
    ],
  };
}

/**
 * The runs of a matrix. One whose run.json cannot be read has it put back from its newest checkpoint, as where it is resumed
 * alone. Throws UsageError where a checkpoint has none either: started again, it would be there twice.
 */
function siblingsOf(runs: string, sweep: string, notes: string[]): { id: string; cell: number }[] {
  return listFolder(runs).flatMap((id) => {
    const folder = join(runs, id), file = join(folder, RUN_FILES.manifest);
    if (id.startsWith(".") || !isFolder(folder)) return [];
    const own = recordedManifest(folder);
    if (own === null && !orElse(() => Deno.readTextFileSync(file), "").includes(sweep)) return [];
    if (own !== null && own.halving?.sweep !== sweep) return [];
    try {
      readManifest(folder);
    } catch (error) {
      if (own === null) {
        throw new UsageError(
          `Cannot resume the matrix: ${messageOf(error)}, and no checkpoint has it; put back a copy of ${
            shownPath(file)
          }, or ` +
            `move ${shownPath(folder)} away: that run then begins again`,
        );
      }
      const told: string[] = [];
      mendRun(folder, told);
      notes.push(...told.map((text) => `${id}: ${text}`));
    }
    return [{ id, cell: own!.halving!.cell }];
  });
}

function isUnderWay({ status }: RunManifest): boolean {
  return status === "paused" || status === "interrupted" || status === "running";
}
