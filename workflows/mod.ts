/**
 * Nonzero as a library: run workflows, open their runs, compare them, and diagnose any run.
 *
 *     import { compare, diagnose, openRun, runWorkflow } from "../workflows/mod.ts";
 *     const { folder } = await runWorkflow("workflows/library/first_run.yaml", { params: { train_steps: 50 } });
 *     openRun(folder).table("metrics").print();
 * @module
 */
export {
  compare,
  defineWorkflow,
  diagnose,
  type Diagnosed,
  openRun,
  runWorkflow,
  type RunWorkflowOptions,
} from "./entry.ts";
export type { RunFinding, RunResult } from "./engine/run_plan.ts";
export type { RunFolder } from "../data/open_run_folder.ts";
