/** `run`: plans a workflow, runs it, shows it, and leaves its report. @module */
import { join } from "node:path";
import { isThere } from "../../data/file_system.ts";
import { listenForSignals, StopControl } from "../engine/stop.ts";
import { DEVICES } from "../language/schema.ts";
import type { Plan } from "../plan/plan.ts";
import { eventText } from "../store/events.ts";
import { defineCommand, type Values } from "./command.ts";
import { UsageError } from "../terminal/usage_error.ts";
import { EXIT_TEXT } from "./failures.ts";
import { finishedLine, refusedLine } from "./last_line.ts";
import { pathArgument, PROJECT, runsFolder, shownPath } from "../terminal/paths.ts";
import { newRecord, newSweep } from "../engine/halving.ts";
import { cellName } from "../plan/matrix.ts";
import { commandLine } from "../terminal/command_line.ts";
import { printable, stderr, stdout } from "../terminal/terminal.ts";

const OPTIONS = {
  param: { about: "set a parameter of the workflow, key=value", value: "KEY=VALUE", short: "p", multiple: true },
  device: { about: "where tensors are computed", value: "DEVICE", choices: DEVICES },
  backend: { about: "how ONNX Runtime is called", value: "BACKEND", choices: ["ffi", "napi"] },
  threads: { about: "intra-op threads (default: the machine's cores)", value: "N" },
  seed: { about: "seed of the run", value: "N" },
  cell: { about: "run one cell of the matrix only, counted from 1", value: "N" },
  resume: { about: "continue a run: its id, a unique beginning of it, or last", value: "RUN" },
  "allow-drift": { about: "resume although workflow, threads, versions or CPU differ" },
  "pause-at": { about: "stop after this train step has ended, saved; --resume goes on bit for bit", value: "N" },
  sweep: { about: "set by a matrix for runs that it compares: the name that they share", value: "NAME" },
  trust: { about: "let the workflow do what it says it may, without asking (see --dry-run)" },
  "from-start": { about: "with --resume: begin again; checkpoints and tables are moved aside" },
  scheduled: {
    about: "started by a schedule: due (run if the time has come), or now; the units of cron say so",
    value: "WHEN",
  },
  "dry-run": { about: "print the plan and run nothing" },
  json: { about: "JSON lines on stdout and nothing else; the last is run_finished" },
  runs: { about: "folder of all runs (default: runs/ in the project)", value: "DIR" },
} as const;

type RunValues = Values<typeof OPTIONS>;

export const run = defineCommand({
  about: "Run a workflow file (always a new run, unless resumed)",
  usage: "FILE [options]   |   run --resume RUN",
  words: [0, 1],
  options: OPTIONS,
  notes: [
    `Exit codes: ${EXIT_TEXT}; of a matrix, that of its first run that did not end well. ` +
    "A run that was interrupted or failed says how to go on.",
  ],
  examples: ["mine.yaml -p train_steps=300", "--resume last"],
  jsonRefusal: refusedLine,
  async run([file], values) {
    if (file === undefined && values.resume === undefined) {
      throw new UsageError("Cannot run: no workflow file given; want FILE or --resume RUN");
    }
    refuseIdle(file, values);
    const stop = new StopControl(), unlisten = listenForSignals(stop);
    for (const out of [stdout, stderr]) out.onClosed = () => stop.request("SIGINT");
    try {
      return values.scheduled === undefined
        ? await planAndRun(file, values, stop)
        : await runScheduled(file!, values, values.scheduled, stop);
    } finally {
      unlisten();
    }
  },
});

/** What has no effect together is refused, not ignored. */
function refuseIdle(file: string | undefined, values: RunValues): void {
  const { resume, param, cell, "allow-drift": drift, "from-start": fromStart, scheduled } = values;
  pauseAt(values);
  const idle = values["pause-at"] !== undefined && values["dry-run"]
    ? "--pause-at with --dry-run"
    : scheduled !== undefined && (resume !== undefined || values["dry-run"])
    ? `--scheduled with ${resume !== undefined ? "--resume" : "--dry-run"}`
    : resume === undefined
    ? drift ? "--allow-drift without --resume" : fromStart ? "--from-start without --resume" : null
    : cell !== undefined
    ? "--cell with --resume"
    : param !== undefined && file === undefined
    ? "-p with --resume and without FILE"
    : null;
  if (idle !== null) throw new UsageError(`Cannot use ${idle}: it would have no effect`);
}

