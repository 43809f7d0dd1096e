/** Draws one metric of several runs over each other: runs that differ by their seed alone are one line with a band. @module */
import { moments } from "../data/statistics/mod.ts";
import { type Chart, PHASE, type Row, type Spec, STEP_AXIS, unitOf } from "./charts/chart.ts";
import { colorOf, hasFew, lineLayers, smoothed } from "./charts/lines.ts";
import { SERIES } from "./charts/palette.ts";

/** A run's rows of `metrics`, under the name that the legend has. */
interface ComparedRun {
  readonly label: string;
  readonly rows: readonly Row[];
  /** Runs of one label and one seed are one run more than once; absent where nobody knows it. */
  readonly seed?: number | null;
}

/** Metrics of the phase in which runs are compared: a warm start of another length would move the rest. */
const LAST_PHASE_FIRST = ["rollout", "preference", "reward_model", "sft"];

const BAND =
  "From the first train step of the phase; bold the median over nine train steps; a band goes from the lowest to the " +
  "highest of the runs that differ by their seed alone.";

/** Train steps as runs are compared over them. */
const X = { ...STEP_AXIS, title: "train step of the phase" };

interface ComparisonLook {
  readonly title?: string;
  readonly about?: string;
  /** Those of all runs: a line has the colour of its place among them, in each of several charts. */
  readonly labels?: readonly string[];
}

/** A chart of rows of a metric that `comparedRows` made, instead of the table `metrics`. */
export function comparisonChart(
  column: string,
  { title = column, about = BAND, labels = [] }: ComparisonLook = {},
): Chart {
  return {
    title,
    about,
    sources: [{
      reads: "metrics",
      needs: ["train_step", "value", "label"],
      uses: ["low", "high"],
      spec: (_, rows) => comparisonSpec(unitOf("metrics", column, column), rows, labels),
    }],
  };
}

/**
 * `column` of the table `metrics` by train steps of the last phase in which all runs have it, else of each run's own: GRPO
 * beside DPO. One row per label and train step: the mean over the seeds of one label, and the lowest and highest of them where there are several.
 */
export function comparedRows(column: string, runs: readonly ComparedRun[]): Row[] {
  const measured = runs.map(({ rows }) => rows.filter((row) => Number.isFinite(row[column])));
  const ofAll = LAST_PHASE_FIRST.find((name) =>
    measured.every((rows) => rows.some((row) => (row[PHASE] ?? name) === name))
  );
  const series = runs.map(({ label, rows, seed }, i) => {
    const phase = ofAll ?? LAST_PHASE_FIRST.find((name) => measured[i]!.some((row) => row[PHASE] === name));
    const within = rows.filter((row) => (row[PHASE] ?? phase) === phase);
    const first = within.reduce((least, row) => Math.min(least, Number(row["train_step"])), Infinity);
    const values = within.filter((row) => Number.isFinite(row[column]));
    return {
      label,
      seed: seed ?? `run ${i}`,
      values: new Map(values.map((row) => [Number(row["train_step"]) - first + 1, Number(row[column])])),
    };
  });
  return [...Map.groupBy(series, ({ label }) => label)].flatMap(([label, members]) => {
    const steps = [...new Set(members.flatMap(({ values }) => [...values.keys()]))].sort((a, b) => a - b);
    const seeds = [...Map.groupBy(members, ({ seed }) => seed).values()];
    return steps.map((train_step) => {
      const values = seeds.flatMap((runs) => {
        const found = runs.flatMap(({ values }) => values.get(train_step) ?? []);
        return found.length ? [moments(found).mean] : [];
      });
      const band = seeds.length > 1
        ? { low: Math.min(...values), high: Math.max(...values), seeds: values.length }
        : {};
      return { train_step, label, value: moments(values).mean, ...band };
    });
  });
}

function comparisonSpec(unit: string, rows: readonly Row[], all: readonly string[]): Spec {
  const there = new Set(rows.map((row) => String(row["label"])));
  const labels = [...new Set([...all, ...there])];
  const lines = labels.map((label, i) => ({ label, color: SERIES[i % SERIES.length]!, ...dashOf(i) }))
    .filter(({ label }) => there.has(label));
  const color = colorOf(lines, true);
  const y = { type: "quantitative", title: unit, scale: { zero: false } };
  return {
    layer: [
      ...rows.some((row) => row["low"] !== undefined)
        ? [{
          transform: [{ filter: "isValid(datum.low)" }, ...smoothed("low", "high")],
          mark: { type: "area", opacity: 0.16, clip: true },
          encoding: { x: X, y: { field: "low_median", ...y }, y2: { field: "high_median" }, color },
        }]
        : [],
      ...lineLayers(lines, y, { named: true, few: hasFew(rows), x: X }),
    ],
  };
}

/** Where there are more lines than colours, those of one colour differ by their dashes. */
const DASHES = [undefined, [6, 3], [2, 2]] as const;

function dashOf(place: number) {
  const dash = DASHES[Math.floor(place / SERIES.length) % DASHES.length];
  return dash ? { dash } : {};
}
