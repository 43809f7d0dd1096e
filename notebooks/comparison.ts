/** Draws one metric of several runs over each other: runs that differ by their seed alone are one line with a band. @module */
import { moments } from "../data/statistics/mod.ts";
import { type Chart, type MetricLook, PHASE, type Row, type Spec, STEP_AXIS, unitOf } from "./charts/chart.ts";
import { colorOf, hasFew, lineLayers, smoothed } from "./charts/lines.ts";
import { seriesLook } from "./charts/palette.ts";
import { metricLook } from "./metric_look.ts";

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
  "Train steps of the phase, those of an earlier phase not counted; bold the median over nine train steps; a band goes from the lowest to the " +
  "highest of the runs that differ by their seed alone, and ends where one of them does.";

/** Train steps as runs are compared over them. */
const X = { ...STEP_AXIS, title: "train step of the phase" };

interface ComparisonLook {
  readonly title?: string;
  readonly about?: string;
  /** Those of all runs: a line has the colour of its place among them, in each of several charts. */
  readonly labels?: readonly string[];
  /** False on a page that tells the colours of lines once, for all its charts. */
  readonly legend?: boolean;
}

type DrawnLines = Required<Pick<ComparisonLook, "labels" | "legend">>;

/** A chart of rows of a metric that `comparedRows` made, instead of the table `metrics`. */
export function comparisonChart(
  column: string,
  { title, about = BAND, labels = [], legend = true }: ComparisonLook = {},
): Chart {
  const look = metricLook(column);
  return {
    title: title ?? look.title,
    about,
    sources: [{
      reads: "metrics",
      about: brokenLine,
      needs: ["train_step", "value", "label"],
      uses: ["low", "high"],
      spec: (_, rows) => comparisonSpec({ ...look, y: unitOf("metrics", column, look.y) }, rows, { labels, legend }),
    }],
  };
}

/**
 * `column` of the table `metrics` by train steps of the last phase in which all runs have it, else of each run's own: GRPO
 * beside DPO. One row per label and train step: the mean over the seeds of one label, and the lowest and highest of them
 * where there are several. Where a seed has no value there is no row, since the rest would be the mean of the survivors
 * alone; where its value is not finite, the mean is NaN.
 */
export function comparedRows(column: string, runs: readonly ComparedRun[]): Row[] {
  const measured = runs.map(({ rows }) => rows.filter((row) => typeof row[column] === "number"));
  const ofAll = LAST_PHASE_FIRST.find((name) =>
    measured.every((rows) => rows.some((row) => (row[PHASE] ?? name) === name))
  );
  const series = runs.map(({ label, rows, seed }, i) => {
    const phase = ofAll ?? LAST_PHASE_FIRST.find((name) => measured[i]!.some((row) => row[PHASE] === name));
    const within = rows.filter((row) => (row[PHASE] ?? phase) === phase);
    const before = stepsBefore(rows, phase);
    const values = within.filter((row) => typeof row[column] === "number");
    return {
      label,
      seed: seed ?? `run ${i}`,
      values: new Map(values.map((row) => [Number(row["train_step"]) - before, Number(row[column])])),
    };
  });
  return [...Map.groupBy(series, ({ label }) => label)].flatMap(([label, members]) => {
    const steps = [...new Set(members.flatMap(({ values }) => [...values.keys()]))].sort((a, b) => a - b);
    const seeds = [...Map.groupBy(members, ({ seed }) => seed).values()];
    return steps.flatMap((train_step) => {
      const found = seeds.map((runs) => runs.flatMap(({ values }) => values.get(train_step) ?? []));
      if (found.some(({ length }) => length === 0)) return [];
      const values = found.map((of) => of.every(Number.isFinite) ? moments(of).mean : NaN);
      const isBroken = values.some(Number.isNaN), of = (value: number) => isBroken ? NaN : value;
      const band = seeds.length > 1
        ? { low: of(Math.min(...values)), high: of(Math.max(...values)), seeds: seeds.length }
        : {};
      return [{ train_step, label, value: of(moments(values).mean), ...band }];
    });
  });
}

/** Train steps of the phases before `phase`; 0 of a log that knows none. Its first logged step says nothing: one in ten may be. */
function stepsBefore(rows: readonly Row[], phase: string | undefined): number {
  const first = rows.findIndex((row) => (row[PHASE] ?? phase) === phase);
  return rows.slice(0, Math.max(0, first)).reduce((most, row) => Math.max(most, Number(row["train_step"])), 0);
}

/** The lines that have a value which is not finite. */
function brokenLabels(rows: readonly Row[]): string[] {
  return [...new Set(rows.filter((row) => Number.isNaN(row["value"])).map((row) => String(row["label"])))];
}

function brokenLine(rows: readonly Row[]): string {
  const labels = brokenLabels(rows);
  return labels.length ? `Red marks on the axis: not finite there, in ${labels.join(" and ")}.` : "";
}

function comparisonSpec(look: MetricLook, rows: readonly Row[], { labels: all, legend }: DrawnLines): Spec {
  const there = new Set(rows.map((row) => String(row["label"])));
  const labels = [...new Set([...all, ...there])];
  const lines = labels.map((label, i) => ({ label, ...seriesLook(i) }))
    .filter(({ label }) => there.has(label));
  const color = colorOf(lines, legend);
  const y = { type: "quantitative", title: look.y, scale: { zero: false } };
  return {
    layer: [
      ...rows.some((row) => row["low"] !== undefined)
        ? [{
          // Null, where a seed is not finite, leaves a gap.
          transform: [{ filter: "isDefined(datum.low)" }, ...smoothed("low", "high")],
          mark: { type: "area", opacity: 0.16, clip: true },
          encoding: { x: X, y: { field: "low_median", ...y }, y2: { field: "high_median" }, color },
        }]
        : [],
      ...lineLayers(lines, y, {
        named: legend,
        few: hasFew(rows),
        broken: brokenLabels(rows).length > 0,
        span: look.span,
        x: X,
      }),
    ],
  };
}
