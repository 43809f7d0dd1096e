/** What the doctor has to say about one path, before it is printed as text, Markdown, JSON or HTML. @module */
import type { Finding, RunDiagnosis } from "../../steps/diagnoses/diagnosis.ts";
import { patchLine } from "../../steps/diagnoses/remedies/remedy.ts";
import type { Setting } from "../../steps/diagnoses/view/run_view.ts";
import type { Evidence } from "../../steps/diagnoses/view/evidence.ts";
import { shownTime } from "../../data/shown_time.ts";
import type { Machine } from "./bill.ts";

/** A metric over the run, for a sparkline or a chart. */
export interface Series {
  /** Column of a metric; of an evaluation its name as evidence has it. */
  readonly name: string;
  /** Of an evaluation: the column of `metrics` that it measures. */
  readonly column?: string;
  readonly trainSteps: readonly number[];
  readonly values: readonly (number | null)[];
  /** Of a post: which of them are told and not printed; absent where none is. */
  readonly told?: readonly boolean[];
}

export interface Examined {
  readonly path: string;
  /** Which run of a file that holds several, e.g. "2 of 3"; empty for one. */
  readonly part: string;
  readonly system: string | null;
  readonly algorithm: string | null;
  readonly records: number;
  /** Of a post: records that each file prints. */
  readonly printed?: ReadonlyMap<string, number>;
  /** Of a post: statements and figures in its prose. */
  readonly statements?: number;
  /** Where the log does not tell train steps: what stands for them. */
  readonly counts?: "records";
  readonly diagnosis: RunDiagnosis;
  /** Of a healthy run: what proves it, where something does. */
  readonly proof?: string;
  /** Statements that the reasons speak of, where they stand. */
  readonly pointed?: readonly Evidence[];
  /** Where options stand. */
  readonly settings?: readonly Pick<Setting, "name" | "source" | "line">[];
  /** GPUs and their price, where a person said them. */
  readonly machine?: Machine;
  /** All metrics with at least one value. */
  readonly series: ReadonlyMap<string, Series>;
  /** What evaluations measured, by the name that evidence gives it. */
  readonly evaluations: ReadonlyMap<string, Series>;
  /** Metric name (column) behind a printed name, for evidence lines. */
  readonly columnOf: ReadonlyMap<string, string>;
  /** What was read and what was not: one line each. */
  readonly reading: readonly string[];
}

/** How a verdict is printed. */
export const VERDICT_WORDS = { faulty: "faulty", benign: "healthy", insufficient: "cannot tell" } as const;

/** The two or three series that decide a finding: those its evidence names, in that order, held-out scores too. */
export function decisiveSeries(examined: Examined, finding: Finding): Series[] {
  const named = finding.evidence.flatMap((evidence) => seriesOf(examined, evidence) ?? []);
  return [...new Set(named)].filter(isCourse).slice(0, 3);
}

/** The series that an evidence row is a point of: of training, or of an evaluation. */
function seriesOf({ series, evaluations, columnOf }: Examined, { table, name }: Evidence): Series | undefined {
  if (table === "evaluations") return evaluations.get(name);
  if (table !== undefined && table !== "metrics") return undefined;
  const column = columnOf.get(name);
  return column === undefined ? evaluations.get(name) ?? series.get(name) : series.get(column);
}

/** One value has no course. */
const isCourse = ({ values }: Series) => values.filter((value) => value !== null).length > 1;

/** Train step from which a finding holds: the mark in its pictures; null where it names none. */
export function onsetOf({ began, train_steps }: Pick<Finding, "began" | "train_steps">): number | null {
  return began ?? train_steps[0] ?? null;
}

/** A value as a person reads it. */
export function valueText(value: Evidence["value"]): string {
  if (value === null) return "none";
  if (typeof value !== "number") return JSON.stringify(value).slice(0, 120);
  if (!Number.isFinite(value)) return Number.isNaN(value) ? "NaN" : value > 0 ? "inf" : "-inf";
  if (Number.isInteger(value) && Math.abs(value) < 1e9) return String(value);
  return Math.abs(value) >= 1e5 || Math.abs(value) < 1e-3
    ? value.toExponential(2)
    : String(Number(value.toPrecision(4)));
}

/** The value of a row of evidence: as it stands there, a time of ours with its unit. */
export const evidenceText = ({ name, value }: Pick<Evidence, "name" | "value">): string =>
  shownTime(name, value) ?? valueText(value);

/** A text with the examined path taken out of it: the head of the report has it. */
export function withinPath({ path }: Examined, text: string): string {
  if (!/[\\/]/.test(path)) return text;
  const last = path.split(/[\\/]/).at(-1)!;
  return text.replaceAll(`${path}/`, "").replaceAll(`${path}\\`, "").replaceAll(path, last || path);
}

/** The reasons that are not the message of a finding said again. */
export function otherReasons({ diagnosis: { findings, reasons } }: Examined): string[] {
  return reasons.filter((reason) => !findings.some(({ message }) => reason.includes(message)));
}

/** The metrics a person looks at first, where a run has several records of them. */
export function usualSeries({ series }: Examined): Series[] {
  return ["reward", "loss", "grad_norm", "kl", "entropy"].flatMap((name) => series.get(name) ?? [])
    .filter(isCourse);
}

/** "trl grpo", or that nobody knows. */
export function systemText({ system, algorithm }: Pick<Examined, "system" | "algorithm">): string {
  return [system, algorithm].filter(Boolean).join(" ") || "unknown system";
}

/** "1 record", "12 records". */
export function recordsText({ records, statements = 0 }: Examined): string {
  const printed = `${records} record${records === 1 ? "" : "s"}`;
  return statements === 0 ? printed : `${printed}, ${statements} statement${statements === 1 ? "" : "s"} in prose`;
}

/** What to change, copy-paste: options of the person's system, or lines of our workflow. */
export function pastedLines({ remedy: { options, patches } }: Finding): string[] {
  return options.length ? [...options] : patches.flatMap((patch) => patchLine(patch) ?? []);
}

/** What a person does by hand, in words; null where the hint says it, as in a run of ours. */
export function byHandText({ hint, remedy: { by_hand } }: Finding): string | null {
  return by_hand && by_hand !== hint ? by_hand : null;
}

/** Both, one after the other. */
export function changeLines(finding: Finding): string[] {
  return [...pastedLines(finding), ...[byHandText(finding)].flatMap((text) => text ?? [])];
}
