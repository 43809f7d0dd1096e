/** Writes the page of a matrix: what its cells came to over its parameters, the best, and the curves of all. @module */
import { join } from "node:path";
import { renderComparison } from "../../notebooks/pages/compare.ts";
import type { SweepPoint } from "../../notebooks/sweep.ts";
import { Comparison } from "../explore/compare.ts";
import { comparisonData } from "../explore/comparison_page.ts";
import { openRun } from "../explore/open.ts";
import type { Run } from "../explore/run.ts";
import { cellName } from "../plan/matrix.ts";
import { writeFileAtomic } from "../store/write_file.ts";
import { endScores } from "./scores.ts";

/** Train steps at the end of a run whose mean reward stands for it where nothing was evaluated. */
const LAST = 10;

/** Ids of runs in `runs`, in the order of the cells. Returns the path of the page; null where fewer than two ran. */
export async function writeMatrixPage(runs: string, ids: readonly string[]): Promise<string | null> {
  if (ids.length < 2) return null;
  const opened = await Promise.all(ids.map((id) => openRun(join(runs, id))));
  const scores = opened.map(scoreOf), named = scores.find((score) => score !== null)?.name ?? "reward";
  const points: SweepPoint[] = opened.map((run, i) => ({
    cell: run.manifest!.matrix,
    score: scores[i]?.name === named ? scores[i]!.value : null,
  }));
  const best = points.reduce<number | null>(
    (at, { score }, i) => score !== null && (at === null || score > points[at]!.score!) ? i : at,
    null,
  );
  const page = await renderComparison({
    ...comparisonData(new Comparison(opened)),
    sweep: { points, score: named, best: best === null ? null : bestText(opened[best]!, points[best]!.score!, named) },
  });
  // Beside the runs and named as its first: a matrix has no folder of its own.
  const path = join(runs, `${ids[0]}-matrix.html`);
  writeFileAtomic(path, new TextEncoder().encode(page));
  return path;
}

/** What a run is judged by: how its last evaluation ended, else its mean reward at the end. */
function scoreOf({ manifest, tables }: Run): { readonly name: string; readonly value: number } | null {
  const { after } = endScores(manifest!.evaluations);
  if (after !== null) return { name: `${after.id}.${after.mode}`, value: after.value };
  const { metrics } = tables, names = metrics.columnNames();
  const column = ["reward", "preference_accuracy"].find((name) => names.includes(name));
  if (column === undefined) return null;
  const last = Array.from(metrics.array(column) as ArrayLike<number>).filter(Number.isFinite).slice(-LAST);
  return last.length ? { name: column, value: last.reduce((a, b) => a + b, 0) / last.length } : null;
}

function bestText({ manifest }: Run, score: number, name: string): string {
  return `${cellName(manifest!.matrix)}: ${name} ${Number(score.toPrecision(4))}, run ${manifest!.id}`;
}
