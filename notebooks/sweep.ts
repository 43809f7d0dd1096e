/** Draws what the runs of a matrix came to over its parameters. @module */
import { type Chart, type Row, SCALE_LEGEND, type Spec } from "./charts/chart.ts";
import { PALETTE, SEQUENTIAL } from "./charts/palette.ts";
import { type Combination, combinationsOf, methodAxes, type SweepAxes, type SweepPoint } from "./sweep_points.ts";

/** An axis of this name is a seed's where nobody says what the axes mean. */
const PLAIN: SweepAxes = { seeds: ["seed"], unread: [] };

/**
 * One parameter: a point for each run and a line through the means. Two: a heat map of the means. More: parallel coordinates,
 * one line for each combination, coloured by its mean. Runs that differ by their seed alone are one combination; one
 * that was stopped early has what it had come to, and is marked.
 */
export function sweepChart(points: readonly SweepPoint[], score: string, meaning: SweepAxes = PLAIN): Chart | null {
  const axes = methodAxes(points, meaning), combined = combinationsOf(points, meaning);
  if (axes.length === 0 || combined.every((one) => one.score === null)) return null;
  const [rows, spec] = axes.length === 1
    ? lines(axes[0]!, points, combined, score)
    : axes.length === 2
    ? heatMap(axes[0]!, axes[1]!, combined, score)
    : parallel(axes, combined, score);
  return {
    title: `${score} over ${axes.join(", ")}`,
    about: ABOUT[Math.min(axes.length, 3) - 1]! +
      (combined.some(({ pruned }) => pruned !== null)
        ? " Of one that was stopped early: what it had come to then."
        : ""),
    sources: [{ reads: "metrics", needs: [], uses: ["train_step"], rows: () => rows, spec: () => spec }],
  };
}

const ABOUT = [
  "A point for each run, a line through the means; hollow: stopped early; a cross: failed.",
  "What the runs came to; of several seeds the mean.",
  "A line for each combination, over its parameters from left to right, coloured by what it came to; dashed: stopped early.",
] as const;

/** What is said of a combination beside its score. */
function stateOf({ score, failed, pruned }: Combination): string {
  return score === null ? "failed" : pruned !== null ? `stopped at ${pruned}` : failed > 0 ? `${failed} failed` : "";
}

function lines(
  axis: string,
  points: readonly SweepPoint[],
  combined: readonly Combination[],
  score: string,
): [Row[], Spec] {
  const isNumber = points.every(({ cell }) => typeof cell[axis] === "number");
  const rows = points.map((point) => ({
    kind: point.score === null ? "failed" : point.pruned != null ? "stopped early" : "run",
    value: point.cell[axis],
    score: point.score,
    after: point.pruned ?? null,
  }));
  // One that was stopped early has not come as far: no line leads through it.
  const means = combined.filter(({ pruned }) => pruned === null).map((one) => ({
    kind: "mean",
    value: one.cell[axis],
    score: one.score,
    after: null,
  }));
  const x = {
    field: "value",
    type: isNumber ? "quantitative" : "ordinal",
    title: axis,
    ...isNumber
      ? {
        scale: { ...spread(points, axis), padding: 12 },
        axis: { values: [...new Set(rows.map((row) => row.value))] },
      }
      : { sort: null, axis: { labelAngle: 0, labelFlush: false } },
  };
  const y = { field: "score", type: "quantitative", title: score, scale: { zero: false } };
  const of = (kind: string, mark: Spec, encoding: Spec = { x, y }) => {
    const layer = {
      transform: [{ filter: { field: "kind", equal: kind } }],
      mark: { tooltip: true, ...mark },
      encoding,
    };
    return kind === "mean" || rows.some((row) => row.kind === kind) ? [layer] : [];
  };
  const layer = [
    ...of("run", { type: "point", filled: true, size: 40, opacity: 0.5, color: PALETTE.first }),
    ...of("stopped early", { type: "point", filled: false, size: 40, color: PALETTE.first }),
    ...of("failed", { type: "point", shape: "cross", angle: 45, filled: true, size: 60, color: PALETTE.bad }, {
      x,
      y: { value: "height" },
    }),
    ...of("mean", { type: "line", color: PALETTE.first, strokeWidth: 2 }),
  ];
  return [[...rows, ...means.filter((mean) => mean.score !== null)], { layer }];
}

/** Learning rates of several sizes stand at equal distances. */
function spread(points: readonly SweepPoint[], axis: string): Spec {
  const values = points.map(({ cell }) => Number(cell[axis]));
  return Math.min(...values) > 0 && Math.max(...values) >= 20 * Math.min(...values)
    ? { type: "log", nice: false }
    : { zero: false };
}

