/** `run` of a matrix: its cells one after another here, or several at a time in processes of their own. @module */
import { TextLineStream } from "@deno/std/streams/text_line_stream.js";
import { join } from "node:path";
import { messageOf } from "../../data/error_text.ts";
import { openRunFolder } from "../../data/open_run_folder.ts";
import type { RunManifest } from "../../data/run_folder.ts";
import { type Rung, runHalving, shownValue } from "../engine/halving.ts";
import { type Leg, matrixExitCode, type MatrixOptions, type MatrixRun, runMatrix } from "../engine/matrix.ts";
import type { StopControl } from "../engine/stop.ts";
import type { Plan } from "../plan/plan.ts";
import { preflightOrRefuse } from "../preflight/preflight.ts";
import { runWorkflowPlan } from "../run/run_workflow.ts";
import { eventText } from "../store/events.ts";
import { denoRun } from "./install.ts";
import { type Cell, finishedLine, matrixLine } from "./last_line.ts";
import { advisedOnLoss } from "./lost_rows.ts";
import { outlineOf } from "./outline.ts";
import { resumeCommand } from "../terminal/command_line.ts";
import { callerFolder, PROJECT, shownPath } from "../terminal/paths.ts";
import { Progress } from "./progress.ts";
import { notStartedText } from "./not_started.ts";
import { endScores, scoreText } from "./scores.ts";
import type { HalvingPlan } from "../plan/halving.ts";
import { cellName, unreadAxes } from "../plan/matrix.ts";
import { readManifest } from "../store/manifest.ts";
import { printable, stderr, stdout, textTable } from "../terminal/terminal.ts";

/** What `run` was told. */
interface MatrixWords {
  readonly runs: string;
  readonly json: boolean;
  readonly maxParallel: number;
  readonly failFast: boolean;
  readonly stop: StopControl;
  /** How runs are compared on the way; null where they are not. */
  readonly halving: HalvingPlan | null;
  /** Axes of the matrix that are seeds. */
  readonly seeds: readonly string[];
  /** The name that runs which are compared share. */
  readonly sweep: string;
  /** Ids of the runs that are there already, by cell. */
  readonly started: readonly (string | null)[];
  /** Arguments of `run` for a process that runs one cell, without `--cell`. */
  readonly childArguments: readonly string[];
  /** Further keys of each run.json. */
  readonly manifest?: Readonly<Record<string, unknown>>;
}

/** Runs every cell; prints what each came to. Returns the exit code: the first that is not 0. */
export async function runCells(plans: readonly Plan[], words: MatrixWords): Promise<number> {
  for (const plan of plans) await preflightOrRefuse(plan, { runsFolder: words.runs });
  const crowd = crowdNote(plans, words.maxParallel, navigator.hardwareConcurrency);
  if (crowd !== null) stderr.line(crowd);
  let progress: Progress | null = null;
  /** The last line of each process, by cell. */
  const told = new Map<Plan, Record<string, unknown>>();
  const options: MatrixOptions = {
    maxParallel: words.maxParallel,
    failFast: words.failFast,
    runsFolder: words.runs,
    projectFolder: PROJECT,
    stop: words.stop,
    run: async (plan, options) => {
      const earlier = options.resume === undefined ? null : readManifest(join(words.runs, options.resume)).outputs;
      progress = new Progress(stderr, outlineOf(plan, earlier), cellName(plan.matrix));
      try {
        const result = await runWorkflowPlan(plan, {
          ...options,
          manifest: { ...words.manifest, ...options.manifest },
        });
        if (words.json) stdout.json(finishedLine(result));
        return result;
      } finally {
        progress.close();
      }
    },
    onEvent: (event) => {
      progress?.on(event);
      if (words.json && event.event !== "run_finished") stdout.json(eventText(event));
    },
    inChild: async (plan, index, leg) => {
      const { code, last } = await runInChild(cellName(plan.matrix), index + 1, leg, words);
      if (last !== null) told.set(plan, last);
      return code;
    },
  };
  const { halving, runs } = words;
  const results = halving === null
    ? await runMatrix(plans, options)
    : await advisedOnLoss(runs, () =>
      runHalving(plans, halving, {
        ...options,
        started: words.started,
        sweep: words.sweep,
        idOf: (index) => idTold(told.get(plans[index]!)),
        onRung: (rung) => tellRung(rung, plans, words),
      }));
  const cells = results.map((run) => cellOf(run, told.get(run.plan), words));
  if (words.halving !== null) await reportPruned(words.runs, cells);
  if (words.json) stdout.json(matrixLine(cells));
  else for (const line of [...matrixTable(results, cells, words.runs), ...goOn(cells, words)]) stdout.line(line);
  const notStarted = words.json ? null : notStartedText(cells, words.failFast);
  if (notStarted !== null) stdout.line(notStarted);
  await tellPage(words, cells, plans);
  return matrixExitCode(results, words.stop.requested, cells.every(({ status }) => hasEnded(status)));
}

