/** The page of a diagnosis: verdict, findings with charts of the deciding metrics, how the log was read. @module */
import { type Spec, STEP_AXIS, unitOf } from "../charts/chart.ts";
import { PALETTE } from "../charts/palette.ts";
import { finishSpec, toSvg } from "../draw.ts";
import { renderFindings, type ReportFinding } from "./findings.ts";
import { bullets, codeBlock, escapeHtml, figure, heading, htmlPage, section } from "./parts.ts";
import { type PagePossible, renderPossible } from "./possible.ts";

export interface DoctorPageRun {
  readonly path: string;
  readonly system: string;
  readonly verdict: string;
  /** Since when, why, how much was lost, what to change. */
  readonly headline: string;
  readonly reasons: readonly string[];
  readonly missing: readonly string[];
  readonly findings: readonly ReportFinding[];
  readonly changes: readonly string[];
  /** The first cause and what it may be in its place, most likely first. */
  readonly possible: readonly PagePossible[];
  /** After-effects of the findings. */
  readonly follows: readonly string[];
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
  const bodies = await Promise.all(runs.map(renderRun));
  return htmlPage(
    `Diagnosis · ${runs[0]?.path ?? ""}`,
    bodies.join("\n<hr>\n"),
    "Made by Nonzero: a doctor for reinforcement fine-tuning runs.",
  );
}

async function renderRun(run: DoctorPageRun, index: number): Promise<string> {
  const charts = await Promise.all(run.series.map((s, i) => renderSeries(s, `run${index}_${i}`)));
  const name = run.path.split(/[\\/]/).at(-1) ?? run.path;
  const lines = [...run.reasons, ...run.missing.map((m) => `missing: ${m}`)];
  const findings = run.findings.length || run.verdict === "healthy"
    ? renderFindings(run.findings)
    : "<p>None that the files can prove.</p>";
  return `<header>
${heading("Nonzero · diagnosis", name, { text: run.verdict, look: VERDICT_CLASS[run.verdict] ?? "" }, run.system)}
</header>
<main>
${run.headline ? `<p class="headline">${escapeHtml(run.headline)}</p>` : ""}
${lines.length ? bullets(lines) : ""}
${section("Findings", findings)}
${run.follows.length ? `<p class="about">Follows from it: ${escapeHtml(run.follows.join(", "))}.</p>` : ""}
${run.possible.length ? section("What decides", renderPossible(run.possible)) : ""}
${run.changes.length ? section("What to change", codeBlock(run.changes.join("\n"))) : ""}
${charts.length ? section("The metrics that decide", `<div class="charts">${charts.join("")}</div>`) : ""}
${section("How it was read", bullets(run.reading))}
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
      y: {
        field: "value",
        type: "quantitative",
        title: unitOf("metrics", series.name, series.name),
        scale: { zero: false },
      },
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
  const mark = series.mark === null ? "" : `dashed: train step ${series.mark}`;
  const note = gaps.length ? `; red ticks: ${gaps.length} records with NaN` : "";
  const svg = await toSvg(finishSpec({ description: series.name, layer: layers }));
  return figure(series.name, `${mark}${note}`, svg, id);
}

function finite(value: number | null | undefined): number | null {
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}
