/** `run`: plans a workflow, runs it, shows it, and leaves its report. @module */
import { join } from "node:path";
import type { RunResult } from "../engine.ts";
import type { Plan } from "../plan.ts";
import { eventText } from "../store/events.ts";
import { defineCommand, UsageError, type Values } from "./command.ts";
import { oneLine } from "./failures.ts";
import { callerFolder, pathArgument, PROJECT, runsFolder, shownPath } from "./paths.ts";
import { stderr, stdout } from "./terminal.ts";

const OPTIONS = {
  param: { about: "set a parameter of the workflow, key=value", value: "KEY=VALUE", short: "p", multiple: true },
  device: { about: "where tensors are computed", value: "DEVICE", choices: ["auto", "cpu", "cuda"] },
  backend: { about: "how ONNX Runtime is called", value: "BACKEND", choices: ["ffi", "napi"] },
  threads: { about: "intra-op threads (default: the machine's cores)", value: "N" },
  seed: { about: "seed of the run", value: "N" },
  resume: { about: "continue a run: its id, a unique beginning of it, or last", value: "RUN" },
  "allow-drift": { about: "resume although workflow, threads, versions or CPU differ" },
  "dry-run": { about: "print the plan and run nothing" },
  json: { about: "JSON lines on stdout and nothing else; the last is run_finished" },
  runs: { about: "folder of all runs (default: runs/ in the project)", value: "DIR" },
} as const;

type RunValues = Values<typeof OPTIONS>;

export const run = defineCommand({
  name: "run",
  about: "Run a workflow file (always a new run, unless resumed)",
  usage: "FILE [options]   |   run --resume RUN",
  words: [0, 1],
  options: OPTIONS,
  notes: [
    "Exit codes: 0 ok, 1 a step failed, 2 usage or invalid file, 3 stopped by a finding, 75 the run is locked,",
    "130 interrupted (SIGINT), 143 terminated (SIGTERM). An interrupted run says how to resume.",
  ],
  async run([file], values) {
    const { json = false, resume } = values;
    try {
      if (file === undefined && resume === undefined) {
        throw new UsageError("Cannot run: no workflow file given; want FILE or --resume RUN");
      }
      const { planFor } = await import("./run_plan.ts");
      const { plans, resumeId, strategy } = await planFor(file, { ...values, runs: runsFolder(values.runs) });
      if (values["dry-run"]) {
        const { printPlan } = await import("./plan_text.ts");
        for (const plan of plans) await printPlan(plan, json);
        return 0;
      }
      if (plans.length > 1) return await runAll(plans, strategy, values);
      return await runOne(plans[0]!, resumeId, values);
    } catch (error) {
      if (json) {
        stdout.line(
          JSON.stringify({
            event: "run_finished",
            run: null,
            status: "failed",
            evaluations: {},
            findings: [],
            error: oneLine(error),
          }),
        );
      }
      throw error;
    }
  },
});

async function runOne(plan: Plan, resumeId: string | null, values: RunValues): Promise<number> {
  const { StopControl, listenForSignals } = await import("../engine.ts");
  const { Progress } = await import("./progress.ts");
  const { outlineOf } = await import("./outline.ts");
  const { runWorkflowPlan } = await import("../run_workflow.ts");
  const { readManifest } = await import("../store/manifest.ts");
  const stop = new StopControl(), unlisten = listenForSignals(stop);
  const runs = runsFolder(values.runs);
  const earlier = resumeId === null ? null : readManifest(join(runs, resumeId)).outputs;
  const progress = new Progress(stderr, outlineOf(plan, earlier));
  let last = "";
  try {
    const result = await runWorkflowPlan(plan, {
      runsFolder: runs,
      projectFolder: PROJECT,
      ...(resumeId === null ? {} : { resume: resumeId }),
      allowDrift: values["allow-drift"] ?? false,
      stop,
      onEvent: (event) => {
        progress.on(event);
        if (!values.json) return;
        if (event.event === "run_finished") last = eventText(event);
        else stdout.line(eventText(event));
      },
    });
    progress.close();
    if (values.json) {
      for (const text of result.advice) stdout.line(eventText({ event: "message", run: result.runId, text }));
      stdout.line(last || eventText(finished(result)));
    } else {
      await summarise(result, values.runs);
      for (const [index, text] of result.advice.entries()) stdout.line(`${index === 0 ? "\n" : ""}  ${text}`);
    }
    // A step that was given up may still compute.
    if (result.status === "interrupted") Deno.exit(result.exitCode);
    return result.exitCode;
  } finally {
    progress.close();
    unlisten();
  }
}

/** The last event of a run whose event log could not be written any more. */
function finished({ runId, status, reason, evaluations, findings }: RunResult) {
  return { event: "run_finished", run: runId, status, reason, evaluations, findings };
}

async function summarise(result: RunResult, runs: string | undefined): Promise<void> {
  const { runSummary } = await import("./run_summary.ts");
  const option = runs === undefined ? "" : ` --runs ${shownPath(pathArgument(runs))}`;
  for (const line of runSummary(result, stdout, option)) stdout.line(line);
}

/** A matrix: its runs one after another here, or several at a time in processes of their own. */
async function runAll(
  plans: readonly Plan[],
  strategy: { maxParallel: number; failFast: boolean },
  values: RunValues,
): Promise<number> {
  const { matrixExitCode, runMatrix } = await import("../engine/matrix.ts");
  const { StopControl, listenForSignals } = await import("../engine.ts");
  const { Progress } = await import("./progress.ts");
  const { outlineOf } = await import("./outline.ts");
  const stop = new StopControl(), unlisten = listenForSignals(stop);
  const progress = new Progress(stderr, outlineOf(plans[0]!));
  const { runWorkflowPlan } = await import("../run_workflow.ts");
  const results = await runMatrix(plans, {
    ...strategy,
    run: runWorkflowPlan,
    runsFolder: runsFolder(values.runs),
    projectFolder: PROJECT,
    stop,
    onEvent: (event) => {
      progress.on(event);
      if (values.json) stdout.line(eventText(event));
    },
    inChild: (plan) => inChild(plan, values),
  });
  unlisten();
  progress.close();
  const { writeReport } = await import("../report_run.ts");
  for (const { plan, result, exitCode, started } of results) {
    if (result) await writeReport(result.folder);
    const cell = Object.entries(plan.matrix).map(([k, v]) => `${k}=${v}`).join(" ");
    if (!values.json) {
      stdout.line(
        `${cell}  ${!started ? "not started" : result ? result.status : exitCode === 0 ? "ok" : `exit ${exitCode}`}${
          result ? `  ${result.runId}` : ""
        }`,
      );
    }
  }
  return matrixExitCode(results);
}

/** One plan of a matrix in a process of its own: its resolved workflow as a file. */
async function inChild(plan: Plan, values: RunValues): Promise<number> {
  const { stringifyPlan } = await import("../resolved.ts");
  const file = await Deno.makeTempFile({ prefix: "nonzero-", suffix: ".yaml" });
  await Deno.writeTextFile(file, stringifyPlan(plan));
  const { PERMISSIONS } = await import("./install.ts");
  const child = new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "-q",
      "--no-prompt",
      ...PERMISSIONS,
      new URL("./main.ts", import.meta.url).href,
      "run",
      file,
      ...(values.json ? ["--json"] : []),
      ...(values.runs === undefined ? [] : ["--runs", pathArgument(values.runs)]),
    ],
    env: { INIT_CWD: callerFolder() },
    stdout: "inherit",
    stderr: "inherit",
  }).spawn();
  const { code } = await child.status;
  await Deno.remove(file);
  return code;
}