/** Whether nothing is left of a cell to run: one that waits for the others has come to no end. */
const hasEnded = (status: string) => !["not started", "running", "paused", "interrupted"].includes(status);

/** What runs that are under way together do to each other where they have more threads than there are cores. */
export function crowdNote(plans: readonly Plan[], maxParallel: number, cores: number): string | null {
  const most = Math.min(maxParallel, plans.length);
  const threads = Math.max(
    ...plans.map(({ settings }) => settings.threads ?? (settings.deterministic ? 1 : cores)),
  );
  if (most < 2 || most * threads <= cores) return null;
  return `${most} runs at a time with ${threads} threads each, on ${cores} cores: they wait for each other; ` +
    `want threads: ${Math.max(1, Math.floor(cores / most))}, or a smaller max-parallel`;
}

/** How runs go on that were stopped while they were compared: all of them by any of them. */
function goOn(cells: readonly Cell[], { halving, runs, stop }: MatrixWords): string[] {
  const waiting = cells.find(({ run, status }) => run !== null && (status === "paused" || status === "interrupted"));
  if (halving === null || waiting === undefined || !stop.requested) return [];
  return ["", `  resume  ${resumeCommand(join(runs, waiting.run!))}   (all runs of the matrix)`];
}

/** The page of the matrix; what goes wrong with it does not change what the runs came to. */
async function tellPage(
  { runs, json, seeds, halving, failFast }: MatrixWords,
  cells: readonly Cell[],
  plans: readonly Plan[],
): Promise<void> {
  try {
    const { writeMatrixPage } = await import("./matrix_page.ts");
    const page = await writeMatrixPage(runs, cells, { seeds, unread: unreadAxes(plans), halving, failFast });
    if (page !== null && !json) stdout.line(`\n  page    ${shownPath(page)}`);
  } catch (error) {
    stderr.line(`The page of the matrix was not written: ${messageOf(error)}`);
  }
}

function idTold(told: Record<string, unknown> | undefined): string | null {
  return typeof told?.["run"] === "string" ? told["run"] : null;
}

function cellOf(
  { plan, result, exitCode, started, runId }: MatrixRun,
  told: Record<string, unknown> | undefined,
  { halving, runs }: MatrixWords,
): Cell {
  const run = runId ?? idTold(told);
  // What a comparison has made of a run is told by its folder alone.
  if (halving !== null && run !== null) {
    return { matrix: plan.matrix, run, status: readManifest(join(runs, run)).status };
  }
  const status = !started
    ? "not started"
    : result?.status ?? (typeof told?.["status"] === "string" ? told["status"] : exitCode === 0 ? "ok" : "failed");
  return { matrix: plan.matrix, run, status };
}

/** One row per cell with what its evaluations came to, and below why a cell did not end well. */
function matrixTable(results: readonly MatrixRun[], cells: readonly Cell[], runs: string): string[] {
  const folders = cells.map(({ run }) => run === null ? null : openRunFolder(join(runs, run)));
  const rows = results.map(({ plan }, i) => {
    const { before, after } = endScores(folders[i]?.manifest.evaluations ?? {});
    const { run, status } = cells[i]!;
    const scores = [scoreText(before, "before"), scoreText(after, "after")];
    return [cellName(plan.matrix), status, ...scores, run ?? "", worstOf(folders[i]?.manifest.findings ?? [])];
  });
  const [head, ...lines] = textTable(["cell", "status", "before", "after", "run", "finding"], rows);
  // Seeds that were judged together have one reason.
  const told = cells.keys().filter((i) => folders[i]?.manifest.reason);
  const reasons = [...Map.groupBy(told, (i) => folders[i]!.manifest.reason!)].map(([reason, alike]) =>
    stdout.style(
      `${alike.map((i) => rows[i]![0]).join(", ")}: ${printable(reason)}`,
      ["pruned", "paused"].includes(cells[alike[0]!]!.status) ? "dim" : "red",
    )
  );
  return ["", stdout.style(head!, "dim"), ...lines.map((line) => line.trimEnd()), ...reasons];
}

