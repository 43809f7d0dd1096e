/** Writes the report of a run folder and its chart specifications, whatever its status. @module */
import { join } from "node:path";
import { CHARTS } from "../../notebooks/charts/mod.ts";
import { chartSpec } from "../../notebooks/draw.ts";
import type { Chart, ChartTables, Row } from "../../notebooks/charts/chart.ts";
import { chooseSource } from "../../notebooks/choose_source.ts";
import { beforeAfter } from "../../notebooks/pictures/before_after.ts";
import type { ReportFinding } from "../../notebooks/pages/findings.ts";
import { renderReport, type ReportData } from "../../notebooks/pages/report.ts";
import { openRunFolder, type RunFolder } from "../../data/open_run_folder.ts";
import { shownNumber } from "../../data/shown_number.ts";
import { byStep, evenly } from "../../notebooks/charts/step_rows.ts";
import { EVALUATION_MODES, EVALUATION_REWARDS, evaluationLabel, RUN_FILES, secondsOf } from "../../data/run_folder.ts";
import { reportRows, sampleRows, samplingRows } from "../../steps/metrics/report_rows.ts";
import { cellName } from "../plan/matrix.ts";
import { chartTables } from "./chart_tables.ts";
import { boxUnitOfRun } from "./box_unit.ts";
import { rewardNotes } from "./reward_notes.ts";
import { embeddedImages } from "./run_images.ts";
import { storedFindings } from "./stored_findings.ts";
import { reasonOf, writeFileAtomic } from "../store/write_file.ts";

const SHOWN_COMPLETIONS = 12; // Completions in the report: a few groups of the last train step.

/**
 * Writes report.html and charts/*.vl.json, one for each chart that has values; returns the path of the page. `live` is a page
 * with a program inside. What cannot be read is left out, and the page says so.
 */
export async function writeReport(folder: string, { live = true, read = readReport } = {}): Promise<string> {
  const lost: string[] = [];
  const run = openRunFolder(folder, (text) => lost.push(text.replace(`${folder}/`, "")));
  const whole = read(run), reasons = [...whole.reason ? [whole.reason] : [], ...new Set(lost)];
  const data = lost.length === 0 ? whole : { ...whole, reason: reasons.join(". ") };
  const page = join(folder, RUN_FILES.report);
  const encoder = new TextEncoder();
  writeFileAtomic(page, encoder.encode(await renderReport(data, { live })));
  Deno.mkdirSync(join(folder, RUN_FILES.charts), { recursive: true });
  for (const [name, chart] of Object.entries<Chart>(CHARTS)) {
    if (chooseSource(chart, data.tables) === null) continue;
    const text = JSON.stringify(chartSpec(chart, data.tables));
    writeFileAtomic(join(folder, RUN_FILES.charts, `${name}.vl.json`), encoder.encode(text));
  }
  return page;
}

/** What the report shows of a run. */
export function readReport(run: RunFolder): ReportData {
  const { manifest } = run;
  const sampling = samplingRows(run.table("settings")),
    workflow = workflowText(run.path),
    boxUnit = boxUnitOfRun(run.path);
  const completions = run.lastSegment("completions");
  const rows = lastTrainStep(sampleRows(completions, completions.numRows()));
  return {
    name: manifest.name,
    about: manifest.about,
    runId: manifest.id,
    status: run.unknown.has("status") ? "damaged" : manifest.status,
    ...(manifest.reason ? { reason: manifest.reason } : {}),
    facts: facts(run),
    evaluations: measured(endsOf(manifest.evaluations)),
    rewarded: rewardedEvaluations(run),
    rewardNotes: rewardNotes(workflow),
    outputs: Object.entries(manifest.outputs).flatMap(([step, outputs]) => {
      const text = outputsText(outputs);
      return text === "" ? [] : [{ step, text }];
    }),
    findings: storedFindings(run).map(finding),
    cannotTell: manifest.verdict?.verdict === "insufficient" || run.unknown.has("findings"),
    // All of them here, not when they are drawn: what cannot be read is told on the page.
    tables: withoutLoneGroups({ ...chartTables(run) }, sampling),
    completions: someGroups(rows),
    stepCompletions: stepCompletions(run),
    images: embeddedImages([run.path]),
    boxUnit,
    beforeAfter: beforeAfter(reportRows(run.someOf("evaluations", isEvaluated, MOST_BYTES)), boxUnit),
    sampling,
    workflow,
    versions: manifest.versions,
  };
}

/** A group of one completion has no spread to lack: a line at 0 would say that all groups have some. */
function withoutLoneGroups(tables: ChartTables, sampling: ReportData["sampling"]): ChartTables {
  const isAlone = sampling.some(({ name, value }) => name === "group_size" && value === "1");
  if (!isAlone || !tables.metrics) return tables;
  return { ...tables, metrics: tables.metrics.map((row) => ({ ...row, zero_spread_fraction: null })) };
}

/** `n 8, best 0.6833`: numbers of four digits and words, no paths. */
function outputsText(outputs: Readonly<Record<string, unknown>>): string {
  return Object.entries(outputs).filter(([, value]) => value !== null && !/[\\/]/.test(String(value)))
    .map(([name, value]) => `${name} ${typeof value === "number" ? shownNumber(value) : value}`)
    .join(", ");
}

