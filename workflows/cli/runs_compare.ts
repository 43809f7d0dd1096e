/** `runs compare`: what differs between runs, as a table or as one page with the curves of all. @module */
import { withoutStamp } from "../../data/run_folder.ts";
import { shownNumber } from "../../data/shown_number.ts";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { renderComparison } from "../../notebooks/pages/compare.ts";
import { Comparison } from "../explore/compare.ts";
import { comparisonData } from "../explore/comparison_page.ts";
import { findRun, isRunFolder } from "../explore/find_run.ts";
import { openRun, readableRun } from "../explore/open.ts";
import type { Run } from "../explore/run.ts";
import { writePage } from "../store/write_file.ts";
import { pageFile } from "./page_file.ts";
import { narrowTable } from "../terminal/narrow_table.ts";
import { pathArgument, shownPath } from "../terminal/paths.ts";
import { printable, shortened, stdout, textTable } from "../terminal/terminal.ts";
import { textWidth } from "../terminal/text_width.ts";
import { UsageError } from "../terminal/usage_error.ts";

interface Given {
  /** Folder of all runs. */
  readonly folder: string;
  readonly json: boolean;
  /** Where the page goes; none where absent. */
  readonly html: string | undefined;
}

/** Compares runs of ours by what they are called, and other systems' by the paths of their logs. */
export async function compareRuns(words: readonly string[], { folder, json, html }: Given): Promise<number> {
  const page = html === undefined ? null : pageFile(html, "--html");
  const runs = await Promise.all(words.map((typed) => opened(typed, folder))),
    twice = words.find((_, i) => isEarlier(runs, i));
  if (twice !== undefined) {
    throw new UsageError(`Cannot compare run "${twice}" with itself: it is named twice; want different runs`);
  }
  const compared = new Comparison(runs);
  if (page !== null) return await writeComparison(compared, page);
  const { names, differences } = compared;
  if (json) stdout.json(JSON.stringify({ runs: names, differences }));
  else if (!differences.length) stdout.line("The runs differ in nothing that their manifests hold");
  else printTable(names, differences);
  return 0;
}

/** A damaged run of ours is compared as far as it can be read. */
async function opened(typed: string, folder: string): Promise<Run> {
  const path = pathArgument(typed);
  if (existsSync(path)) return isRunFolder(path) ? readableRun(path) : await openRun(path, folder);
  return readableRun(findRun(typed, folder));
}

const isEarlier = (runs: readonly Run[], i: number) =>
  runs.findIndex(({ path }) => resolve(path) === resolve(runs[i]!.path)) < i;

function printTable(names: readonly string[], differences: Comparison["differences"]): void {
  const cells = differences.map(({ name, values }) => [name, ...values.map(text)]);
  const width = stdout.live ? stdout.columns - 1 : Infinity;
  const isWide = textTable(["", ...names], cells).some((line) => textWidth(line) > width);
  const heads = isWide ? names.map(withoutStamp) : names;
  for (const line of narrowTable(["", ...heads], cells, width, [])) stdout.line(line);
}

async function writeComparison(compared: Comparison, path: string): Promise<number> {
  writePage(path, await renderComparison(comparisonData(compared)));
  stdout.line(shownPath(path));
  return 0;
}

function text(value: unknown): string {
  if (value === undefined || value === null) return "–";
  return shortened(printable(typeof value === "number" ? shownNumber(value, 5) : String(value)), 40);
}
