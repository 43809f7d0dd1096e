/** What a metric is called and how it is drawn alone, as its chart has it. @module */
import type { Chart, MetricLook } from "./charts/chart.ts";
import { CHARTS } from "./charts/mod.ts";

const LOOKS: ReadonlyMap<string, MetricLook> = new Map(
  Object.values<Chart>(CHARTS).flatMap(({ metrics = {} }) => Object.entries(metrics)),
);

/** The look of a column of `metrics`; one that no chart shows has its name as words. */
export function metricLook(column: string): MetricLook {
  const known = LOOKS.get(column);
  if (known) return known;
  const name = column.replaceAll("_", " ").replace(/\bkl\b/, "KL");
  return { title: `${name[0]?.toUpperCase() ?? ""}${name.slice(1)}`, y: name };
}
