/**
 * What every chart's test checks: its columns exist in the dictionary, each of its sources is drawn without a warning of
 * Vega, light and dark and 400 px wide, its values move the picture, and without columns it names those it wants.
 * @module
 */
import assert from "node:assert/strict";
import { type Column, TABLES } from "../../../data/columns.ts";
import type { Chart, Row, Source } from "../../../notebooks/charts/chart.ts";
import { type ChartName, CHARTS } from "../../../notebooks/charts/mod.ts";
import { DARK, PALETTE } from "../../../notebooks/charts/palette.ts";
import { chartSpec, toSvg } from "../../../notebooks/draw.ts";

/** Draws 40 rows of the first source and returns the SVG. */
export async function checkChart(name: ChartName): Promise<string> {
  const chart: Chart = CHARTS[name];
  const drawn: string[] = [];
  for (const source of chart.sources) drawn.push(await checkSource({ ...chart, sources: [source] }, source));
  assert.throws(
    () => chartSpec(chart, {}),
    (error: unknown) => error instanceof RangeError && error.message.includes(`"${chart.title}"`),
  );
  const [{ reads, needs, uses }] = chart.sources;
  const lacking = needs.find((column) => column !== "train_step") ?? uses.find((column) => !column.endsWith("*"))!;
  const without = { [reads]: [{ train_step: 1, other: 2 }] };
  assert.throws(
    () => chartSpec({ ...chart, sources: [chart.sources[0]] }, without),
    new RegExp(`has no .*"${lacking}"`),
  );
  return drawn[0]!;
}

async function checkSource(chart: Chart, source: Source): Promise<string> {
  const columns: Readonly<Record<string, Column>> = TABLES[source.reads];
  const asked = [...source.needs, ...source.uses];
  const plain = asked.filter((column) => !column.endsWith("*"));
  for (const column of plain) assert(column in columns, `unknown column ${column}`);
  const begun = asked.filter((column) => column.endsWith("*")).map((column) => column.slice(0, -1));
  const names = [...plain, ...begun.flatMap((beginning) => [`${beginning}a`, `${beginning}b`])];
  const picture = async (scale: number, theme: "light" | "dark" = "light") => {
    const rows = Array.from(
      { length: 40 },
      (_, i) =>
        Object.fromEntries(
          names.map((column) => [column, valueOf(column, columns[column]?.type ?? "float32", i, scale)]),
        ),
    );
    const spec = chartSpec(chart, { [source.reads]: rows as Row[] }, { theme, width: 300 });
    return await toSvg(spec, (text) => assert.fail(`${chart.title}: Vega warns: ${text}`));
  };
  const light = await picture(1), dark = await picture(1, "dark");
  assert.match(light, /<svg /);
  assert(!/NaN|undefined/.test(light), "the picture has coordinates or texts that are not there");
  assert.notEqual(light, await picture(0.5), "the picture does not depend on the values");
  for (const color of Object.values(PALETTE)) {
    assert(!dark.includes(color) || Object.values(DARK).includes(color), `${color} of the light theme in the dark one`);
  }
  const width = Number(/<svg [^>]*width="([\d.]+)"/.exec(light)?.[1]);
  assert(width <= 540, `${width} wide where the drawing has 300`);
  return light;
}

/** A value of a column's type that moves with the row. */
function valueOf(column: string, type: string, i: number, scale: number): unknown {
  const number = scale * ((i * 7) % 10) / 10;
  if (column === "train_step") return 1 + Math.floor(i / 4);
  if (column === "prompt_id") return Math.floor(i / 2) % 2;
  if (column === "sample") return i % 2;
  if (column === "reward") return scale * (Math.floor(i / (scale === 1 ? 3 : 5)) % 2); // some groups tie
  if (column === "severity") return i % 2 ? "error" : "info";
  if (type === "bool") return (i * 7 * scale) % 3 < 1;
  if (type === "int32") return i;
  if (type === "list<int32>") return [1 + Math.floor(i / 4 * scale)];
  if (type.startsWith("list")) return [-number, -2 * number - i / 100];
  if (type === "category" || type === "utf8" || type === "json") return `${column} ${i % 3} of ${scale}`;
  return number;
}

/** The labels of y of a chart that is drawn of one metric's values, as numbers. */
export async function ticksOf(name: ChartName, column: string, values: readonly number[]): Promise<number[]> {
  const metrics = values.map((value, i) => ({ train_step: i + 1, [column]: value }));
  const svg = await toSvg(chartSpec(CHARTS[name], { metrics }), (text) => assert.fail(text)),
    axis = svg.indexOf('aria-label="Y-axis');
  assert(axis >= 0, "there is no axis of y");
  const labels = Array.from(
    svg.slice(axis).matchAll(/<text text-anchor="end"[^>]*>([-−\de.]+)<\/text>/g),
    ([, t]) => t!,
  );
  assert(labels.length >= 2, `${labels}`);
  return labels.map((label) => Number(label.replaceAll("−", "-")));
}
