/** The page of all runs: what each is doing, with a line of its reward. @module */
import { escapeHtml, heading, htmlPage, scrollTable, section } from "./parts.ts";

export interface RunRow {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  readonly trainStep: number;
  readonly started: string;
  /** What the doctor found first, or nothing. */
  readonly finding: string;
  /** The reward, or what stands for it, of every train step; null leaves a gap. */
  readonly values: readonly (number | null)[];
}

/** Renders the page; `link` gives the address of a run's page, `script` keeps it current. */
export function renderRuns(rows: readonly RunRow[], link: (id: string) => string, script: string): string {
  const body = `<header>${
    heading("Nonzero", "Runs", {
      text: `${rows.filter(({ status }) => status === "running").length} running`,
      look: "running",
    }, "Every run of the folder, the newest first.")
  }
<p class="about" id="live"></p></header>
<main id="runs">${runTable(rows, link)}</main>`;
  return htmlPage("Runs", body, "This page follows the runs until you close it.", script);
}

/** The part of the page that changes. */
export function runTable(rows: readonly RunRow[], link: (id: string) => string): string {
  if (rows.length === 0) return section("Runs", `<p class="about">There is no run yet.</p>`);
  const cells = rows.map((row) =>
    `<tr><td><a href="${escapeHtml(link(row.id))}">${escapeHtml(row.name)}</a><br><small>${
      escapeHtml(row.id)
    }</small></td><td><span class="status ${escapeHtml(row.status)}">${
      escapeHtml(row.status)
    }</span></td><td class="number">${row.trainStep}</td><td>${sparkline(row.values)}</td><td>${
      escapeHtml(row.finding)
    }</td><td class="number">${escapeHtml(row.started)}</td></tr>`
  );
  return scrollTable(["run", "state", "train step", "reward", "finding", "started"], cells);
}

const WIDTH = 160, HEIGHT = 32, MOST = 160;

/** A line of values without axes; the lowest and highest are its edges. */
export function sparkline(values: readonly (number | null)[]): string {
  const size = Math.ceil(values.length / MOST) || 1;
  const means = Array.from({ length: Math.ceil(values.length / size) }, (_, i) => {
    const part = values.slice(i * size, (i + 1) * size).filter((value): value is number => Number.isFinite(value));
    return part.length ? part.reduce((a, b) => a + b, 0) / part.length : null;
  });
  const known = means.filter((mean) => mean !== null);
  if (known.length === 0) return "";
  const low = Math.min(...known), span = Math.max(...known) - low || 1;
  let path = "", pen = "M";
  means.forEach((mean, i) => {
    if (mean === null) return void (pen = "M");
    const x = means.length > 1 ? (i / (means.length - 1)) * WIDTH : WIDTH / 2;
    path += `${pen}${x.toFixed(1)} ${(HEIGHT - 2 - ((mean - low) / span) * (HEIGHT - 4)).toFixed(1)}`;
    pen = "L";
  });
  return `<svg width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="from ${
    known[0]!.toPrecision(3)
  } to ${
    known.at(-1)!.toPrecision(3)
  }"><path d="${path}" fill="none" stroke="var(--first)" stroke-width="1.5" stroke-linecap="round"/></svg>`;
}
