/** Writes the page of a matrix: what its cells came to over its parameters, the best, and the curves of all. @module */
import { join } from "node:path";
import { openRunFolder } from "../../data/open_run_folder.ts";
import { renderComparison } from "../../notebooks/pages/compare.ts";
import { bestOf, type Combination, methodAxes, type SweepAxes, type SweepPoint } from "../../notebooks/sweep_points.ts";
import { isError } from "../../data/severity.ts";
import { shownNumber } from "../../data/shown_number.ts";
import { moments } from "../../data/statistics/mod.ts";
import { LAST, valueAt } from "../engine/halving.ts";
import { Comparison } from "../explore/compare.ts";
import { comparisonData } from "../explore/comparison_page.ts";
import { openRun } from "../explore/open.ts";
import type { Run } from "../explore/run.ts";
import type { HalvingPlan } from "../plan/halving.ts";
import { cellName } from "../plan/matrix.ts";
import { writeFileAtomic } from "../store/write_file.ts";
import type { Cell } from "./last_line.ts";
import { notStartedText } from "./not_started.ts";
import { endScores } from "./scores.ts";

/** How runs end that have come to what they would come to; of the others a score says nothing. */
const ENDED = ["ok", "pruned"];

/** What the axes of a matrix mean, and how its runs were compared. */
interface MatrixMeaning extends SweepAxes {
  readonly halving: Pick<HalvingPlan, "metric" | "mode"> | null;
  /** Whether a run that does not end well keeps others from starting. */
  readonly failFast: boolean;
}

interface Score {
  readonly name: string;
  readonly value: number;
}

/** All cells of a matrix in their order; their runs are in `runs`. Returns the page's path; null where fewer than two ran. */
export async function writeMatrixPage(
  runs: string,
  cells: readonly Cell[],
  meaning: MatrixMeaning,
): Promise<string | null> {
  const ids = cells.flatMap(({ run }) => run ?? []);
  if (ids.length < 2) return null;
  const { halving } = meaning, axes = withSeed(meaning);
  const opened = new Map(await Promise.all(ids.map(async (id) => [id, await openRun(join(runs, id))] as const)));
  const runOf = ({ run }: Cell) => run === null ? undefined : opened.get(run);
  const scores = cells.map((cell) => {
    const run = runOf(cell);
    if (run === undefined || !ENDED.includes(cell.status)) return null;
    return halving === null ? scoreOf(run) : comparedScore(join(runs, run.manifest!.id), halving.metric);
  });
  const named = scores.find((score) => score !== null)?.name ?? "reward";
  const points = cells.map((cell, i): SweepPoint => {
    const manifest = runOf(cell)?.manifest;
    return {
      cell: cell.matrix,
      run: cell.run,
      status: cell.status,
      ...manifest ? { seed: manifest.seed } : {},
      score: scores[i]?.name === named ? scores[i]!.value : null,
      pruned: cell.status === "pruned" ? manifest!.train_step : null,
    };
  });
  const found = bestOf(points, axes, halving?.mode ?? "max");
  const page = await renderComparison({
    ...comparisonData(new Comparison([...opened.values()])),
    sweep: {
      points,
      score: named,
      axes,
      best: found === null ? null : bestText(found, cells.map(runOf), named, halving),
      notes: notesOf(points, axes, notStartedText(cells, meaning.failFast)),
    },
  });
  // Beside the runs and named as its first: a matrix has no folder of its own.
  const path = join(runs, `${ids[0]}-matrix.html`);
  writeFileAtomic(path, new TextEncoder().encode(page));
  return path;
}

/** An axis called seed is one, whatever looks it up. */
function withSeed({ seeds, unread }: SweepAxes): SweepAxes {
  return { seeds: [...new Set([...seeds, "seed"])], unread };
}

/** What a run is judged by: how its last evaluation ended, else its mean reward at the end. */
function scoreOf({ manifest, tables }: Run): Score | null {
  const { after } = endScores(manifest!.evaluations);
  if (after !== null) return { name: `${after.id}.${after.mode}`, value: after.value };
  const { metrics } = tables, names = metrics.columnNames();
  const column = ["reward", "preference_accuracy"].find((name) => names.includes(name));
  if (column === undefined) return null;
  // A value that is not finite is no end: what was measured before it would stand for the run.
  const told = Array.from(metrics.array(column) as ArrayLike<number | null>).filter((value) => value !== null);
  const { mean } = moments(told.slice(-LAST));
  return Number.isFinite(mean) ? { name: column, value: mean } : null;
}

/** Runs that were compared on their way are judged by what they were compared by, as far as each has come. */
function comparedScore(folder: string, metric: string): Score | null {
  const run = openRunFolder(folder);
  if (
    run.manifest.train_step === 0 ||
    run.table(metric.startsWith("metrics.") ? "metrics" : "evaluations").numRows() === 0
  ) {
    return null;
  }
  const value = valueAt(run, metric, run.manifest.train_step);
  return Number.isFinite(value) ? { name: metric.replace("metrics.", ""), value } : null;
}

function bestText(
  { best, alike }: NonNullable<ReturnType<typeof bestOf>>,
  runs: readonly (Run | undefined)[],
  name: string,
  halving: MatrixMeaning["halving"],
): string {
  const { scores, score, cell, members } = best;
  const how = name.includes(".") ? "" : ` at the end (mean of the last ${LAST} train steps)`;
  const over = scores.length > 1
    ? `, mean of ${scores.length} seeds (${shownNumber(Math.min(...scores))} to ${shownNumber(Math.max(...scores))})`
    : ", one seed";
  const ids = members.map((i) => runs[i]!.manifest!.id), lowest = halving?.mode === "min" ? ", the lowest" : "";
  const where = `${ids.length > 1 ? "runs" : "run"} ${ids.join(", ")}`;
  return `${cellName(cell)}: ${name} ${shownNumber(score!)}${how}${lowest}${over}; ${where}${
    alikeText(alike, scores.length)
  }${doubts(members.map((i) => runs[i]!))}`;
}

/** A high score may be worth nothing: errors that were found in the runs. */
function doubts(runs: readonly Run[]): string {
  const found = runs.flatMap(({ manifest }) => manifest!.findings.filter(({ severity }) => isError(severity)));
  const causes = [...new Set(found.map(({ cause }) => String(cause)))];
  return causes.length === 0 ? "" : `. Look at its findings before you trust it: ${causes.join(", ")}`;
}

/** Which others are not told from the best. */
function alikeText(alike: readonly Combination[], seeds: number): string {
  if (alike.length === 0) return seeds > 1 ? "" : ". One seed tells little: give the matrix an axis for it";
  const names = alike.slice(0, 3).map(({ cell, score }) => `${cellName(cell)} (${shownNumber(score!)})`).join(", ");
  const more = alike.length > 3 ? ` and ${alike.length - 3} more` : "";
  return `. Not told from it${seeds > 1 ? " by these seeds" : ""}: ${names}${more}`;
}

function notesOf(points: readonly SweepPoint[], axes: SweepAxes, notStarted: string | null): string[] {
  const idle = axes.unread.filter((axis) => new Set(points.map(({ cell }) => String(cell[axis]))).size > 1);
  return [
    ...idle.map((axis) =>
      `Nothing in the workflow looks up the matrix axis "${axis}": runs that differ by it alone are the same run again.` +
      (methodAxes(points, axes).length === 0 ? " None of them is the best." : "")
    ),
    ...points.some(({ score }) => score === null)
      ? ["Only runs that went to their end have a score, and pruned ones, as far as they came."]
      : [],
    ...notStarted === null ? [] : [`${notStarted}.`],
  ];
}
