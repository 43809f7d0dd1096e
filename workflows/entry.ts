/** What the command line does, as functions: run a workflow, open a run, compare two. @module */
import { openRunFolder, type RunFolder } from "../data/open_run_folder.ts";
import { STEPS } from "../steps/mod.ts";
import { comparison, type Difference } from "./cli/compare_runs.ts";
import { findRun } from "./cli/find_run.ts";
import { PROJECT, runsFolder } from "./cli/paths.ts";
import { examine } from "./doctor/examine.ts";
import type { Examined } from "./doctor/examined.ts";
import type { RunOptions, RunResult } from "./engine/run_plan.ts";
import { loadWorkflow, workflowFromObject } from "./language/parse.ts";
import { type PlanOptions, planRuns } from "./plan/plan_workflow.ts";
import { runWorkflowPlan } from "./run/run_workflow.ts";
import type { WorkflowInput } from "./language/schema.ts";

/** Identity; gives a workflow object the types of our steps, so that the editor and the compiler know their parameters. */
export function defineWorkflow(workflow: WorkflowInput<typeof STEPS>): WorkflowInput<typeof STEPS> {
  return workflow;
}

export interface RunWorkflowOptions
  extends Pick<PlanOptions, "params" | "settings">, Pick<RunOptions, "onEvent" | "stop"> {
  /** Folder of all runs; `runs/` in the project where absent. */
  readonly runs?: string;
}

/** Runs a workflow file or object to its end; of a matrix, want one run. Throws WorkflowError for an invalid one. */
export async function runWorkflow(
  workflow: string | WorkflowInput<typeof STEPS>,
  { params, settings, runs, ...events }: RunWorkflowOptions = {},
): Promise<RunResult> {
  const loaded = typeof workflow === "string"
    ? await loadWorkflow(workflow, { kinds: STEPS })
    : workflowFromObject(workflow, "workflow", { kinds: STEPS });
  const plans = planRuns(loaded, STEPS, { ...(params ? { params } : {}), ...(settings ? { settings } : {}) });
  if (plans.length !== 1) {
    throw new RangeError(
      `Cannot run the workflow: its matrix makes ${plans.length} runs, want one; run each by params`,
    );
  }
  return await runWorkflowPlan(plans[0]!, { ...events, runsFolder: runsFolder(runs), projectFolder: PROJECT });
}

/** Opens a run by its folder, its id, the unique beginning of one, or `last`. */
export function openRun(run: string, runs?: string): RunFolder {
  return openRunFolder(findRun(run, runsFolder(runs)));
}

/** Diagnosed runs; a Jupyter cell that ends with them shows the doctor's report. */
export type Diagnosed = readonly Examined[];

/** Where Deno's kernel looks for the MIME bundle of a value. */
const JUPYTER_DISPLAY = Symbol.for("Jupyter.display");

/** Reads and diagnoses every run under one path or several: ours, or another system's log, file or folder. */
export async function diagnose(paths: string | readonly string[]): Promise<Diagnosed> {
  const examined = await examine([paths].flat());
  const bundle = async () => {
    const { terminalReport } = await import("./doctor/terminal_report.ts");
    const { markdownReport } = await import("./doctor/markdown_report.ts");
    const plain = { style: (text: string) => text, columns: 100 };
    return {
      "text/markdown": examined.map((one) => markdownReport(one, false)).join("\n"),
      "text/plain": examined.map((one) => terminalReport(one, plain, false).join("\n")).join("\n\n"),
    };
  };
  return Object.defineProperty(examined, JUPYTER_DISPLAY, { value: bundle });
}

/** What differs between two runs: parameters, settings, results. */
export function compare(a: RunFolder | string, b: RunFolder | string, runs?: string): Difference[] {
  const [left, right] = [a, b].map((run) => typeof run === "string" ? openRun(run, runs) : run) as [
    RunFolder,
    RunFolder,
  ];
  return comparison(left, right);
}
