/** The report of a run: one self-contained HTML page, light and dark, without scripts or network. @module */
import type { TableName } from "../../data/columns.ts";
import { PALETTE, type Row } from "../charts/chart.ts";
import { CHARTS } from "../charts/mod.ts";
import { chartSpec, toSvg } from "../draw.ts";
import { escapeHtml, renderFindings, type ReportFinding } from "./findings.ts";
import { STYLE } from "./style.ts";

export interface ReportData {
  readonly name: string;
  readonly about: string;
  readonly runId: string;
  readonly status: string;
  /** One line for a failed or stopped run: what happened. */
  readonly reason?: string;
  /** Short facts under the title: seed, device, time, … */
  readonly facts: Readonly<Record<string, string>>;
  /** Figures before and after training, fractions of prompts. */
  readonly evaluations: readonly { readonly id: string; readonly mode: string; readonly value: number }[];
  readonly findings: readonly ReportFinding[];
  /** True where there was too little to call the run healthy. */
  readonly cannotTell?: boolean;
  readonly tables: Partial<Record<TableName, readonly Row[]>>;
  /** Sampled completions to show, the last train step's. */
  readonly completions: readonly Row[];
  /** Sampling settings in force, and where each came from. */
  readonly sampling: readonly { readonly name: string; readonly value: string; readonly source: string }[];
  readonly workflow: string;
  readonly versions: Readonly<Record<string, string>>;
}

/** Renders the page. Charts whose table or columns are absent are listed as not drawn, with the reason. */
export async function renderReport(data: ReportData): Promise<string> {
  const drawn = await Promise.all(Object.entries(CHARTS).map(([name, chart]) => drawChart(name, chart, data)));
  const troubled = data.status !== "ok" && data.status !== "running";
  const calm = troubled ? null : data.cannotTell ? "cannot tell" : "healthy";
  const findings = section("findings", "Findings", renderFindings(data.findings, calm));
  const results = data.evaluations.length ? section("results", "Before and after", renderEvaluations(data)) : "";
  const charts = section("charts", "Charts", `<div class="charts">${drawn.join("")}</div>`);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(data.name)} · ${escapeHtml(data.runId)}</title>
<style>${STYLE}</style>
</head>
<body>
<header>
<p class="brand">Nonzero</p>
<h1>${escapeHtml(data.name)} <span class="status ${escapeHtml(data.status)}">${escapeHtml(data.status)}</span></h1>
<p class="about">${escapeHtml(data.about)}</p>
${data.reason ? `<p class="reason">${escapeHtml(data.reason)}</p>` : ""}
<dl class="facts">${
    Object.entries(data.facts).map(([k, v]) => `<div><dt>${escapeHtml(k)}</dt><dd>${escapeHtml(v)}</dd></div>`).join("")
  }</dl>
</header>
<main>
${troubled ? findings + results : results + findings}
${charts}
${data.completions.length ? section("completions", "Sampled completions", renderCompletions(data.completions)) : ""}
${data.sampling.length ? section("sampling", "Sampling settings in force", renderSampling(data.sampling)) : ""}
${section("workflow", "Resolved workflow", `<pre class="code">${escapeHtml(data.workflow)}</pre>`)}
${section("versions", "Versions", definitionList(data.versions))}
</main>
<footer>Everything on this page is in the run folder: tables as Arrow files, charts as Vega-Lite specifications.</footer>
</body>
</html>
`;
}

function section(id: string, title: string, body: string): string {
  return `<section id="${id}"><h2>${title}</h2>${body}</section>`;
}

async function drawChart(name: string, chart: (typeof CHARTS)[keyof typeof CHARTS], data: ReportData): Promise<string> {
  const rows = data.tables[chart.reads] ?? [];
  const has = (column: string) => rows.some((row) => typeof row[column] === "number" && Number.isFinite(row[column]));
  const values = chart.columns.filter((c) => c !== "train_step");
  if (!values.some(has)) {
    return `<figure class="absent"><figcaption><b>${chart.title}</b> not drawn: no train step has ${
      values.join(" or ")
    }</figcaption></figure>`;
  }
  const complete = rows.map((row) => ({ ...Object.fromEntries(chart.columns.map((c) => [c, null])), ...row }));
  const svg = themed(await toSvg(chartSpec(chart, complete)), name);
  return `<figure><figcaption><b>${chart.title}</b>${escapeHtml(chart.about)}</figcaption>${svg}</figure>`;
}

/** Colours become CSS variables; ids get the chart's name, since many SVGs share the page. */
export function themed(svg: string, name: string): string {
  let out = svg.replaceAll('id="', `id="${name}_`).replaceAll("url(#", `url(#${name}_`);
  for (const [key, color] of Object.entries(PALETTE)) out = out.replaceAll(color, `var(--${key})`);
  return out.replace(/<svg ([^>]*?)width="(\d+)" height="(\d+)"/, '<svg $1width="100%"');
}

