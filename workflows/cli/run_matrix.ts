/** `run` of a matrix: its cells one after another here, or several at a time in processes of their own. @module */
import { TextLineStream } from "@deno/std/streams/text_line_stream.js";
import { join } from "node:path";
import { messageOf } from "../../data/error_text.ts";
import { openRunFolder } from "../../data/open_run_folder.ts";
import type { RunManifest } from "../../data/run_folder.ts";
import { matrixExitCode, type MatrixRun, runMatrix } from "../engine/matrix.ts";
import type { StopControl } from "../engine/stop.ts";
import type { Plan } from "../plan/plan.ts";
import { preflightOrRefuse } from "../preflight/preflight.ts";
import { runWorkflowPlan } from "../run/run_workflow.ts";
import { eventText } from "../store/events.ts";
import { denoRun } from "./install.ts";
import { type Cell, finishedLine, matrixLine } from "./last_line.ts";
import { outlineOf } from "./outline.ts";
import { callerFolder, PROJECT, shownPath } from "../terminal/paths.ts";
import { Progress } from "./progress.ts";
import { endScores, scoreText } from "./scores.ts";
import { cellName } from "../plan/matrix.ts";
import { printable, stderr, stdout, textTable } from "../terminal/terminal.ts";

/** What `run` was told. */
interface MatrixWords {
  readonly runs: string;
  readonly json: boolean;
  readonly maxParallel: number;
  readonly failFast: boolean;
  readonly stop: StopControl;
  /** Arguments of `run` for a process that runs one cell, without `--cell`. */
  readonly childArguments: readonly string[];
  /** Further keys of each run.json. */
  readonly manifest?: Readonly<Record<string, unknown>>;
}

/** Runs every cell; prints what each came to. Returns the exit code: the first that is not 0. */
export async function runCells(plans: readonly Plan[], words: MatrixWords): Promise<number> {
  for (const plan of plans) await preflightOrRefuse(plan, { runsFolder: words.runs });
  let progress: Progress | null = null;
  /** The last line of each process, by cell. */
  const told = new Map<Plan, Record<string, unknown>>();
  const results = await runMatrix(plans, {
    maxParallel: words.maxParallel,
    failFast: words.failFast,
    runsFolder: words.runs,
    projectFolder: PROJECT,
    stop: words.stop,
    run: async (plan, options) => {
      progress = new Progress(stderr, outlineOf(plan), cellName(plan.matrix));
      try {
        const result = await runWorkflowPlan(plan, { ...options, manifest: words.manifest ?? {} });
        if (words.json) stdout.line(finishedLine(result));
        return result;
      } finally {
        progress.close();
      }
    },
    onEvent: (event) => {
      progress?.on(event);
      if (words.json && event.event !== "run_finished") stdout.line(eventText(event));
    },
    inChild: async (plan, index) => {
      const { code, last } = await runInChild(cellName(plan.matrix), index + 1, words);
      if (last !== null) told.set(plan, last);
      return code;
    },
  });
  const cells = results.map((run) => cellOf(run, told.get(run.plan)));
  if (words.json) stdout.line(matrixLine(cells));
  else for (const line of matrixTable(results, cells, words.runs)) stdout.line(line);
  await tellPage(words, cells.flatMap(({ run }) => run ?? []));
  return matrixExitCode(results);
}

/** The page of the matrix; what goes wrong with it does not change what the runs came to. */
async function tellPage({ runs, json }: MatrixWords, ids: readonly string[]): Promise<void> {
  try {
    const { writeMatrixPage } = await import("./matrix_page.ts");
    const page = await writeMatrixPage(runs, ids);
    if (page !== null && !json) stdout.line(`\n  page    ${shownPath(page)}`);
  } catch (error) {
    stderr.line(`The page of the matrix was not written: ${messageOf(error)}`);
  }
}

function cellOf({ plan, result, exitCode, started }: MatrixRun, told: Record<string, unknown> | undefined): Cell {
  const run = result?.runId ?? (typeof told?.["run"] === "string" ? told["run"] : null);
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
  const reasons = folders.flatMap((folder, i) =>
    folder?.manifest.reason ? [`${rows[i]![0]}: ${printable(folder.manifest.reason)}`] : []
  );
  return [
    "",
    stdout.style(head!, "dim"),
    ...lines.map((line) => line.trimEnd()),
    ...reasons.map((text) => stdout.style(text, "red")),
  ];
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
  { childArguments, json, stop }: MatrixWords,
): Promise<{ code: number; last: Record<string, unknown> | null }> {
  const child = new Deno.Command(Deno.execPath(), {
    args: denoRun("workflows/cli/main.ts", [
      "run",
      ...childArguments,
      ...(json ? [] : ["--json"]),
      "--cell",
      `${cell}`,
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
