/** The page of all runs: what each is doing, with a line of its reward. @module */
import { shownNumber } from "../../data/shown_number.ts";
import { metricLook } from "../metric_look.ts";
import { escapeHtml, heading, htmlPage, scrollTable, section } from "./parts.ts";

export interface RunRow {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  readonly trainStep: number;
  readonly started: string;
  /** What the doctor found first, or nothing. */
  readonly finding: string;
  /** The column of `values`: the reward, or what stands for it; null where no train step has a value. */
  readonly metric: string | null;
  /** Its value at every train step; null leaves a gap. */
  readonly values: readonly (number | null)[];
}

/** Runs of a folder that are listed, the newest first, and how many it has. */
export interface ListedRuns {
  readonly rows: readonly RunRow[];
  readonly total: number;
}

/** Renders the page; `link` gives the address of a run's page, `script` keeps it current. */
export function renderRuns(runs: ListedRuns, link: (id: string) => string, script: string): string {
  const body = `<header>${
    heading("Nonzero", "Runs", {
      text: `${runs.rows.filter(({ status }) => status === "running").length} running`,
      look: "running",
    }, "The runs of a folder, the newest first.")
  }
<p class="about" id="live"></p></header>
<main id="runs">${runTable(runs, link)}</main>`;
  return htmlPage("Runs", body, "This page follows the runs until you close it.", script);
}

const HEAD = ["run", "state", "train step", "curve", "finding", "started"];

/** The part of the page that changes. */
export function runTable({ rows, total }: ListedRuns, link: (id: string) => string): string {
  if (rows.length === 0) return section("Runs", `<p class="about">There is no run yet.</p>`);
  const cells = rows.map((row) => {
    const values = [
      `<a href="${escapeHtml(link(row.id))}">${escapeHtml(row.name)}</a><br><small>${escapeHtml(row.id)}</small>`,
      `<span class="status ${escapeHtml(row.status)}">${escapeHtml(row.status)}</span>`,
      String(row.trainStep),
      curve(row),
      escapeHtml(row.finding || "–"),
      escapeHtml(row.started),
    ];
    // One element each: on a narrow screen a cell is its name and what it holds beside it.
    return `<tr>${
      values.map((value, i) =>
        `<td${i === 2 || i === 5 ? ' class="number"' : ""} data-name="${HEAD[i]}"><div>${value}</div></td>`
      ).join("")
    }</tr>`;
  });
  const listed = total > rows.length ? `<p class="about">The newest ${rows.length} of ${total} runs.</p>` : "";
  return listed + scrollTable(HEAD, cells, "stacked");
}

/** What is drawn with its name and last value: a loss goes down where a reward goes up. */
function curve({ metric, values }: RunRow): string {
  const last = values.findLast((value) => value !== null);
  if (metric === null || last === undefined || last === null) return "–";
  return `${sparkline(values)}<small>${escapeHtml(metricLook(metric).title)} ${shownNumber(last)}</small>`;
}

const WIDTH = 160, HEIGHT = 32, MOST = 160;

/** A line of values without axes; the lowest and highest are its edges, a value between gaps is a dot. */
export function sparkline(values: readonly (number | null)[]): string {
  const size = Math.ceil(values.length / MOST) || 1;
  const means = Array.from({ length: Math.ceil(values.length / size) }, (_, i) => {
    const part = values.slice(i * size, (i + 1) * size).filter((value): value is number => Number.isFinite(value));
    return part.length ? part.reduce((a, b) => a + b, 0) / part.length : null;
  });
  const known = means.filter((mean) => mean !== null);
  if (known.length === 0) return "";
  const low = Math.min(...known), highest = Math.max(...known);
  let path = "", dots = "", pen = "M";
  means.forEach((mean, i) => {
    if (mean === null) return void (pen = "M");
    const x = means.length > 1 ? (i / (means.length - 1)) * WIDTH : WIDTH / 2;
    const share = highest > low ? (mean - low) / (highest - low) : 0.5;
    const at = [x, HEIGHT - 2 - share * (HEIGHT - 4)].map((value) => value.toFixed(1));
    path += `${pen}${at.join(" ")}`;
    pen = "L";
    const isAlone = (means[i - 1] ?? null) === null && (means[i + 1] ?? null) === null;
    if (isAlone) dots += `<circle cx="${at[0]}" cy="${at[1]}" r="2" fill="var(--first)"/>`;
  });
  return `<svg style="display:block" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="from ${
    known[0]!.toPrecision(3)
  } to ${
    known.at(-1)!.toPrecision(3)
  }"><path d="${path}" fill="none" stroke="var(--first)" stroke-width="1.5" stroke-linecap="round"/>${dots}</svg>`;
}