/** How the runs came out where they were compared, best first. */
function tellRung({ trainStep, ranked, kept }: Rung, plans: readonly Plan[], { halving, json }: MatrixWords): void {
  const rows = ranked.map(({ cells, value }, i) => ({
    cells: cells.map((cell) => plans[cell]!.matrix),
    value: Number.isFinite(value) ? value : null,
    went_on: i < kept,
  }));
  const { metric, mode } = halving!;
  if (json) return stdout.json(eventText({ event: "rung", train_step: trainStep, metric, mode, ranked: rows }));
  const head = `After train step ${trainStep}, by ${metric} (${mode}): ${kept} of ${ranked.length} go on`;
  stdout.line(`\n${stdout.style(head, "bold")}`);
  const lines = textTable(
    ["", "", ""],
    ranked.map(({ cells, value }, i) => [
      `  ${groupName(cells.map((cell) => plans[cell]!.matrix))}`,
      shownValue(value),
      i < kept ? "goes on" : "stops here",
    ]),
  ).slice(1);
  lines.forEach((line, i) => stdout.line(i < kept ? line : stdout.style(line, "dim")));
}

/** What the cells of a group have in common, and how many they are. */
function groupName([first, ...more]: readonly Plan["matrix"][]): string {
  const same = Object.fromEntries(
    Object.entries(first!).filter(([axis, value]) => more.every((other) => other[axis] === value)),
  );
  return more.length === 0 ? cellName(first!) : `${cellName(same)} (mean of ${more.length + 1} seeds)`;
}

/** The report of a run that was left behind said that it waits. */
async function reportPruned(runs: string, cells: readonly Cell[]): Promise<void> {
  const { writeReport } = await import("../run/write_report.ts");
  for (const { run, status } of cells) if (run !== null && status === "pruned") await writeReport(join(runs, run));
}

/** A cell that ended well may be worth nothing: its worst finding, with how bad that is; the list has the worst first. */
function worstOf(findings: RunManifest["findings"]): string {
  const worst = findings.find(({ severity }) => severity !== "info");
  return worst === undefined ? "" : printable(`${worst["severity"]}: ${worst["cause"]}`);
}

/**
 * One cell in a process of its own. What it prints is passed on line by line, so that lines of two never mix; its events
 * are heard in any case, for they say which run it was.
 */
async function runInChild(
  name: string,
  cell: number,
  { resume, pauseAt }: Leg,
  { childArguments, halving, json, runs, stop, sweep }: MatrixWords,
): Promise<{ code: number; last: Record<string, unknown> | null }> {
  const child = new Deno.Command(Deno.execPath(), {
    args: denoRun("workflows/cli/main.ts", [
      "run",
      ...resume === undefined
        ? [...childArguments, "--cell", `${cell}`]
        : ["--resume", resume, "--runs", runs, "--trust"],
      "--json",
      ...(halving === null ? [] : ["--sweep", sweep]),
      ...(pauseAt === undefined ? [] : ["--pause-at", `${pauseAt}`]),
    ]),
    env: { INIT_CWD: callerFolder() },
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const pass = () => child.kill(stop.requested ?? "SIGTERM");
  stop.signal.addEventListener("abort", pass);
  let last: Record<string, unknown> | null = null;
  const [{ code }] = await Promise.all([
    child.status,
    eachLine(child.stdout, (line) => {
      if (json) stdout.line(line);
      const said = line.startsWith("{") ? JSON.parse(line) as Record<string, unknown> : null;
      if (said?.["event"] === "run_finished") last = said;
    }),
    eachLine(child.stderr, (line) => {
      if (line) stderr.line(`[${name}] ${line}`);
    }),
  ]);
  stop.signal.removeEventListener("abort", pass);
  return { code, last };
}

async function eachLine(stream: ReadableStream<Uint8Array<ArrayBuffer>>, take: (line: string) => void): Promise<void> {
  const lines: TransformStream<string, string> = new TextLineStream();
  for await (const line of stream.pipeThrough(new TextDecoderStream()).pipeThrough(lines)) take(line);
}
