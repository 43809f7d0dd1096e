/** The report of a run: one self-contained HTML page, light and dark, without network. @module */
import { shownNumber } from "../../data/shown_number.ts";
import { isError } from "../../data/severity.ts";
import { type Chart, type ChartTables, PHASE, type Row } from "../charts/chart.ts";
import { CHART_GROUPS, CHARTS } from "../charts/mod.ts";
import { chooseSource } from "../choose_source.ts";
import type { BeforeAfter } from "../pictures/before_after.ts";
import { type ImageSource, NO_IMAGES, ShownImages } from "../pictures/shown_images.ts";
import { renderBeforeAfter } from "./before_after.ts";
import { completionsLegend, completionTable, type Seen, shownCompletions } from "./completions.ts";
import { renderEvaluationRewards, type RewardedEvaluation, type RewardNotes } from "./evaluation_rewards.ts";
import { renderFindings, type ReportFinding } from "./findings.ts";
import { controls, HINTS, scripts, STEP_COMPLETIONS } from "./interactive.ts";
import { chartFigure, drawnCharts, pageChart, pageColumns, type PageData } from "./page_charts.ts";
import { codeBlock, escapeHtml, factList, folded, heading, htmlPage, scrollTable, section } from "./parts.ts";
import type { BoxUnits } from "../pictures/picture.ts";

export interface ReportData {
  readonly name: string;
  readonly about: string;
  readonly runId: string;
  readonly status: string;
  /** One line for a failed or stopped run: what happened. */
  readonly reason?: string;
  /** Short facts under the title: seed, device, time, … */
  readonly facts: Readonly<Record<string, string>>;
  /** Figures before and after training: fractions of prompts, or mean rewards where no verifier judges. */
  readonly evaluations: readonly {
    readonly id: string;
    readonly mode: string;
    readonly value: number;
    readonly isReward?: boolean;
  }[];
  /** The same evaluations by reward function; nothing is said of them where absent. */
  readonly rewarded?: readonly RewardedEvaluation[];
  /** What has to be known to read rewards, by their names. */
  readonly rewardNotes?: RewardNotes;
  /** What each step came to, the last time it ran. */
  readonly outputs: readonly { readonly step: string; readonly text: string }[];
  readonly findings: readonly ReportFinding[];
  /** True where there was too little to call the run healthy. */
  readonly cannotTell?: boolean;
  readonly tables: ChartTables;
  /** Completions of several train steps, with `train_step`: those of the one that is clicked are shown. */
  readonly stepCompletions?: readonly Row[];
  /** Sampled completions to show, the last train step's. */
  readonly completions: readonly Row[];
  /** Gives the images of prompts; none are shown where absent, as of a log. */
  readonly images?: ImageSource;
  /** Of the coordinates of boxes; thousandths where absent. */
  readonly boxUnit?: BoxUnits;
  /** What the same prompts with images were answered before and after training; null where there are none. */
  readonly beforeAfter?: BeforeAfter | null;
  /** Sampling settings in force, and where each came from. */
  readonly sampling: readonly { readonly name: string; readonly value: string; readonly source: string }[];
  readonly workflow: string;
  readonly versions: Readonly<Record<string, string>>;
}

/**
 * Renders the page. One line names the charts of a run with rewards that have no values. `live` charts can be hovered, zoomed
 * and smoothed in the browser; a page without is pictures alone. `program` is HTML that follows a run which goes on.
 */
