/** `run`: plans a workflow, runs it, shows it, and leaves its report. @module */
import { join } from "node:path";
import { listenForSignals, StopControl } from "../engine/stop.ts";
import type { RunEvent, RunResult } from "../engine.ts";
import type { Plan } from "../plan.ts";
import { eventText } from "../store/events.ts";
import { defineCommand, UsageError, type Values } from "./command.ts";
import { finishedLine, refusedLine } from "./last_line.ts";
import { pathArgument, PROJECT, runsFolder, shownPath } from "./paths.ts";
import { stderr, stdout } from "./terminal.ts";

const OPTIONS = {
  param: { about: "set a parameter of the workflow, key=value", value: "KEY=VALUE", short: "p", multiple: true },
  device: { about: "where tensors are computed", value: "DEVICE", choices: ["auto", "cpu", "cuda"] },
  backend: { about: "how ONNX Runtime is called", value: "BACKEND", choices: ["ffi", "napi"] },
  threads: { about: "intra-op threads (default: the machine's cores)", value: "N" },
  seed: { about: "seed of the run", value: "N" },
  cell: { about: "run one cell of the matrix only, counted from 1", value: "N" },
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
    "Exit codes: 0 ok · 1 a step failed · 2 usage or invalid file · 3 stopped by a finding · 75 the run is locked · " +
    "130 interrupted (SIGINT) · 143 terminated (SIGTERM). An interrupted run says how to resume.",
    "Examples:",
    "  deno task run mine.yaml -p train_steps=300",
    "  deno task run --resume last",
  ],
  jsonRefusal: refusedLine,
  async run([file], values) {
    if (file === undefined && values.resume === undefined) {
      throw new UsageError("Cannot run: no workflow file given; want FILE or --resume RUN");
    }
    const stop = new StopControl(), unlisten = listenForSignals(stop);
    for (const out of [stdout, stderr]) out.onClosed = () => stop.request("SIGINT");
    try {
      return await planAndRun(file, values, stop);
    } finally {
      unlisten();
    }
  },
});

async function planAndRun(file: string | undefined, values: RunValues, stop: StopControl): Promise<number> {
  const json = values.json ?? false, runs = runsFolder(values.runs);
  const { planFor } = await import("./run_plan.ts");
  const { plans, resumeId, strategy } = await planFor(file, { ...values, runs });
  if (values["dry-run"]) {
    const { printPlan } = await import("./plan_text.ts");
    for (const plan of plans) await printPlan(plan, json);
    return 0;
  }
  const { requireDevice } = await import("../device.ts");
  for (const { settings } of plans) requireDevice(settings);
  const { requireWritable } = await import("./writable_folder.ts");
  requireWritable(runs);
  if (plans.length === 1) return await runOne(plans[0]!, resumeId, values, stop);
  const { runCells } = await import("./run_matrix.ts");
  return await runCells(plans, { ...strategy, runs, json, stop, childArguments: argumentsAgain(file!, values) });
}

/** The command line again, for a process that runs one cell. */
function argumentsAgain(file: string, values: RunValues): string[] {
  const given = Object.entries(values).flatMap(([name, value]) =>
    value === true ? [`--${name}`] : value === false ? [] : [value].flat().map((text) => `--${name}=${text}`)
  );
  return [file, ...given];
}

async function runOne(
  plan: Plan,
  resumeId: string | null,
  values: RunValues,
  stop: StopControl,
): Promise<number> {
  const { Progress } = await import("./progress.ts");
  const { outlineOf } = await import("./outline.ts");
  const { runWorkflowPlan } = await import("../run_workflow.ts");
  const { readManifest } = await import("../store/manifest.ts");
  const runs = runsFolder(values.runs);
  const earlier = resumeId === null ? null : readManifest(join(runs, resumeId)).outputs;
  const progress = new Progress(stderr, outlineOf(plan, earlier));
  let last: Readonly<Record<string, unknown>> = {};
  try {
    const result = await runWorkflowPlan(plan, {
      runsFolder: runs,
      projectFolder: PROJECT,
      ...(resumeId === null ? {} : { resume: resumeId }),
      allowDrift: values["allow-drift"] ?? false,
      stop,
      onEvent: (event) => {
        if (!saysHowToResume(event)) progress.on(event);
        if (event.event === "run_finished") last = event;
        else if (values.json) stdout.line(eventText(event));
      },
    });
    progress.close();
    if (values.json) {
      for (const text of result.advice) stdout.line(eventText({ event: "message", run: result.runId, text }));
      stdout.line(finishedLine(result, last));
    } else {
      await summarise(result, result.advice, values.runs);
    }
    // A step that was given up may still compute.
    if (result.status === "interrupted") Deno.exit(result.exitCode);
    return result.exitCode;
  } finally {
    progress.close();
  }
}

/** The summary says it too, with the folder of the runs. */
function saysHowToResume({ event, text }: RunEvent): boolean {
  return event === "message" && /resume with: deno task run .* --resume /.test(String(text));
}

async function summarise(result: RunResult, advice: readonly string[], runs: string | undefined): Promise<void> {
  const { adviceLines, runSummary } = await import("./run_summary.ts");
  const option = runs === undefined ? "" : ` --runs ${shownPath(pathArgument(runs))}`;
  for (const line of [...runSummary(result, stdout, option), ...adviceLines(advice, stdout)]) stdout.line(line);
}
