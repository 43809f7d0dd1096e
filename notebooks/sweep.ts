/** Draws what the runs of a matrix came to over its parameters. @module */
import { moments } from "../data/statistics/mod.ts";
import { type Chart, type Row, SCALE_LEGEND, type Spec } from "./charts/chart.ts";
import { PALETTE, SEQUENTIAL } from "./charts/palette.ts";

/** What one cell of a matrix came to; of cells that failed there is no score. */
export interface SweepPoint {
  readonly cell: Readonly<Record<string, unknown>>;
  readonly score: number | null;
}

/** An axis that says nothing of the method: its runs are averaged. */
const SEED = "seed";

/**
 * One parameter: a point for each run and a line through the means. Two: a heat map of the means. More: parallel coordinates,
 * one line for each combination, coloured by its mean. Runs that differ by their seed alone are one combination.
 */
export function sweepChart(points: readonly SweepPoint[], score: string): Chart | null {
  const scored = points.filter((point): point is SweepPoint & { score: number } => Number.isFinite(point.score));
  const axes = [...new Set(points.flatMap(({ cell }) => Object.keys(cell)))].filter((name) =>
    name !== SEED && new Set(points.map(({ cell }) => String(cell[name]))).size > 1
  );
  if (axes.length === 0 || scored.length === 0) return null;
  const [rows, spec] = axes.length === 1
    ? lines(axes[0]!, scored, score)
    : axes.length === 2
    ? heatMap(axes[0]!, axes[1]!, scored, score)
    : parallel(axes, scored, score);
  return {
    title: `${score} over ${axes.join(", ")}`,
    about: axes.length > 2
      ? "A line for each combination, over its parameters from left to right, coloured by what it came to."
      : "What the runs came to; of several seeds the mean.",
    sources: [{ reads: "metrics", needs: [], uses: ["train_step"], rows: () => rows, spec: () => spec }],
  };
}

type Scored = SweepPoint & { readonly score: number };

/** Combinations without their seed, each with the mean of its runs. */
function combinations(points: readonly Scored[], axes: readonly string[]): Row[] {
  return [...Map.groupBy(points, ({ cell }) => JSON.stringify(axes.map((axis) => cell[axis])))].map(([, members]) => ({
    ...Object.fromEntries(axes.map((axis) => [axis, String(members[0]!.cell[axis])])),
    score: moments(members.map(({ score }) => score)).mean,
    runs: members.length,
  }));
}

function lines(axis: string, points: readonly Scored[], score: string): [Row[], Spec] {
  const isNumber = points.every(({ cell }) => typeof cell[axis] === "number");
  const type = isNumber ? "quantitative" : "ordinal";
  const rows = points.map(({ cell, score }) => ({ value: cell[axis], seed: cell[SEED] ?? null, score }));
  const x = {
    field: "value",
    type,
    title: axis,
    ...isNumber
      ? {
        scale: { ...spread(points, axis), padding: 12 },
        axis: { values: [...new Set(rows.map((row) => row.value))] },
      }
      : { sort: null, axis: { labelAngle: 0, labelFlush: false } },
  };
  const y = { field: "score", type: "quantitative", title: score, scale: { zero: false } };
  return [rows, {
    layer: [
      {
        mark: { type: "point", filled: true, size: 40, opacity: 0.5, color: PALETTE.first, tooltip: true },
        encoding: { x, y },
      },
      { mark: { type: "line", color: PALETTE.first, strokeWidth: 2 }, encoding: { x, y: { ...y, aggregate: "mean" } } },
    ],
  }];
}

/** Learning rates of several sizes stand at equal distances. */
function spread(points: readonly Scored[], axis: string): Spec {
  const values = points.map(({ cell }) => Number(cell[axis]));
  return Math.min(...values) > 0 && Math.max(...values) >= 20 * Math.min(...values)
    ? { type: "log", nice: false }
    : { zero: false };
}

function heatMap(a: string, b: string, points: readonly Scored[], score: string): [Row[], Spec] {
  const side = (field: string) => ({
    field,
    type: "ordinal",
    title: field,
    sort: null,
    axis: { labelAngle: 0, labelFlush: false },
  });
  const rows = combinations(points, [a, b]), scores = rows.map((row) => Number(row["score"]));
  // The colours are the same on both papers: dark up to the middle, bright from there.
  const bright = (Math.min(...scores) + Math.max(...scores)) / 2;
  return [rows, {
    encoding: { x: side(a), y: side(b) },
    layer: [
      {
        mark: { type: "rect", tooltip: true },
        encoding: {
          color: {
            field: "score",
            type: "quantitative",
            title: score,
            scale: { scheme: SEQUENTIAL },
            legend: SCALE_LEGEND,
          },
        },
      },
      {
        mark: { type: "text", fontSize: 11 },
        encoding: {
          text: { field: "score", type: "quantitative", format: ".3~f" },
          color: { condition: { test: `datum.score > ${bright}`, value: "#16181d" }, value: "#ffffff" },
        },
      },
    ],
  }];
}

function parallel(axes: readonly string[], points: readonly Scored[], score: string): [Row[], Spec] {
  const combined = combinations(points, axes);
  const rows = combined.flatMap((row, index) =>
    [...axes, score].map((axis) => {
      const values = axis === score ? null : [...new Set(combined.map((other) => String(other[axis])))];
      const scores = combined.map((other) => Number(other["score"])), low = Math.min(...scores);
      const at = values
        ? (values.indexOf(String(row[axis])) + 0.5) / values.length
        : (Number(row["score"]) - low) / (Math.max(...scores) - low || 1);
      const text = values ? String(row[axis]) : Number(row["score"]).toPrecision(3);
      return { line: index, axis, at, text, score: row["score"] };
    })
  );
  const x = {
    field: "axis",
    type: "ordinal",
    title: null,
    sort: null,
    axis: { labelAngle: 0, labelFlush: false, grid: true },
  };
  const y = { field: "at", type: "quantitative", axis: null };
  return [rows, {
    layer: [
      {
        mark: { type: "line", strokeWidth: 2, opacity: 0.8 },
        encoding: {
          x,
          y,
          detail: { field: "line" },
          color: {
            field: "score",
            type: "quantitative",
            title: score,
            // Without the ends, which are too faint for a line on dark and on white paper.
            scale: { scheme: { name: SEQUENTIAL, extent: [0.2, 0.9] } },
            legend: SCALE_LEGEND,
          },
        },
      },
      // Twice: lines run behind the texts.
      ...[{ stroke: PALETTE.grid, strokeWidth: 4, strokeJoin: "round" }, { color: PALETTE.ink }].map((look) => ({
        mark: { type: "text", dx: 6, align: "left", fontSize: 10, ...look },
        encoding: { x, y, text: { field: "text" } },
      })),
    ],
  }];
}
