/** The page of a diagnosis: verdict, findings with charts of the deciding metrics, how the log was read. @module */
import { TABLES } from "../../data/columns.ts";
import { PALETTE, type Spec, STEP_AXIS } from "../charts/chart.ts";
import { finishSpec, toSvg } from "../draw.ts";
import { escapeHtml, renderFindings, type ReportFinding } from "./findings.ts";
import { themed } from "./report.ts";
import { STYLE } from "./style.ts";

/** One run on the page. */
export interface DoctorPageRun {
  readonly path: string;
  readonly system: string;
  readonly verdict: string;
  readonly reasons: readonly string[];
  readonly missing: readonly string[];
  readonly findings: readonly ReportFinding[];
  readonly changes: readonly string[];
  readonly series: readonly {
    readonly name: string;
    readonly trainSteps: readonly number[];
    readonly values: readonly (number | null)[];
    /** Train step to mark, or null. */
    readonly mark: number | null;
  }[];
  readonly reading: readonly string[];
}

const VERDICT_CLASS: Record<string, string> = { healthy: "ok", faulty: "failed", "cannot tell": "interrupted" };

/** Renders one page for all runs. */
export async function renderDoctorPage(runs: readonly DoctorPageRun[]): Promise<string> {
  const bodies = await Promise.all(runs.map((run, i) => renderRun(run, i)));
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Diagnosis · ${escapeHtml(runs[0]?.path ?? "")}</title>
<style>${STYLE}</style>
</head>
<body>
${bodies.join("\n<hr>\n")}
<footer>Made by Nonzero: a doctor for reinforcement fine-tuning runs.</footer>
</body>
</html>
`;
}

async function renderRun(run: DoctorPageRun, index: number): Promise<string> {
  const charts = await Promise.all(run.series.map((s, i) => renderSeries(s, `run${index}_${i}`)));
  return `<header>
<p class="brand">Nonzero · diagnosis</p>
<h1>${escapeHtml(run.path.split(/[\\/]/).at(-1) ?? run.path)} <span class="status ${
    VERDICT_CLASS[run.verdict] ?? ""
  }">${escapeHtml(run.verdict)}</span></h1>
<p class="about">${escapeHtml(run.system)}</p>
</header>
<main>
${
    run.reasons.length || run.missing.length
      ? `<ul>${
        [...run.reasons, ...run.missing.map((m) => `missing: ${m}`)].map((r) => `<li>${escapeHtml(r)}</li>`).join("")
      }</ul>`
      : ""
  }
<section><h2>Findings</h2>${
    run.findings.length || run.verdict === "healthy"
      ? renderFindings(run.findings)
      : "<p>None that the files can prove.</p>"
  }</section>
${
    run.changes.length
      ? `<section><h2>What to change</h2><pre class="code">${escapeHtml(run.changes.join("\n"))}</pre></section>`
      : ""
  }
${
    charts.length
      ? `<section><h2>The metrics that decide</h2><div class="charts">${charts.join("")}</div></section>`
      : ""
  }
<section><h2>How it was read</h2><ul>${run.reading.map((r) => `<li>${escapeHtml(r)}</li>`).join("")}</ul></section>
</main>`;
}

async function renderSeries(series: DoctorPageRun["series"][number], id: string): Promise<string> {
  const values = series.trainSteps.map((train_step, i) => ({ train_step, value: finite(series.values[i]) }));
  const gaps = series.trainSteps.filter((_, i) => Number.isNaN(series.values[i])).map((train_step) => ({ train_step }));
  const layers: Spec[] = [{
    data: { values },
    mark: {
      type: "line",
      strokeWidth: 2,
      color: PALETTE.first,
      point: values.length < 30 ? { color: PALETTE.first } : false,
    },
    encoding: {
      x: STEP_AXIS,
      y: { field: "value", type: "quantitative", title: unitOf(series.name), scale: { zero: false } },
    },
  }];
  if (gaps.length) {
    layers.push({
      data: { values: gaps },
      mark: { type: "tick", orient: "vertical", color: PALETTE.bad, thickness: 1, opacity: 0.6 },
      encoding: { x: STEP_AXIS, y: { value: 185 } },
    });
  }
  if (series.mark !== null) {
    layers.push({
      data: { values: [{ train_step: series.mark }] },
      mark: { type: "rule", color: PALETTE.bad, strokeDash: [4, 3] },
      encoding: { x: STEP_AXIS },
    });
  }
  const svg = themed(await toSvg(finishSpec({ description: series.name, layer: layers })), id);
  const note = gaps.length ? `; red ticks: ${gaps.length} records with NaN` : "";
  return `<figure><figcaption><b>${escapeHtml(series.name)}</b>${
    series.mark === null ? "" : `dashed: train step ${series.mark}`
  }${note}</figcaption>${svg}</figure>`;
}

/** What the axis counts in: the unit of a metric of ours, else the name as the log has it. */
function unitOf(name: string): string {
  const columns: Readonly<Record<string, { readonly unit: string }>> = TABLES.metrics;
  return (Object.hasOwn(columns, name) && columns[name]!.unit) || name;
}

function finite(value: number | null | undefined): number | null {
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}
