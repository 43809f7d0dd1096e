/**
 * A process that runs a workflow, for tests that need a backend of their own:
 * RUNS_FOLDER ID new|resume FILE [name=value …] [point=N]. Stops at the N-th safe point; prints events as JSON lines.
 */
import { dirname } from "node:path";
import { runPlan, StopControl } from "../../../workflows/engine/run_plan.ts";
import { StopAtPoint, tinyPlan } from "./tiny_runs.ts";

const [runs, id, mode, file, ...rest] = Deno.args as [string, string, string, string, ...string[]];
const params = Object.fromEntries(rest.map((text) => text.split("=") as [string, string]));
const { point, ...own } = params;
const stop = point === undefined ? new StopControl() : new StopAtPoint(Number(point));
const result = await runPlan(tinyPlan(Deno.readTextFileSync(file), own, dirname(file)), {
  runsFolder: runs,
  projectFolder: Deno.cwd(),
  ...(mode === "resume" ? { resume: id } : { runId: id }),
  stop,
  onEvent: (event) => console.log(JSON.stringify(event)),
});
Deno.exit(result.exitCode);
