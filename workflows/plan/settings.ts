/** Checks and reads what holds for the whole run, after its look-ups were answered. @module */
import { TABLES } from "../../data/columns.ts";
import { EVALUATION_MODES } from "../../data/run_folder.ts";
import type { Path, Problem } from "../language/problems.ts";
import { WorkflowDocument } from "../language/schema.ts";
import { didYouMean } from "../../data/did_you_mean.ts";
import { readAs } from "../language/zod_problems.ts";

import type { RunSettings } from "./plan.ts";

/** Settings of a wrong type once look-ups are answered, a `checkpoint.best` that nothing writes, too many threads. */
export function settingProblems(answered: WorkflowDocument): Problem[] {
  return [
    ...readAs(WorkflowDocument, answered).problems,
    ...measureProblems(answered.checkpoint.best, ["checkpoint", "best"]),
    ...threadProblems(answered),
  ];
}

/** The settings of a document without problems. */
export function readSettings(answered: WorkflowDocument): RunSettings {
  const { every, keep, best } = answered.checkpoint;
  return {
    seed: answered.seed as number,
    device: answered.device as RunSettings["device"],
    backend: (answered.backend ?? null) as RunSettings["backend"],
    threads: (answered.threads ?? null) as RunSettings["threads"],
    deterministic: answered.deterministic as boolean,
    checkpoint: { every: every as number, keep: keep as number, best: best ?? null },
    keepCompletions: answered.keep_completions as number | "all",
    concurrencyGroup: answered.concurrency?.group ?? null,
    repair: answered.repair,
    faults: answered.faults,
  };
}

/** Several threads add in an order of their own: a row's last bits would depend on its batch. */
function threadProblems({ deterministic, threads }: WorkflowDocument): Problem[] {
  if (!deterministic || typeof threads !== "number" || threads === 1) return [];
  return [{ path: ["threads"], message: `"threads" is ${threads}, want 1 with deterministic: true; leave it out` }];
}

/** What a run is measured by: `evaluations.MODE` or `metrics.COLUMN`, as it stands at a path of the document. */
export function measureProblems(measure: string | undefined, path: Path): Problem[] {
  if (measure === undefined) return [];
  const [table, name, ...more] = measure.split(".");
  if (more.length > 0 || name === undefined || (table !== "evaluations" && table !== "metrics")) {
    return [{
      path,
      message: `"${path.at(-1)}" is "${measure}", want evaluations.MODE (${
        EVALUATION_MODES.join(", ")
      }) or metrics.COLUMN`,
    }];
  }
  const known = table === "evaluations" ? [...EVALUATION_MODES] : Object.keys(TABLES.metrics);
  return known.includes(name) ? [] : [{ path, message: `unknown "${name}" of ${table}${didYouMean(name, known)}` }];
}
