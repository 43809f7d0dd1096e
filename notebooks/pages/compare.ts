/** The page that lays runs beside each other: what differs, the same charts for all, the same prompts for all. @module */
import { withoutStamp } from "../../data/run_folder.ts";
import { shownNumber } from "../../data/shown_number.ts";
import type { Chart, Row } from "../charts/chart.ts";
import { nameOf, seriesLook } from "../charts/palette.ts";
import { comparisonChart } from "../comparison.ts";
import { sweepChart } from "../sweep.ts";
import { withTitles } from "../sweep_hover.ts";
import { statusOf, type SweepAxes, type SweepPoint } from "../sweep_points.ts";
import { type ImageSource, NO_IMAGES, ShownImages } from "../pictures/shown_images.ts";
import type { Picture } from "../pictures/picture.ts";
import { renderSeenPrompts, type SeenPrompts } from "./before_after.ts";
import { controls, HINTS, scripts } from "./interactive.ts";
import { chartFigure, drawnRow, pageChart, pageColumns } from "./page_charts.ts";
import { boxLegend, renderPicture } from "./pictures.ts";
import { escapeHtml, folded, heading, htmlPage, scrollTable, section } from "./parts.ts";

export interface ComparisonData {
  /** What each run is called, in the order of the columns; runs that differ by their seed alone are called the same. */
  readonly runs: readonly {
    readonly name: string;
    readonly label: string;
    /** The workflow, or what its log is called. */
    readonly workflow: string;
    /** Null where nobody knows it, as of a log. */
    readonly status: string | null;
    readonly facts: Readonly<Record<string, string>>;
  }[];
  /** Of a matrix: what its cells came to, and the best. */
  readonly sweep?: {
    readonly points: readonly SweepPoint[];
    readonly score: string;
    readonly axes: SweepAxes;
    readonly best: string | null;
    /** What has to be known of the matrix beside: axes without effect, why runs did not start. */
    readonly notes: readonly string[];
  };
  /** Each in its group; a `share` is of 0 to 1 and shown in percent. */
  readonly differences: readonly {
    readonly group: string;
    readonly name: string;
    readonly values: readonly unknown[];
    readonly share?: boolean;
  }[];
  /** Metrics that some run has: rows of `comparedRows`. */
  readonly metrics: readonly {
    readonly column: string;
    readonly title: string;
    readonly about: string;
    readonly rows: readonly Row[];
  }[];
  /** What each run answered to the same prompt, null where it did not get it. */
  readonly completions: readonly {
    readonly prompt: string;
    readonly answers: readonly (Row & { readonly picture?: Picture | null } | null)[];
  }[];
  /** What all runs answered to the same prompts with images in their first and last evaluation; null where they have none. */
  readonly seen?: SeenPrompts | null;
  /** Gives the images of prompts. */
  readonly images?: ImageSource;
}

/** Runs of two methods differ in fifty settings; the curves are below them. */
const FIRST_DIFFERENCES = 16;

/** Renders the page; `live` charts can be hovered, zoomed and smoothed in the browser. */
export async function renderComparison(data: ComparisonData, { live = true } = {}): Promise<string> {
  const labels = data.runs.map(({ label }) => label);
  const charts = data.metrics.map(({ column, title, about, rows }) =>
    [column, comparisonChart(column, { title, about, labels, legend: false }), { metrics: rows }] as const
  );
  const drawn = await Promise.all(charts.map(([name, chart, tables]) => chartFigure(name, chart, tables)));
  const title = titleOf(data), images = new ShownImages(data.images ?? NO_IMAGES);
  const about =
    "A line is the mean of the seeds of runs that differ by their seed alone, its band goes from the lowest to the " +
    "highest of them, and both end where one of them does; thin as it is, bold smoothed. Train steps count from the first of the phase that all have.";
  const body = `<header>${heading("Nonzero", title, statesOf(data.runs), about)}</header>
<main>
${await renderSweep(data)}
${section("Runs", renderRuns(data), "runs")}
${section("What differs", renderDifferences(data), "differences")}
${
    section(
      "Charts",
      `<div class="stay">${live ? controls(HINTS.comparison) : ""}${renderLegend(labels)}</div>
<div class="charts">${drawn.join("")}</div>`,
      "charts",
    )
  }
${
    data.seen
      ? section("Before and after, seen", renderSeenPrompts(data.seen, data.runs.map(shortName), images), "seen")
      : ""
  }
${data.completions.length ? section("The same prompts", renderCompletions(data, images), "completions") : ""}
</main>`;
  const program = live
    ? scripts({ columns: pageColumns([], []), charts: charts.map((one) => ownRows(...one)), completions: [] })
    : "";
  return htmlPage(title, body, "Everything on this page is in the run folders.", images.definitions + program);
}

