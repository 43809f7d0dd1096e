/** Draws what the runs of a matrix came to over its parameters. @module */
import { type Chart, type Row, SCALE_LEGEND, type Spec } from "./charts/chart.ts";
import { PALETTE, SEQUENTIAL } from "./charts/palette.ts";
import { combinationHover, runHover } from "./sweep_hover.ts";
import {
  type Combination,
  combinationsOf,
  countedStates,
  methodAxes,
  statusOf,
  type SweepAxes,
  type SweepPoint,
} from "./sweep_points.ts";

/** An axis of this name is a seed's where nobody says what the axes mean. */
const PLAIN: SweepAxes = { seeds: ["seed"], unread: [] };

/**
 * One parameter: a point for each run and a line through the means. Two: a heat map of the means. More: parallel coordinates,
 * one line for each combination, coloured by its mean. Runs that differ by their seed alone are one combination; one
 * that was pruned has what it had come to, and is marked. Runs without a score stand outside of the scale, with how they
 * ended. What a mark says when it is pointed at is its `description`.
 */
export function sweepChart(points: readonly SweepPoint[], score: string, meaning: SweepAxes = PLAIN): Chart | null {
  const axes = methodAxes(points, meaning), combined = combinationsOf(points, meaning);
  if (axes.length === 0 || combined.every((one) => one.score === null)) return null;
  const [rows, spec] = axes.length === 1
    ? lines(axes[0]!, points, combined, score)
    : axes.length === 2
    ? heatMap([axes[0]!, axes[1]!], points, combined, score)
    : parallel(axes, points, combined, score);
  return {
    title: `${score} over ${axes.join(", ")}`,
    about: ABOUT[Math.min(axes.length, 3) - 1]! +
      (axes.length === 1 && points.some((point) => point.score === null)
        ? " Below the scale: runs without a score, and how they ended."
        : "") +
      (combined.some(({ pruned }) => pruned !== null) ? " Of one that was pruned: what it had come to then." : ""),
    sources: [{ reads: "metrics", needs: [], uses: ["train_step"], rows: () => rows, spec: () => spec }],
  };
}

const ABOUT = [
  "A point for each run, a line through the means; hollow: pruned.",
  "What the runs came to; of several seeds the mean.",
  "A line for each combination, over its parameters from left to right, coloured by what it came to; dashed: pruned.",
] as const;

/** What is said of a combination beside its score. */
function stateOf({ states, pruned, members }: Combination): string {
  const without = states.length === 0 ? [] : [countedStates(states, members.length)];
  return [...pruned === null ? [] : [`pruned at ${pruned}`], ...without].join(", ");
}

/** Heights, in units of the drawing: of a line of words below the scale, and between it and the scale. */
const LANE = 13, LANE_GAP = 6;

function lines(
  axis: string,
  points: readonly SweepPoint[],
  combined: readonly Combination[],
  score: string,
): [Row[], Spec] {
  const isNumber = points.every(({ cell }) => typeof cell[axis] === "number");
  const rows = points.filter((point) => point.score !== null).map((point) => ({
    kind: point.pruned != null ? "pruned" : "run",
    value: point.cell[axis],
    score: point.score,
    hover: runHover(point, score),
  }));
  const lane = laneRows(axis, points), height = Math.max(0, ...lane.map(({ place }) => place + 1)) * LANE;
  // One that was pruned has not come as far: no line leads through it.
  const means = combined.filter((one) => one.pruned === null && one.score !== null).map((one) => ({
    kind: "mean",
    value: one.cell[axis],
    score: one.score,
  }));
  const values = [...new Set(points.map(({ cell }) => cell[axis]))];
  const x = {
    field: "value",
    type: isNumber ? "quantitative" : "ordinal",
    title: axis,
    ...isNumber
      ? {
        scale: { ...spread(points, axis), padding: 12 },
        axis: { values },
      }
      : { sort: values, axis: { labelAngle: 0, labelFlush: false } },
  };
  const y = {
    field: "score",
    type: "quantitative",
    title: score,
    scale: { zero: false, ...height === 0 ? {} : { range: [{ expr: `height - ${height + LANE_GAP}` }, 0] } },
  };
  const of = (kind: string, mark: Spec, encoding: Spec = {}) => {
    const filter = { filter: { field: "kind", equal: kind } };
    const layer = { transform: [filter], mark, encoding: { x, y, ...encoding } };
    return kind === "mean" || rows.some((row) => row.kind === kind) ? [layer] : [];
  };
  const description = { field: "hover", type: "nominal" };
  const layer = [
    ...of("run", { type: "point", filled: true, size: 40, opacity: 0.5, color: PALETTE.first }, { description }),
    ...of("pruned", { type: "point", filled: false, size: 40, color: PALETTE.first }, { description }),
    ...[...new Set(lane.map(({ place }) => place))].map((place) => ({
      transform: [{ filter: `datum.kind === "none" && datum.place === ${place}` }],
      mark: { type: "text", fontSize: 10, color: PALETTE.bad },
      encoding: {
        x,
        y: { value: { expr: `height - ${height - LANE * (place + 0.5)}` } },
        text: { field: "state", type: "nominal" },
        description,
      },
    })),
    ...of("mean", { type: "line", aria: false, color: PALETTE.first, strokeWidth: 2 }),
  ];
  return [[...rows, ...lane, ...means], { layer }];
}