function heatMap(a: string, b: string, combined: readonly Combination[], score: string): [Row[], Spec] {
  const rows = combined.map((one) => ({
    ...textCell(one, [a, b]),
    score: one.score,
    runs: one.members.length,
    state: stateOf(one),
  }));
  const read = readable(rows.flatMap(({ score }) => score ?? []));
  const isSaid = rows.some(({ state }) => state !== "");
  const side = (field: string) => ({
    field,
    type: "ordinal",
    title: field,
    // In the order of the matrix, whichever layer a combination is drawn in.
    sort: [...new Set(rows.map((row) => (row as Row)[field]))],
    axis: { labelAngle: 0, labelFlush: false },
  });
  return [rows, {
    encoding: { x: side(a), y: side(b) },
    layer: [
      {
        transform: [{ filter: { field: "score", valid: false } }],
        mark: { type: "rect", tooltip: true, color: PALETTE.grid },
      },
      {
        transform: [{ filter: { field: "score", valid: true } }],
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
        transform: [{ filter: { field: "score", valid: true } }],
        mark: { type: "text", fontSize: 12, dy: isSaid ? -6 : 0 },
        encoding: { text: { field: "score", type: "quantitative", format: ".3~f" }, color: read },
      },
      ...isSaid
        ? [{
          mark: { type: "text", fontSize: 10, dy: 7 },
          encoding: { text: { field: "state", type: "nominal" }, color: read },
        }]
        : [],
    ],
  }];
}

/** The colour of a text: the colours of cells are the same on both papers, dark up to the middle, bright from there. */
function readable(scores: readonly number[]): Spec {
  const bright = (Math.min(...scores) + Math.max(...scores)) / 2;
  return {
    condition: [
      { test: "!isValid(datum.score)", value: PALETTE.ink },
      { test: `datum.score > ${bright}`, value: "#16181d" },
    ],
    value: "#ffffff",
  };
}

/** The axes of a combination as texts. */
function textCell({ cell }: Combination, axes: readonly string[]): Row {
  return Object.fromEntries(axes.map((axis) => [axis, String(cell[axis])]));
}

/** Share of the height that a text takes. */
const LABEL_GAP = 0.06;

function parallel(axes: readonly string[], all: readonly Combination[], score: string): [Row[], Spec] {
  const combined = all.filter((one) => one.score !== null).map((one): Row => ({
    ...textCell(one, axes),
    score: one.score,
    early: one.pruned !== null,
  }));
  const rows = combined.flatMap((row, index) =>
    [...axes, score].map((axis) => {
      const values = axis === score ? null : [...new Set(combined.map((other) => String(other[axis])))];
      const scores = combined.map((other) => Number(other["score"])), low = Math.min(...scores);
      const at = values
        ? (values.indexOf(String(row[axis])) + 0.5) / values.length
        : (Number(row["score"]) - low) / (Math.max(...scores) - low || 1);
      const text = values ? String(row[axis]) : Number(row["score"]).toPrecision(3);
      return { line: index, axis, at, text, score: row["score"], early: row["early"], kind: "line" };
    })
  );
  // Each text once, and of scores that stand close together one: they would lie on each other.
  const labels = axes.concat(score).flatMap((axis) => {
    const own = rows.filter((row) => row.axis === axis).toSorted((a, b) => b.at - a.at), told: typeof rows = [];
    for (const row of own) if (told.length === 0 || told.at(-1)!.at - row.at > LABEL_GAP) told.push(row);
    return told.map(({ at, text }) => ({ axis, at, text, kind: "label" }));
  });
  const x = {
    field: "axis",
    type: "ordinal",
    title: null,
    sort: null,
    axis: { labelAngle: 0, labelFlush: false, grid: true },
  };
  const y = { field: "at", type: "quantitative", axis: null };
  return [[...rows, ...labels], {
    layer: [
      {
        transform: [{ filter: { field: "kind", equal: "line" } }],
        mark: { type: "line", strokeWidth: 2, opacity: 0.8 },
        encoding: {
          x,
          y,
          detail: { field: "line" },
          strokeDash: { condition: { test: "datum.early", value: [4, 4] }, value: [1, 0] },
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
        transform: [{ filter: { field: "kind", equal: "label" } }],
        mark: { type: "text", dx: 6, align: "left", fontSize: 10, ...look },
        encoding: { x, y, text: { field: "text" } },
      })),
    ],
  }];
}