const MOST_NAMES = 3;

/** `grpo: matrix of 12 runs`. */
function titleOf({ runs, sweep }: ComparisonData): string {
  const names = [...new Set(runs.map(({ workflow }) => workflow))], rest = names.length - MOST_NAMES;
  const told = `${names.slice(0, MOST_NAMES).join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
  const started = `${runs.length} runs`, cells = sweep?.points.length || runs.length;
  return `${told}: ${sweep ? "matrix of " : ""}${started}${cells === runs.length ? "" : ` of ${cells}`}`;
}

/** How the runs ended: `3 ok, 1 failed`. */
function statesOf(runs: ComparisonData["runs"]): { text: string; look: string } {
  const counts = [...Map.groupBy(runs.flatMap(({ status }) => status ?? []), (status) => status)];
  if (counts.length === 0) return { text: "compared", look: "" };
  return {
    text: counts.map(([status, of]) => `${of.length} ${status}`).join(", "),
    look: counts.length === 1 ? counts[0]![0] : "",
  };
}

/** What the lines of all charts of the page are. */
function renderLegend(labels: readonly string[]): string {
  const lines = [...new Set(labels)].map((label, i) => `<span>${lineOf(i)}${escapeHtml(label)}</span>`);
  return `<p class="legend">${lines.join("")}</p>`;
}

/** A piece of a line as charts draw it. */
function lineOf(place: number): string {
  const { color, dash } = seriesLook(place), dashes = dash ? ` stroke-dasharray="${dash.join(" ")}"` : "";
  return `<svg class="line" width="24" height="8" aria-hidden="true"><path d="M0 4H24" stroke="var(--${
    nameOf(color)
  })" stroke-width="2.5"${dashes}/></svg>`;
}

/** Each chart has rows of its own: runs have train steps of their own. */
function ownRows(name: string, chart: Chart, tables: { readonly metrics: readonly Row[] }) {
  return { ...pageChart(name, chart, tables), columns: null, values: tables.metrics.map(drawnRow) };
}

async function renderSweep({ sweep }: ComparisonData): Promise<string> {
  if (sweep === undefined) return "";
  const chart = sweepChart(sweep.points, sweep.score, sweep.axes);
  const drawn = chart === null
    ? ""
    : `<div class="charts">${withTitles(await chartFigure("sweep", chart, { metrics: [{ train_step: 0 }] }))}</div>`;
  const best = sweep.best ? `<p class="healthy"><b>Best:</b> ${escapeHtml(sweep.best)}</p>` : "";
  const notes = sweep.notes.map((note) => `<p class="about">${escapeHtml(note)}</p>`).join("");
  return section("The matrix", `${best}${notes}${drawn}${renderCells(sweep)}`, "sweep");
}