export async function renderReport(data: ReportData, { live = true, program = "" } = {}): Promise<string> {
  const charts = drawnCharts(data.tables), seen = seenOf(data);
  const figures = new Map(
    await Promise.all(
      charts.map(async ([name, chart]) => [name, await chartFigure(name, chart, data.tables)] as const),
    ),
  );
  const timeLine = figures.get("findings");
  figures.delete("findings");
  const troubled = data.status !== "ok" && data.status !== "running";
  const calm = data.cannotTell ? "cannot tell" : troubled ? null : data.status === "running" ? "running" : "healthy";
  const findings = section(
    "Findings",
    renderFindings(data.findings, calm) + (timeLine ? `<div class="charts">${timeLine}</div>` : ""),
    "findings",
  );
  const results = data.evaluations.length ? section("Before and after", renderEvaluations(data), "results") : "";
  const outputs = data.outputs.length ? section("What the steps came to", renderOutputs(data), "outputs") : "";
  // Without an evaluation, this is what the run came to.
  const [above, below] = results ? [results, outputs] : [outputs, ""];
  const body = `<header>
${heading("Nonzero", data.name, badge(data), data.about)}
${program && `<p class="about" id="live"></p>`}
${data.reason ? `<p class="reason">${escapeHtml(reasonBeside(data.reason, data.findings))}</p>` : ""}
${factList(data.facts)}
</header>
<main>
${troubled ? findings + above : above + findings}
${
    section(
      "Charts",
      `${live ? controls(HINTS.run) : ""}${renderGroups(figures)}${renderAbsent(data)}`,
      "charts",
    )
  }
${below}
${data.beforeAfter ? section("Before and after, seen", renderBeforeAfter(data.beforeAfter, seen.images), "seen") : ""}
${renderSampled(data, live, seen)}
${data.sampling.length ? section("Sampling settings in force", renderSampling(data.sampling), "sampling") : ""}
${data.workflow && section("Resolved workflow", folded(linesOf(data.workflow), codeBlock(data.workflow)), "workflow")}
${Object.keys(data.versions).length ? section("Versions", factList(data.versions), "versions") : ""}
</main>`;
  const scripted = live ? scripts(pageData(data, seen)) + program : "";
  // Last: by now all pictures have said which images they show.
  return htmlPage(`${data.name} · ${data.runId}`, body, FOOTER, seen.images.definitions + scripted);
}

/** The figures by the groups of their charts, each under its name. */
function renderGroups(figures: ReadonlyMap<string, string>): string {
  const grouped = Object.entries<readonly string[]>(CHART_GROUPS);
  const known = new Set(grouped.flatMap(([, names]) => names));
  const more = [...figures.keys()].filter((name) => !known.has(name));
  const there = [...grouped, ["More", more] as const]
    .map(([title, names]) => [title, names.flatMap((name) => figures.get(name) ?? [])] as const)
    .filter(([, drawn]) => drawn.length > 0);
  // The heading of a single group would say nothing.
  return there.map(([title, drawn]) =>
    `${there.length > 1 ? `<h3 class="group">${escapeHtml(title)}</h3>` : ""}<div class="charts">${
      drawn.join("")
    }</div>`
  ).join("");
}

/** What a finding below says word for word is not said twice. */
function reasonBeside(reason: string, findings: readonly ReportFinding[]): string {
  return findings.reduce(
    (text, { cause, message }) => text.replace(`${cause}: ${message}`, () => `${cause}: see the finding below`),
    reason,
  );
}

const linesOf = (text: string) => `${text.trimEnd().split("\n").length} lines`;

/** What the page's program is given. */
export function pageData(data: ReportData, seen = seenOf(data)): PageData {
  const { tables, stepCompletions = [] } = data;
  const charts = drawnCharts(tables).map(([name, chart]) => pageChart(name, chart, tables));
  const completions = shownCompletions(stepCompletions, seen);
  return { columns: pageColumns(tables.metrics ?? [], charts), charts, completions };
}

const seenOf = ({ images = NO_IMAGES, boxUnit = "thousandths", rewardNotes: notes = {} }: ReportData): Seen => ({
  images: new ShownImages(images),
  unit: boxUnit,
  notes,
});

function renderSampled({ completions, stepCompletions = [] }: ReportData, live: boolean, seen: Seen): string {
  const isLive = live && stepCompletions.length > 0, rows = isLive ? stepCompletions : completions;
  if (rows.length === 0) return "";
  const shown = isLive ? STEP_COMPLETIONS : completionTable(completions, seen);
  return section("Sampled completions", completionsLegend(rows, seen) + shown, "completions");
}

/** How the run ended; one that came to its end is not called ok above an error that was found in it, nor where nothing can be told. */
function badge({ status, findings, cannotTell }: ReportData): { text: string; look: string } {
  const errors = findings.filter(({ severity, at_end }) => isError(severity) && at_end !== false);
  if (status !== "ok") return { text: status, look: status };
  // The look of a run that was interrupted: neither good nor bad.
  if (errors.length === 0) {
    if (cannotTell) return { text: "ended, cannot tell", look: "interrupted" };
    const isWarned = findings.some(({ severity, at_end }) => severity === "warning" && at_end !== false);
    return isWarned ? { text: "ended, warning found", look: "interrupted" } : { text: "ok, healthy", look: "ok" };
  }
  return { text: errors.length === 1 ? "ended, error found" : `ended, ${errors.length} errors found`, look: "failed" };
}