function workflowText(folder: string): string {
  try {
    return Deno.readTextFileSync(join(folder, RUN_FILES.workflow));
  } catch (error) {
    return `# ${RUN_FILES.workflow} cannot be read: ${reasonOf(error)}\n`;
  }
}

function facts({ manifest: m, unknown }: RunFolder): Record<string, string> {
  const seconds = secondsOf(m), cell = cellName(m.matrix);
  const params = Object.entries(m.params).map(([name, value]) => `${name} ${value}`).join(", ");
  return {
    run: m.id,
    ...(cell ? { cell } : {}),
    ...(unknown.has("seed") ? {} : { seed: String(m.seed) }),
    ...(unknown.has("threads")
      ? {}
      : { device: `${m.device}, ${m.backend}, ${m.threads} thread${m.threads === 1 ? "" : "s"}` }),
    "train steps": String(m.train_step),
    started: `${m.created.slice(0, 19).replace("T", " ")} UTC`,
    ...(seconds === null
      ? {}
      : { time: seconds < 100 ? `${seconds.toFixed(1)} s` : `${(seconds / 60).toFixed(1)} min` }),
    ...(params ? { parameters: params } : {}),
  };
}

/**
 * "before" comes first and "after" last. Only these where there are both: evaluations during the run are in the charts.
 */
function endsOf<T>(evaluations: Readonly<Record<string, T>>): [string, T][] {
  const rank = (id: string) => id === "before" ? 0 : id === "after" ? 2 : 1;
  const all = Object.entries(evaluations).sort(([a], [b]) => rank(a) - rank(b));
  const ends = all.filter(([id]) => id === "before" || id === "after");
  return ends.length === 2 ? ends : all;
}

/** The shares of solved prompts; where no verifier judged any, the mean rewards. */
function measured(
  ends: readonly (readonly [string, Readonly<Record<string, unknown>>])[],
): ReportData["evaluations"] {
  const of = (column: (mode: (typeof EVALUATION_MODES)[number]) => string) =>
    ends.flatMap(([id, outputs]) =>
      EVALUATION_MODES.flatMap((mode) => {
        const value = outputs[column(mode)];
        return typeof value === "number" ? [{ id: evaluationLabel(id, outputs), mode, value }] : [];
      })
    );
  const shares = of((mode) => mode);
  if (shares.length > 0) return shares;
  return of((mode) => EVALUATION_REWARDS[mode]).map((one) => ({ ...one, isReward: true }));
}

const isRewarded = (column: string) =>
  ["train_step", "step_id", "mode", "reward"].includes(column) || column.startsWith("reward.");

/** The rows of the evaluations that the report shows, each the last time it ran. */
function rewardedEvaluations(run: RunFolder): ReportData["rewarded"] {
  const rows = reportRows(run.someOf("evaluations", isRewarded, Infinity));
  const ends = endsOf(run.manifest.evaluations);
  return EVALUATION_MODES.flatMap((mode) =>
    ends.flatMap(([id, outputs]) => {
      const own = lastTrainStep(rows.filter((row) => row["mode"] === mode && row["step_id"] === id));
      return own.length === 0 ? [] : [{ id: evaluationLabel(id, outputs), mode, rows: own }];
    })
  );
}

function finding(row: Readonly<Record<string, unknown>>): ReportFinding {
  return {
    cause: String(row["cause"]),
    severity: String(row["severity"]),
    message: String(row["message"]),
    hint: String(row["hint"]),
    codes: list(row["codes"]) as string[],
    train_steps: list(row["train_steps"]) as number[],
    evidence: list(row["evidence"]),
    ruled_out: list(row["ruled_out"]) as { cause: string; why: string }[],
    ...(row["at_end"] === false ? { at_end: false } : {}),
  };
}

function list(value: unknown): unknown[] {
  const read: unknown = typeof value === "string" ? JSON.parse(value) : value;
  return Array.isArray(read) ? read : [];
}

function lastTrainStep(rows: readonly Row[]): Row[] {
  const last = rows.reduce((most, row) => Math.max(most, Number(row["train_step"])), 0);
  return rows.filter((row) => row["train_step"] === last);
}

/** Train steps whose completions a page has, completions of each, bytes that are read for them. */
const MOST_STEPS = 40, MOST_ROWS = 12, MOST_BYTES = 16 * 2 ** 20;
const SHOWN = new Set(
  ["train_step", "prompt", "text", "answer", "reward", "advantage", "correct", "completion_tokens", "truncated"],
);
const isShown = (column: string) => SHOWN.has(column) || column.startsWith("reward.");

/** What pictures of evaluations are made of. */
const EVALUATED = new Set(["train_step", "step_id", "mode", "prompt", "answer", "text", "correct"]);
const isEvaluated = (column: string) => EVALUATED.has(column);

/** A few completions of train steps from all over the run. */
function stepCompletions(run: RunFolder): Row[] {
  const rows = reportRows(run.someOf("completions", isShown, MOST_BYTES));
  const steps = evenly(byStep(rows), MOST_STEPS);
  return steps.flatMap(([, members]) => members.slice(0, MOST_ROWS));
}

/** Four rows of each of the first groups, so that a page shows several prompts. */
function someGroups(rows: readonly Row[]): Row[] {
  const groups = Map.groupBy(rows, (row) => row["prompt_id"]);
  return [...groups.values()].flatMap((group) => group.slice(0, 4)).slice(0, SHOWN_COMPLETIONS);
}