/** Every cell, also one that did not start, in the order of the matrix. */
function renderCells({ points, score }: NonNullable<ComparisonData["sweep"]>): string {
  const axes = [...new Set(points.flatMap(({ cell }) => Object.keys(cell)))];
  const rows = points.map((point) => {
    const state = point.pruned == null ? statusOf(point) : `pruned at ${point.pruned}`;
    const words = [...axes.map((axis) => String(point.cell[axis] ?? "–")), state, shown(point.score), point.run ?? "–"];
    return `<tr>${words.map((word) => `<td>${escapeHtml(word)}</td>`).join("")}</tr>`;
  });
  return scrollTable([...axes, "status", score, "run"], rows);
}

function renderRuns({ runs }: ComparisonData): string {
  const names = [...new Set(runs.flatMap(({ facts }) => Object.keys(facts)))];
  const head = ["run", "line", "status", ...names];
  const labels = [...new Set(runs.map(({ label }) => label))];
  const rows = runs.map(({ name, label, status, facts }) => {
    const line = `<span>${lineOf(labels.indexOf(label))}${escapeHtml(label)}</span>`;
    const state = status ? `<span class="status ${escapeHtml(status)}">${escapeHtml(status)}</span>` : "–";
    const cells = [
      escapeHtml(name),
      line,
      `<span>${state}</span>`,
      ...names.map((fact) => escapeHtml(facts[fact] ?? "–")),
    ];
    return `<tr>${cells.map((cell, i) => `<td data-name="${escapeHtml(head[i]!)}">${cell}</td>`).join("")}</tr>`;
  });
  return scrollTable(head, rows, "stacked");
}

/** The whole name stands above. */
const shortName = ({ name }: { readonly name: string }) => withoutStamp(name);

function renderDifferences({ runs, differences }: ComparisonData): string {
  if (!differences.length) return `<p class="about">Nothing that their manifests hold differs.</p>`;
  const head = ["", ...runs.map(shortName)];
  const table = (some: ComparisonData["differences"]) =>
    scrollTable(
      head,
      [...Map.groupBy(some, ({ group }) => group)].flatMap(([group, members]) => [
        `<tr><th class="group" colspan="${head.length}">${escapeHtml(group)}</th></tr>`,
        ...members.map(renderDifference),
      ]),
      "named",
    );
  const first = table(differences.slice(0, FIRST_DIFFERENCES)), rest = differences.slice(FIRST_DIFFERENCES);
  return rest.length === 0 ? first : first + folded(`${rest.length} more`, table(rest));
}

function renderDifference({ name, values, share }: ComparisonData["differences"][number]): string {
  const cells = values.map((value) => {
    const look = typeof value === "string" ? "number words" : "number";
    const text = share && typeof value === "number" ? `${(100 * value).toFixed(1)} %` : shown(value);
    return `<td class="${look}">${escapeHtml(text)}</td>`;
  });
  return `<tr><td>${escapeHtml(name)}</td>${cells.join("")}</tr>`;
}

function renderCompletions({ runs, completions }: ComparisonData, images: ShownImages): string {
  const rows = completions.map(({ prompt, answers }) => {
    const cells = answers.map((answer) => {
      if (answer === null) return "<td>–</td>";
      const look = answer["correct"] === true ? "right" : answer["correct"] === false ? "wrong" : "";
      const seen = answer.picture ? renderPicture(answer.picture, images) : "";
      return `<td class="answer ${look}">${seen}<code dir="auto">${
        escapeHtml(String(answer["text"] ?? ""))
      }</code><small>reward ${escapeHtml(shown(answer["reward"]))}</small></td>`;
    });
    return `<tr><td><code dir="auto">${escapeHtml(prompt)}</code></td>${cells.join("")}</tr>`;
  });
  const legend = boxLegend(completions.flatMap(({ answers }) => answers.map((answer) => answer?.picture ?? null)));
  return legend + scrollTable(["prompt", ...runs.map(shortName)], rows, "named");
}

function shown(value: unknown): string {
  if (value === null || value === undefined) return "–";
  if (typeof value === "number") return shownNumber(value);
  return typeof value === "string" ? value : JSON.stringify(value);
}