function renderEvaluations(data: ReportData): string {
  const modes = [...new Set(data.evaluations.map((e) => e.mode))];
  return `<div class="scores">${
    modes.map((mode) => {
      const rows = data.evaluations.filter((e) => e.mode === mode);
      const first = rows[0]!, last = rows.at(-1)!;
      const change = last.value - first.value, way = rows.length < 2 ? "" : direction(change);
      const delta = way && `<span class="delta ${way}">${points(change)}</span>`;
      return `<div class="score"><h3>${escapeHtml(mode)}</h3><p class="numbers">${
        rows.map((r) => `<span><b>${percent(r.value)}</b><small>${escapeHtml(r.id)}</small></span>`).join("<i>→</i>")
      }${delta}</p><div class="bar ${way}"><div class="more" style="width:${
        clampPercent(Math.max(first.value, last.value))
      }"></div><div class="less" style="width:${clampPercent(Math.min(first.value, last.value))}"></div></div></div>`;
    }).join("")
  }</div>`;
}

function percent(x: number): string {
  return `${(100 * x).toFixed(1)} %`;
}

function clampPercent(x: number): string {
  return `${Math.min(100, Math.max(0, 100 * x)).toFixed(1)}%`;
}

/** Which way a share of solved prompts went, as it is shown: more is better. */
function direction(change: number): "rise" | "fall" | "same" {
  const shown = Number((100 * change).toFixed(1));
  return shown > 0 ? "rise" : shown < 0 ? "fall" : "same";
}

function points(change: number): string {
  const sign = { rise: "+", fall: "−", same: "±" }[direction(change)];
  return `${sign}${Math.abs(100 * change).toFixed(1)} points`;
}

function renderCompletions(rows: readonly Row[]): string {
  const rewards = [...new Set(rows.flatMap((r) => Object.keys(r)))].filter((k) => k.startsWith("reward."));
  const head = ["prompt", "completion", "answer", ...rewards.map((r) => r.slice(7)), "reward", "advantage", "tokens"];
  const body = rows.map((row) => {
    const state = row["correct"] === true ? "right" : row["correct"] === false ? "wrong" : "";
    return `<tr class="${state}"><td><code>${text(row["prompt"])}</code></td><td><code>${text(row["text"])}</code>${
      row["truncated"] ? ' <small class="cut">truncated</small>' : ""
    }</td><td><code>${text(row["answer"])}</code></td>${
      [...rewards, "reward", "advantage"].map((c) => `<td class="number">${number(row[c])}</td>`).join("")
    }<td class="number">${escapeHtml(String(row["completion_tokens"] ?? ""))}</td></tr>`;
  });
  return `<div class="scroll"><table><thead><tr>${
    head.map((h) => `<th>${escapeHtml(h)}</th>`).join("")
  }</tr></thead><tbody>${body.join("")}</tbody></table></div>`;
}

function text(value: unknown): string {
  const s = String(value ?? "");
  return escapeHtml(s.length > 160 ? `${s.slice(0, 160)}…` : s).replaceAll("\n", "⏎");
}

function number(value: unknown): string {
  if (value === null || value === undefined) return "–";
  return typeof value === "number"
    ? (Number.isInteger(value) ? String(value) : value.toFixed(3))
    : escapeHtml(String(value));
}

function renderSampling(rows: ReportData["sampling"]): string {
  return `<div class="scroll"><table><thead><tr><th>setting</th><th>value</th><th>came from</th></tr></thead><tbody>${
    rows.map((r) =>
      `<tr><td>${escapeHtml(r.name)}</td><td class="number">${escapeHtml(r.value)}</td><td>${
        escapeHtml(r.source)
      }</td></tr>`
    ).join("")
  }</tbody></table></div>`;
}

function definitionList(entries: Readonly<Record<string, string>>): string {
  return `<dl class="facts">${
    Object.entries(entries).map(([k, v]) => `<div><dt>${escapeHtml(k)}</dt><dd>${escapeHtml(v)}</dd></div>`).join("")
  }</dl>`;
}