const FOOTER =
  "Everything on this page is in the run folder: tables as Arrow files, charts as Vega-Lite specifications.";

/** Supervised training and preferences have few of the charts: to list there what needs rewards would be noise. */
function renderAbsent(data: ReportData): string {
  if (!data.tables.metrics?.some((row) => (row[PHASE] ?? "rollout") === "rollout")) return "";
  const absent = Object.values<Chart>(CHARTS).filter((chart) =>
    !chart.onlyWhereThere && chooseSource(chart, data.tables) === null
  );
  if (!absent.length) return "";
  return `<p class="absent">Not drawn, since no train step has a value: ${
    absent.map(({ title }) => escapeHtml(title)).join(", ")
  }.</p>`;
}

function renderEvaluations(data: ReportData): string {
  const modes = [...new Set(data.evaluations.map((e) => e.mode))];
  return `<div class="scores">${
    modes.map((mode) => {
      const rows = data.evaluations.filter((e) => e.mode === mode);
      const first = rows[0]!, last = rows.at(-1)!, isReward = first.isReward === true;
      const { shown, change, size } = isReward ? REWARD : SHARE, moved = change(first.value, last.value);
      const way = rows.length < 2 ? "" : moved > 0 ? "rise" : moved < 0 ? "fall" : "same"; // more is better
      const delta = way && `<span class="delta ${way}">${SIGNS[way]}${size(Math.abs(moved))}</span>`;
      const numbers = rows.map((r) => `<span><b>${shown(r.value)}</b><small>${escapeHtml(r.id)}</small></span>`);
      const head = `<h3>${escapeHtml(mode)}${isReward ? ", mean reward" : ""}</h3><p class="numbers">${
        numbers.join("<i>→</i>")
      }${delta}</p>`;
      // A reward has no end that a bar could be full at.
      return isReward
        ? `<div class="score">${head}</div>`
        : `<div class="score">${head}<div class="bar ${way}"><div class="more" style="width:${
          clampPercent(Math.max(first.value, last.value))
        }"></div><div class="less" style="width:${clampPercent(Math.min(first.value, last.value))}"></div></div></div>`;
    }).join("")
  }</div>${renderEvaluationRewards(data.rewarded ?? [], data.rewardNotes)}${
    data.beforeAfter ? `<p class="below"><a href="#seen">The pictures: what the same prompts were answered</a></p>` : ""
  }`;
}

function renderOutputs({ outputs }: ReportData): string {
  const rows = outputs.map(({ step, text }) => `<tr><td>${escapeHtml(step)}</td><td>${escapeHtml(text)}</td></tr>`);
  return scrollTable(["step", "the last time it ran"], rows);
}

function percent(x: number): string {
  return `${(100 * x).toFixed(1)} %`;
}

function clampPercent(x: number): string {
  return `${Math.min(100, Math.max(0, 100 * x)).toFixed(1)}%`;
}

/** How a share of solved prompts and a mean reward are written, and what changed of what is written. */
const SHARE = {
  shown: percent,
  change: (from: number, to: number) => Number((100 * (to - from)).toFixed(1)),
  size: (points: number) => `${points.toFixed(1)} points`,
};
const REWARD = {
  shown: (mean: number) => shownNumber(mean),
  change: (from: number, to: number) => Number(shownNumber(Number(shownNumber(to)) - Number(shownNumber(from)))),
  size: (change: number) => shownNumber(change),
};
const SIGNS = { rise: "+", fall: "−", same: "±" } as const;

function renderSampling(rows: ReportData["sampling"]): string {
  return scrollTable(
    ["setting", "value", "came from"],
    rows.map(({ name, value, source }) =>
      `<tr><td>${escapeHtml(name)}</td><td class="number">${escapeHtml(value)}</td><td>${escapeHtml(source)}</td></tr>`
    ),
  );
}
