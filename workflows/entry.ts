/** What the command line does, as functions: run a workflow at once or step by step, diagnose, compare. @module */
import { isThere } from "../data/file_system.ts";
import { isNotebook, JUPYTER_DISPLAY, tablesShowThemselves } from "../notebooks/display.ts";
import type { ChartName } from "../notebooks/charts/mod.ts";
import { STEPS } from "../steps/mod.ts";
import { libraryWorkflow, PROJECT, runsFolder } from "./terminal/paths.ts";
import { examine } from "./doctor/examine.ts";
import type { Examined } from "./doctor/examined.ts";
import { type RunEvent, type RunOptions, type RunResult, StopControl } from "./engine/run_plan.ts";
import { Comparison } from "./explore/compare.ts";
import { interrupts, keepKernelAlive } from "./explore/interrupt.ts";
import { newestModel } from "./explore/newest_model.ts";
import { openRun } from "./explore/open.ts";
import type { Run } from "./explore/run.ts";
import { resultBundle } from "./explore/run_bundle.ts";
import { WorkflowSession } from "./explore/session.ts";
import { watch } from "./explore/watch.ts";
import { loadWorkflow, workflowFromObject } from "./language/parse.ts";
import { pathsFromCaller } from "./plan/caller_paths.ts";
import type { Plan } from "./plan/plan.ts";
import { type PlanOptions, planRuns } from "./plan/plan_workflow.ts";
import { runWorkflowPlan } from "./run/run_workflow.ts";
import type { WorkflowInput } from "./language/schema.ts";

// In a notebook, the stop button would end the kernel and lose what its cells hold.
keepKernelAlive();
if (isNotebook()) tablesShowThemselves();

/** Identity; gives a workflow object the types of our steps, so that the editor and the compiler know their parameters. */
export function defineWorkflow(workflow: WorkflowInput<typeof STEPS>): WorkflowInput<typeof STEPS> {
  return workflow;
}

export interface RunWorkflowOptions
  extends Pick<PlanOptions, "params" | "settings">, Pick<RunOptions, "onEvent" | "stop"> {
  /** Folder of all runs; `runs/` in the project where absent. */
  readonly runs?: string;
  /** Aborted, it stops the run at the next safe point, saved. In a notebook the stop button does so too. */
  readonly signal?: AbortSignal;
  /** Charts to draw in this notebook cell while the run goes on. */
  readonly charts?: readonly ChartName[];
}

type WorkflowSource = string | WorkflowInput<typeof STEPS>;

/** Runs a workflow file, one of the library by its name (`"grpo"`), or an object to its end; of a matrix, want one run. Throws WorkflowError for an invalid one. */
export async function runWorkflow(workflow: WorkflowSource, options: RunWorkflowOptions = {}): Promise<RunResult> {
  const { runs, signal, charts, onEvent = () => {}, stop = new StopControl() } = options;
  const plan = await onePlan(workflow, options);
  const release = interrupts(stop, signal);
  let folder = "", watched: Promise<unknown> | null = null;
  const hear = (event: RunEvent) => {
    onEvent(event);
    if (event.event === "run_started") folder = String(event["folder"]);
    if (charts && watched === null && event.event === "train_step") watched = watch(folder, { charts });
  };
  try {
    const where = { runsFolder: runsFolder(runs), projectFolder: PROJECT };
    const result = await runWorkflowPlan(plan, { onEvent: hear, stop, ...where });
    return Object.defineProperty(result, JUPYTER_DISPLAY, { value: () => resultBundle(result) });
  } finally {
    release();
    await watched;
  }
}

/**
 * Opens a workflow to run it one step at a time: `await run.step("sample_groups")` runs up to and with that step and gives
 * its tables, `run.write(…)` changes them, `run.finish()` runs the rest, `run.close()` stops and saves.
 */
export async function openWorkflow(
  workflow: WorkflowSource,
  options: Omit<RunWorkflowOptions, "stop" | "charts"> = {},
): Promise<WorkflowSession> {
  const plan = await onePlan(workflow, options), { runs, signal, onEvent = () => {} } = options;
  const where = { runsFolder: runsFolder(runs), projectFolder: PROJECT };
  const run: ConstructorParameters<typeof WorkflowSession>[1] = (session) => {
    const hear = (event: RunEvent) => {
      session.onEvent(event);
      onEvent(event);
    };
    return runWorkflowPlan(plan, { ...where, ...session, onEvent: hear });
  };
  return new WorkflowSession(plan, run, signal);
}

/** A path, or the name of a workflow of the library: a notebook may lie anywhere. */
function fileOf(workflow: string): string {
  return isThere(workflow) ? workflow : libraryWorkflow(workflow) ?? workflow;
}

async function onePlan(workflow: WorkflowSource, { params, settings, runs }: RunWorkflowOptions): Promise<Plan> {
  const loaded = typeof workflow === "string"
    ? await loadWorkflow(fileOf(workflow), { kinds: STEPS, shown: workflow })
    : workflowFromObject(workflow, "workflow", { kinds: STEPS });
  const given = params && { params: pathsFromCaller(loaded, STEPS, params, Deno.cwd()) };
  const newestRun = (name: string) => newestModel(runsFolder(runs), name);
  const plans = planRuns(loaded, STEPS, { ...given, ...(settings ? { settings } : {}), newestRun });
  if (plans.length === 1) return plans[0]!;
  throw new RangeError(`Cannot run the workflow: its matrix makes ${plans.length} runs, want one; run each by params`);
}

/** Diagnosed runs; a Jupyter cell that ends with them shows the doctor's report. */
export type Diagnosed = readonly Examined[];

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

/**
 * Compares runs, each opened or named by what `openRun` takes: what differs between them, and `chart(metric)` of all. A cell
 * that ends with it shows the differences. Throws RangeError for fewer than two.
 */
export async function compare(...runs: readonly (Run | string)[]): Promise<Comparison> {
  if (runs.length < 2) {
    throw new RangeError(`Cannot compare ${runs.length || "no"} run${runs.length ? "" : "s"}: want two or more`);
  }
  return new Comparison(await Promise.all(runs.map((run) => typeof run === "string" ? openRun(run) : run)));
}
