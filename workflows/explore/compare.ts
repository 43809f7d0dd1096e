/** Runs beside each other: what differs between them, and any metric of all of them in one chart. @module */
import * as aq from "arquero";
import type { ColumnTable } from "arquero";
import { TABLES } from "../../data/columns.ts";
import { didYouMean } from "../../data/did_you_mean.ts";
import { ChartView } from "../../notebooks/chart_view.ts";
import { comparedRows, comparisonChart } from "../../notebooks/comparison.ts";
import { type Bundle, JUPYTER_DISPLAY, tableBundle } from "../../notebooks/display.ts";
import { chartSpec, type DrawOptions } from "../../notebooks/draw.ts";
import { reportRows } from "../../steps/metrics/report_rows.ts";
import { differences } from "./compare_runs.ts";
import type { Run } from "./run.ts";

export class Comparison {
  /** What each run is called: by what differs between them, else by its name; runs of several seeds are called the same. */
  readonly labels: readonly string[];
  /** One row per fact that differs, with a value for each run: parameters, settings, results. */
  readonly differences: readonly { readonly name: string; readonly values: readonly unknown[] }[];

  constructor(readonly runs: readonly Run[]) {
    this.differences = differences(runs.map((run) => run.facts()), runs.map((run) => run.manifest === null));
    const labels = labelsOf(runs);
    this.labels = labels.map((label) => label + repeated(runs.filter((_, i) => labels[i] === label)));
  }

  /** A name for each run that no other has: its id, or what its log is called. */
  get names(): readonly string[] {
    return uniqueNames(this.runs);
  }

  /** The differences as a table with a column for each run. */
  get table(): ColumnTable {
    const { names } = this;
    return aq.table({
      name: this.differences.map(({ name }) => name),
      ...Object.fromEntries(names.map((run, i) => [run, this.differences.map(({ values }) => values[i] ?? null)])),
    });
  }

  /** One metric of all runs; runs that differ by their seed alone are one line with a band. */
  chart(column: string, options: DrawOptions = {}): ChartView {
    const known: Readonly<Record<string, { readonly unit: string }>> = TABLES.metrics;
    const rows = this.runs.map((run, i) => ({
      label: this.labels[i]!,
      seed: run.seed,
      rows: reportRows(run.tables.metrics),
    }));
    const without = this.runs.filter((_, i) => !rows[i]!.rows.some((row) => typeof row[column] === "number"));
    if (without.length === this.runs.length) {
      throw new RangeError(`Cannot compare "${column}": no run has it${didYouMean(column, Object.keys(known))}`);
    }
    const metrics = comparedRows(column, rows.filter((_, i) => !without.includes(this.runs[i]!)));
    const chart = comparisonChart(column, { labels: this.labels });
    return new ChartView(
      chart.title,
      chartSpec(chart, { metrics }, options),
      options.theme ?? "light",
    );
  }

  [JUPYTER_DISPLAY](): Bundle {
    return tableBundle(this.table, 60);
  }
}

/** The workflow's name and, of several runs of it, the parameters that differ between them; of a log its file. */
function labelsOf(runs: readonly Run[]): string[] {
  const told = runs.map((run) => new Map(Object.entries({ ...run.manifest?.params, ...run.manifest?.matrix })));
  const isOneWorkflow = new Set(runs.map(({ name }) => name)).size === 1, names = uniqueNames(runs);
  return runs.map((run, i) => {
    if (run.manifest === null) return names[i]!; // logs of one name are no seeds of each other
    const alike = told.filter((_, j) => runs[j]!.name === run.name);
    const params = [...new Set(alike.flatMap((params) => [...params.keys()]))].filter((name) => name !== "seed");
    const differing = params.filter((name) =>
      new Set(alike.map((of) => JSON.stringify(of.get(name) ?? null))).size > 1
    );
    const values = differing.map((name) => `${name} ${told[i]!.get(name) ?? "–"}`).join(", ");
    return isOneWorkflow && values ? values : values ? `${run.name}: ${values}` : run.name;
  });
}

/** What is said of runs of one label that are fewer seeds than runs: they look like seeds and are none. */
function repeated(runs: readonly Run[]): string {
  const seeds = new Set(runs.map(({ seed }, i) => seed ?? `run ${i}`));
  if (seeds.size === runs.length) return "";
  return ` (${runs.length} runs of ${seeds.size === 1 ? `seed ${runs[0]!.seed}` : `${seeds.size} seeds`})`;
}

function uniqueNames(runs: readonly Run[]): string[] {
  const names = runs.map(({ manifest, name }) => manifest?.id ?? name);
  return names.map((name, i) => {
    const before = names.slice(0, i).filter((other) => other === name).length;
    return before === 0 ? name : `${name} ${before + 1}`;
  });
}
