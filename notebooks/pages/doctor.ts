/** The page of a diagnosis: verdict, findings with charts of the deciding metrics, how the log was read. @module */
import { type Spec, STEP_AXIS, unitOf } from "../charts/chart.ts";
import { hasFew, lineLayers } from "../charts/lines.ts";
import { PALETTE } from "../charts/palette.ts";
import { finishSpec, toSvg } from "../draw.ts";
import { renderFindings, type ReportFinding } from "./findings.ts";
import { stepWord } from "./where.ts";
import { bullets, codeBlock, escapeHtml, figure, heading, htmlPage, section } from "./parts.ts";
import { type PagePossible, renderPossible } from "./possible.ts";

/** A metric or an evaluation over the run. */
interface PageSeries {
  readonly name: string;
  /** Of an evaluation: the column of `metrics` that it measures. */
  readonly column?: string;
  readonly trainSteps: readonly number[];
  readonly values: readonly (number | null)[];
  /** Which of them are told and not printed. */
  readonly told?: readonly boolean[];
  /** Its first and last value, as text. */
  readonly ends: string;
  /** Train step to mark, or null. */
  readonly mark: number | null;
}

export interface DoctorPageRun {
  readonly path: string;
  readonly system: string;
  readonly verdict: string;
  /** Its train steps are numbers of records. */
  readonly counts?: "records";
  /** Since when, why, how much was lost, what to change. */
  readonly headline: string;
  readonly reasons: readonly string[];
  readonly missing: readonly string[];
  /** Of a healthy run: what proves it, where something does. */
  readonly proof?: string;
  /** Statements that the reasons speak of, as rows of evidence. */
  readonly pointed?: readonly unknown[];
  readonly findings: readonly ReportFinding[];
  /** Findings that are not among them. */
  readonly more: number;
  /** Options and lines to copy; of an unknown system those of several, each by its name. */
  readonly changes: readonly { readonly system: string | null; readonly lines: readonly string[] }[];
  /** What no option does, in words. */
  readonly byHand: string | null;
  /** The first cause, then what is found beside it and what it may be in its place, most likely first. */
  readonly possible: readonly PagePossible[];
  /** After-effects of the findings. */
  readonly follows: readonly string[];
  /** Those that the evidence of the first finding names. */
  readonly decisive: readonly PageSeries[];
  /** What else a person looks at. */
  readonly usual: readonly PageSeries[];
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
  const word = stepWord(run), span = spanOf([...run.decisive, ...run.usual]);
  const charts = async (title: string, series: readonly PageSeries[], id: string) => {
    const figures = await Promise.all(series.map((one, i) => renderSeries(one, span, word, `run${index}_${id}${i}`)));
    return figures.length === 0
      ? ""
      : section(title, `<div class="charts${figures.length === 1 ? " one" : ""}">${figures.join("")}</div>`);
  };
  const name = run.path.split(/[\\/]/).at(-1) ?? run.path;
  const findings = run.findings.length || run.verdict === "healthy"
    ? renderFindings(run.findings)
    : "<p>None that the files can prove.</p>";
  return `<header>
${heading("Nonzero · diagnosis", name, { text: run.verdict, look: VERDICT_CLASS[run.verdict] ?? "" }, run.system)}
</header>
<main>
${run.headline ? `<p class="headline">${escapeHtml(run.headline)}</p>` : ""}
${run.reasons.length ? bullets(run.reasons) : ""}
${run.missing.length ? `<p>Missing:</p>${bullets(run.missing)}` : ""}
${await charts("What shows it", run.decisive, "")}
${section("Findings", findings)}
${run.more > 0 ? `<p class="about">${run.more} more finding${run.more > 1 ? "s" : ""}: --all.</p>` : ""}
${run.follows.length ? `<p class="about">Follows from it:</p>${bullets(run.follows)}` : ""}
${run.possible.length ? section("What decides", renderPossible(run.possible)) : ""}
${renderChanges(run)}
${await charts(run.decisive.length ? "Beside it" : "The usual metrics", run.usual, "usual")}
${section("How it was read", bullets(run.reading))}
</main>`;
}

/** Only what is copied stands as code. */
function renderChanges({ changes, byHand }: Pick<DoctorPageRun, "changes" | "byHand">): string {
  const parts = [
    ...changes.map(({ system, lines }) =>
      `${system === null ? "" : `<p class="about">${escapeHtml(system)}</p>`}${codeBlock(lines.join("\n"))}`
    ),
    ...byHand === null ? [] : [`<p>${escapeHtml(byHand)}</p>`],
  ];
  return parts.length ? section("What to change", parts.join("\n")) : "";
}

async function renderSeries(series: PageSeries, span: Span, word: string, id: string): Promise<string> {
  const { name, column = name, trainSteps, values } = series;
  const mark = series.mark === null || series.mark < span[0] || series.mark > span[1] ? null : series.mark;
  const rows = trainSteps.flatMap((train_step, i) => {
    const value = values[i] ?? null;
    return value === null ? [] : [{ label: name, train_step, value: Number.isFinite(value) ? value : null }];
  });
  const broken = rows.filter(({ value }) => value === null).length;
  const x = { ...STEP_AXIS, title: word, scale: { ...STEP_AXIS.scale, domain: span } };
  // An evaluation of one of several data sets is called "set/column".
  const measured = column === name ? name : column.replace(/^.*\//, "").replace(/^reward\./, "");
  const unit = unitOf("metrics", measured, measured);
  const layers: Spec[] = [
    ...lineLayers(
      [{ label: name, color: PALETTE.first }],
      { type: "quantitative", title: unit, scale: { zero: false } },
      { named: false, few: hasFew(rows), broken: broken > 0, x },
    ),
    ...mark === null ? [] : [{
      data: { values: [{ train_step: mark }] },
      mark: { type: "rule", color: PALETTE.bad, strokeDash: [4, 3] },
      encoding: { x },
    }],
  ];
  const svg = await toSvg(finishSpec({ description: name, data: { values: rows }, layer: layers }));
  const about = [
    series.ends,
    ...mark === null ? [] : [`dashed: since ${word} ${mark}`],
    ...broken === 0 ? [] : [`red ticks: ${broken} record${broken === 1 ? "" : "s"} with NaN`],
  ];
  return figure(name, about.filter((text) => text !== "").join(" · "), svg, id);
}

/** First and last train step of all series: a train step stands at the same place in each drawing. */
type Span = readonly [from: number, to: number];

function spanOf(series: readonly PageSeries[]): Span {
  let from = Infinity, to = -Infinity;
  for (const { trainSteps } of series) {
    for (const step of trainSteps) [from, to] = [Math.min(from, step), Math.max(to, step)];
  }
  return [from, to];
}