/** The train step of `--pause-at`; null without it. */
function pauseAt({ "pause-at": text }: RunValues): number | null {
  if (text !== undefined && !/^[1-9]\d{0,8}$/.test(text)) {
    throw new UsageError(`Cannot read --pause-at: it is "${text}", want a train step: a whole number from 1`);
  }
  return text === undefined ? null : Number(text);
}

/** The keys of run.json that say a schedule has started the run, and what it may do besides what its steps may. */
interface Scheduled {
  readonly manifest: { readonly trigger: "schedule"; readonly scheduled_for: string };
  readonly grants: Parameters<typeof import("./trust.ts").requireTrust>[1]["also"];
}

/** A start by a schedule; a cell of a matrix is told the time by the process that decided. */
async function runScheduled(file: string, values: RunValues, when: string, stop: StopControl): Promise<number> {
  if (/^\d{4}-\d\d-\d\dT[\d:]+Z$/.test(when)) {
    return await planAndRun(file, values, stop, { manifest: { trigger: "schedule", scheduled_for: when }, grants: [] });
  }
  if (when !== "due" && when !== "now") {
    throw new UsageError(`Cannot read --scheduled: it is "${when}", want due | now`);
  }
  const { loadWorkflow } = await import("../language/parse.ts");
  const { STEPS } = await import("../../steps/mod.ts");
  const { notifyGrants } = await import("../cron/notify.ts");
  const { scheduledRun } = await import("../cron/scheduled_run.ts");
  const path = pathArgument(file), runs = runsFolder(values.runs);
  if (!isThere(path)) {
    throw new UsageError(
      `Cannot run ${path} by its schedule: it is not there; if it was moved: ${
        commandLine(["cron", "remove", path, "--target", "TARGET"])
      }, then install it from where it is`,
    );
  }
  const loaded = await loadWorkflow(path, { shown: shownPath(path), kinds: STEPS });
  const { requireWritable } = await import("./writable_folder.ts");
  requireWritable(runs);
  return await scheduledRun({
    loaded,
    file: path,
    runs,
    when,
    now: Temporal.Now.instant(),
    say: (line) => stderr.line(printable(line)),
    start: (manifest, seed) => {
      const own = seed === null || values.seed !== undefined ? {} : { seed: String(seed) };
      const given = { ...values, ...own, scheduled: manifest.scheduled_for };
      return planAndRun(file, given, stop, { manifest, grants: notifyGrants(loaded) });
    },
  });
}

async function planAndRun(
  file: string | undefined,
  values: RunValues,
  stop: StopControl,
  scheduled: Scheduled | null = null,
): Promise<number> {
  const json = values.json ?? false, runs = runsFolder(values.runs);
  const { planFor } = await import("./run_words.ts");
  const matrix = await resumedMatrix(file, values);
  const { plans, resumeId, notes, strategy } = matrix === null
    ? await planFor(file, { ...values, runs })
    : { ...matrix, resumeId: null };
  if (values["dry-run"]) {
    const { printHalving, printPlan } = await import("./plan_text.ts");
    for (const plan of plans) await printPlan(plan, json);
    if (strategy.halving !== null && plans.length > 1) printHalving(strategy.halving, plans, json);
    return 0;
  }
  const { asker, requireTrust, stateFolder } = await import("./trust.ts");
  requireTrust(plans, {
    given: values.trust ?? false,
    folder: stateFolder(),
    ask: json ? null : asker(),
    also: scheduled?.grants ?? [],
  });
  const { requireDevice } = await import("../../gpu/ort/choose_device.ts");
  for (const { settings } of plans) requireDevice(settings);
  const { requireWritable } = await import("./writable_folder.ts");
  requireWritable(runs);
  if (plans.length === 1) {
    const halving = values.sweep === undefined || strategy.halving === null
      ? {}
      : { halving: newRecord(plans[0]!, strategy.halving, values.sweep) };
    return await runOne(
      plans[0]!,
      {
        id: resumeId,
        notes,
        file: resumeId === null ? file! : null,
      },
      values,
      stop,
      { ...scheduled?.manifest, ...halving },
    );
  }
  if (values["pause-at"] !== undefined) {
    throw new UsageError("Cannot use --pause-at with a matrix: want --cell N, or strategy.halving in the file");
  }
  for (const note of notes) stderr.line(printable(note));
  const { runCells } = await import("./run_matrix.ts");
  return await runCells(plans, {
    ...strategy,
    runs,
    json,
    stop,
    childArguments: matrix?.childArguments ?? argumentsAgain(file!, { ...values, json: false, trust: true }),
    sweep: matrix?.sweep ?? newSweep(),
    started: matrix?.started ?? plans.map(() => null),
    ...(scheduled === null ? {} : { manifest: scheduled.manifest }),
  });
}

