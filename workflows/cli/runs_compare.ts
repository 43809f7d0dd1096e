/** `runs compare`: what differs between runs, as a table or as one page with the curves of all. @module */
import { shownNumber } from "../../data/shown_number.ts";
import { existsSync } from "node:fs";
import { renderComparison } from "../../notebooks/pages/compare.ts";
import { Comparison } from "../explore/compare.ts";
import { comparisonData } from "../explore/comparison_page.ts";
import { openRun } from "../explore/open.ts";
import { writeFileAtomic } from "../store/write_file.ts";
import { narrowTable } from "../terminal/narrow_table.ts";
import { pathArgument, shownPath } from "../terminal/paths.ts";
import { printable, shortened, stdout, textTable } from "../terminal/terminal.ts";
import { textWidth } from "../terminal/text_width.ts";

interface Given {
  /** Folder of all runs. */
  readonly folder: string;
  readonly json: boolean;
  /** Where the page goes; none where absent. */
  readonly html: string | undefined;
}

/** Compares runs of ours by what they are called, and other systems' by the paths of their logs. */
export async function compareRuns(words: readonly string[], { folder, json, html }: Given): Promise<number> {
  const opened = words.map((typed) => openRun(existsSync(pathArgument(typed)) ? pathArgument(typed) : typed, folder));
  const compared = new Comparison(await Promise.all(opened));
  if (html !== undefined) return await writePage(compared, pathArgument(html));
  const { names, differences } = compared;
  if (json) stdout.line(JSON.stringify({ runs: names, differences }));
  else if (!differences.length) stdout.line("The runs differ in nothing that their manifests hold");
  else printTable(names, differences);
  return 0;
}

function printTable(names: readonly string[], differences: Comparison["differences"]): void {
  const cells = differences.map(({ name, values }) => [name, ...values.map(text)]);
  const width = stdout.live ? stdout.columns - 1 : Infinity;
  const isWide = textTable(["", ...names], cells).some((line) => textWidth(line) > width);
  // The day and the time of a run say least of it.
  const heads = isWide ? names.map((name) => name.replace(/^\d{8}-\d{6}-/, "")) : names;
  for (const line of narrowTable(["", ...heads], cells, width, [])) stdout.line(line);
}

async function writePage(compared: Comparison, path: string): Promise<number> {
  writeFileAtomic(path, new TextEncoder().encode(await renderComparison(comparisonData(compared))));
  stdout.line(shownPath(path));
  return 0;
}

function text(value: unknown): string {
  if (value === undefined || value === null) return "–";
  return shortened(printable(typeof value === "number" ? shownNumber(value, 5) : String(value)), 40);
}
