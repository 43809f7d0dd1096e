/** A chart of tables, by its name. @module */
import { didYouMean } from "../../data/did_you_mean.ts";
import { ChartView } from "../../notebooks/chart_view.ts";
import type { Chart, ChartTables } from "../../notebooks/charts/chart.ts";
import { type ChartName, CHARTS } from "../../notebooks/charts/mod.ts";
import { cannotDrawText, chooseSource } from "../../notebooks/choose_source.ts";
import { chartSpec, type DrawOptions } from "../../notebooks/draw.ts";

/** Names of the charts that tables have the columns of. */
export function drawable(tables: ChartTables): ChartName[] {
  return (Object.keys(CHARTS) as ChartName[]).filter((name) => chooseSource(CHARTS[name], tables) !== null);
}

/** Throws RangeError for a name that no chart has, and one that names the missing columns where it cannot be drawn. */
export function chartOf(chart: ChartName | Chart, tables: ChartTables, options: DrawOptions = {}): ChartView {
  const definition = typeof chart === "string" ? chartNamed(chart) : chart;
  if (chooseSource(definition, tables) === null) {
    const there = drawable(tables).join(", ");
    throw new RangeError(`${cannotDrawText(definition, tables)}; ${there ? `there is ${there}` : "there is no other"}`);
  }
  return new ChartView(definition.title, chartSpec(definition, tables, options), options.theme ?? "light");
}

function chartNamed(name: string): Chart {
  if (Object.hasOwn(CHARTS, name)) return CHARTS[name as ChartName];
  throw new RangeError(`Cannot draw "${name}": there is no such chart${didYouMean(name, Object.keys(CHARTS))}`);
}