/** The matrix of compared runs that a run is resumed of; null where a file is given beside it, or it runs by itself. */
async function resumedMatrix(file: string | undefined, { resume, sweep, runs, ...values }: RunValues) {
  const idle = values["from-start"] || values["allow-drift"] || values["pause-at"] !== undefined;
  if (resume === undefined || file !== undefined || sweep !== undefined || idle) return null;
  const { findRun } = await import("../explore/find_run.ts");
  const folder = findRun(resume, runsFolder(runs));
  const { halvedMatrix } = await import("./resume_halving.ts");
  return await halvedMatrix(folder);
}

/** The command line again: for a process that runs one cell, or to be pasted. */
function argumentsAgain(file: string, values: RunValues): string[] {
  const given = Object.entries(values).flatMap(([name, value]) =>
    value === true ? [`--${name}`] : value === false ? [] : [value].flat().map((text) => `--${name}=${text}`)
  );
  return [file, ...given];
}

async function runOne(
  plan: Plan,
  { id: resumeId, notes, file }: {
    readonly id: string | null;
    readonly notes: readonly string[];
    /** As it was given; null for a run that is resumed. */
    readonly file: string | null;
  },
  values: RunValues,
  stop: StopControl,
  manifest: Readonly<Record<string, unknown>>,
): Promise<number> {
  const { Progress } = await import("./progress.ts");
  const { outlineOf } = await import("./outline.ts");
  const { runWorkflowPlan } = await import("../run/run_workflow.ts");
  const { readManifest } = await import("../store/manifest.ts");
  const runs = runsFolder(values.runs);
  const earlier = resumeId === null ? null : readManifest(join(runs, resumeId)).outputs;
  const progress = new Progress(
    stderr,
    outlineOf(plan, earlier),
    values.cell === undefined ? "" : cellName(plan.matrix),
  );
  let last: Readonly<Record<string, unknown>> = {};
  try {
    const result = await runWorkflowPlan(plan, {
      runsFolder: runs,
      projectFolder: PROJECT,
      ...(resumeId === null ? {} : { resume: resumeId }),
      allowDrift: values["allow-drift"] ?? false,
      fromStart: values["from-start"] ?? false,
      manifest,
      ...(values["pause-at"] === undefined ? {} : { pauseAt: pauseAt(values)! }),
      notes,
      stop,
      onEvent: (event) => {
        // How to resume is in the summary.
        if (event.event !== "message" || !/; resume with: /.test(String(event["text"]))) progress.on(event);
        if (event.event === "run_finished") last = event;
        else if (values.json) stdout.json(eventText(event));
      },
    });
    progress.close();
    if (values.json) {
      for (const text of result.advice) stdout.json(eventText({ event: "message", run: result.runId, text }));
      stdout.json(finishedLine(result, last));
    } else {
      const { adviceLines, runSummary } = await import("./run_summary.ts");
      const { scheduled: _, ...typed } = values;
      const again = file === null ? null : commandLine(["run", ...argumentsAgain(file, typed)]);
      for (const line of [...runSummary(result, stdout, again), ...adviceLines(result.advice, stdout)]) {
        stdout.line(line);
      }
    }
    // A step that was given up may still compute. What follows a scheduled run is not waited for.
    if (result.status === "interrupted") Deno.exit(result.exitCode);
    return result.exitCode;
  } finally {
    progress.close();
  }
}
