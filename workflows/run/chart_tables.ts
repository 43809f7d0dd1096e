/** The rows of a run folder that its charts are drawn from. @module */
import { imagesIn } from "../../data/datasets/prompt_images.ts";
import type { RunFolder } from "../../data/open_run_folder.ts";
import { type TableName, TABLES } from "../../data/columns.ts";
import type { Chart, ChartTables, Row } from "../../notebooks/charts/chart.ts";
import { BOX_IOU } from "../../notebooks/charts/iou.ts";
import { CHARTS } from "../../notebooks/charts/mod.ts";
import { type BoxUnits, pictureOf } from "../../notebooks/pictures/picture.ts";
import { reportRows } from "../../steps/metrics/report_rows.ts";
import { boxUnitOfRun } from "./box_unit.ts";

/** Of a table with a row per completion or parameter, so much is read: an even choice of its segments. */
const MOST_BYTES = 32 * 2 ** 20;

/** The rows of every table that some chart reads, with the columns that charts use; each is read when it is first drawn. */
export function chartTables(run: RunFolder, mostBytes = MOST_BYTES): ChartTables {
  const tables: Record<string, readonly Row[]> = {};
  for (const name of Object.keys(TABLES) as TableName[]) {
    const wants = wantedOf(name);
    if (wants === null) continue;
    let rows: readonly Row[] | null = null;
    const stored = () => reportRows(run.someOf(name, wants, name === "metrics" ? Infinity : mostBytes));
    const read = () => name === "completions" ? withBoxes(stored(), run.path) : stored();
    Object.defineProperty(tables, name, { get: () => rows ??= read(), enumerable: true, configurable: true });
  }
  return tables;
}

/** Completions with the IoU of their boxes, in the units that the run's workflow names, where their prompts have images. */
function withBoxes(rows: readonly Row[], folder: string): readonly Row[] {
  const isSeen = rows.some((row) => imagesIn(String(row["prompt"] ?? "")).length > 0);
  if (!isSeen) return rows;
  const unit: BoxUnits = boxUnitOfRun(folder);
  return rows.map((row) => ({ ...row, [BOX_IOU]: pictureOf(row, unit)?.boxes?.iou ?? null }));
}

/** Which columns of a table charts use; null where none reads it. */
function wantedOf(table: TableName): ((column: string) => boolean) | null {
  const sources = Object.values<Chart>(CHARTS).flatMap(({ sources }) => sources).filter(({ reads }) => reads === table);
  if (sources.length === 0) return null;
  const names = new Set(sources.flatMap(({ needs, uses }) => [...needs, ...uses]));
  const beginnings = [...names].filter((name) => name.endsWith("*")).map((name) => name.slice(0, -1));
  return (column) => names.has(column) || column === "phase" || beginnings.some((text) => column.startsWith(text));
}