/** Runs without a score, those that ended alike at one value together: each has a line of its own below the scale. */
function laneRows(axis: string, points: readonly SweepPoint[]) {
  const without = points.filter((point) => point.score === null);
  return [...Map.groupBy(without, ({ cell }) => cell[axis])].flatMap(([value, there]) =>
    [...Map.groupBy(there, statusOf)].map(([state, alike], place) => ({
      kind: "none",
      value,
      place,
      state: alike.length > 1 ? `${alike.length} ${state}` : state,
      hover: alike.map((point) => runHover(point)).join("\n"),
    }))
  );
}

/** Learning rates of several sizes stand at equal distances. */
function spread(points: readonly SweepPoint[], axis: string): Spec {
  const values = points.map(({ cell }) => Number(cell[axis]));
  return Math.min(...values) > 0 && Math.max(...values) >= 20 * Math.min(...values)
    ? { type: "log", nice: false }
    : { zero: false };
}

function heatMap(
  [a, b]: readonly [string, string],
  points: readonly SweepPoint[],
  combined: readonly Combination[],
  score: string,
): [Row[], Spec] {
  const rows = combined.map((one) => ({
    ...textCell(one, [a, b]),
    score: one.score,
    state: stateOf(one),
    hover: combinationHover(one, points, score),
  }));
  const read = readable(rows.flatMap(({ score }) => score ?? []));
  const isSaid = rows.some(({ state }) => state !== ""), description = { field: "hover", type: "nominal" };
  const side = (field: string) => ({
    field,
    type: "ordinal",
    title: field,
    // In the order of the matrix, whichever layer a combination is drawn in.
    sort: [...new Set(rows.map((row) => (row as Row)[field]))],
    axis: { labelAngle: 0, labelFlush: false },
  });
  return [rows, {
    encoding: { x: side(a), y: side(b), description },
    layer: [
      {
        transform: [{ filter: { field: "score", valid: false } }],
        mark: { type: "rect", color: PALETTE.grid },
      },
      {
        transform: [{ filter: { field: "score", valid: true } }],
        mark: { type: "rect" },
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
        encoding: { text: { field: "score", type: "quantitative", format: ".3~r" }, color: read },
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

function parallel(
  axes: readonly string[],
  points: readonly SweepPoint[],
  all: readonly Combination[],
  score: string,
): [Row[], Spec] {
  const combined = all.filter((one) => one.score !== null).map((one): Row => ({
    ...textCell(one, axes),
    score: one.score,
    early: one.pruned !== null,
    hover: combinationHover(one, points, score),
  }));
  const rows = combined.flatMap((row, index) =>
    [...axes, score].map((axis) => {
      const values = axis === score ? null : [...new Set(combined.map((other) => String(other[axis])))];
      const scores = combined.map((other) => Number(other["score"])), low = Math.min(...scores);
      const at = values
        ? (values.indexOf(String(row[axis])) + 0.5) / values.length
        : (Number(row["score"]) - low) / (Math.max(...scores) - low || 1);
      const text = values ? String(row[axis]) : Number(row["score"]).toPrecision(3);
      return {
        line: index,
        axis,
        at,
        text,
        score: row["score"],
        early: row["early"],
        hover: row["hover"],
        kind: "line",
      };
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
          description: { field: "hover", type: "nominal" },
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
        mark: { type: "text", aria: false, dx: 6, align: "left", fontSize: 10, ...look },
        encoding: { x, y, text: { field: "text" } },
      })),
    ],
  }];
}
