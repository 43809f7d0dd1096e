/** Asks the rules about a run that has been read, wherever that was. @module */
import type { ImportedRun } from "../../data/adapters/run/imported_run.ts";
import type { RunDiagnosis } from "../../steps/diagnoses/diagnosis.ts";
import { diagnoseRun } from "../../steps/diagnoses/diagnose_run.ts";
import type { RunView } from "../../steps/diagnoses/view/run_view.ts";
import { tableView } from "../../steps/diagnoses/view/table_view.ts";
import type { Examined, Series } from "./examined.ts";
import { shownHealth } from "../../steps/diagnoses/told/shown_health.ts";
import { knownSteps } from "../../steps/diagnoses/view/told_steps.ts";
import type { ToldPlace } from "../../data/run_rows.ts";
import { printedRecords } from "../../steps/diagnoses/told/told_finding.ts";
import { diagnosisAsTold } from "./as_told.ts";
import { diagnosisInRecords } from "./in_records.ts";
import { printedBySource, toldOf } from "./printed.ts";
import { pointedAt } from "./pointed.ts";

/** Diagnoses one run that has been read. */
export function examineRun(run: ImportedRun): Examined {
  const columnOf = new Map<string, string>();
  const series = new Map<string, Series>();
  const view = tableView(run.rows);
  for (const [name, values] of view.columns) {
    for (const printed of run.rows.log?.printed.get(name)?.names ?? []) columnOf.set(printed, name);
    if (values.some((v) => v !== null)) {
      series.set(name, {
        name,
        trainSteps: view.trainSteps,
        values: drawn(view, values, (at) => view.toldAt(name, at)),
        ...toldOf(view, name),
      });
    }
  }
  return {
    path: run.path,
    part: run.part.of > 1
      ? [`${run.part.index} of ${run.part.of}`, ...run.part.run === null ? [] : [run.part.run]].join(", ")
      : "",
    system: run.system,
    algorithm: view.algorithm,
    ...recordsOf(view),
    ...diagnosed(view),
    series,
    evaluations: evaluationSeries(view),
    columnOf,
    settings: view.settings.map(({ name, source, line }) => ({ name, source, line })),
    reading: readingLines(run),
  };
}

/** The values that are printed, and those that are told, each where it is told: what stands for more of them is left out. */
function drawn(
  view: RunView,
  values: Series["values"],
  toldAt: (record: number) => ToldPlace | null,
): Series["values"] {
  if (!view.isPost) return values;
  return values.map((value, record) => {
    const told = toldAt(record);
    return told === null || told.isPoint && (told.trainStep !== null || !view.stepsPrinted) ? value : null;
  });
}

/** Records that are printed, and what people say beside them. */
function recordsOf(view: RunView): Pick<Examined, "records" | "statements" | "printed"> {
  if (!view.isPost) return { records: view.records };
  const told = [...view.columns.keys()].filter((name) =>
    view.trainSteps.some((_, record) => view.isTold(name, record))
  );
  return {
    records: printedRecords(view),
    printed: printedBySource(view),
    statements: view.claims.filter(({ counts }) => counts).length + told.length,
  };
}

/** The diagnosis in the words of what the log counts by, and what its reasons speak of. */
function diagnosed(view: RunView): Pick<Examined, "diagnosis" | "counts" | "pointed" | "proof"> {
  const diagnosis = diagnoseRun(view), pointed = pointedAt(view, diagnosis.reasons);
  const proof = diagnosis.verdict === "benign" ? shownHealth(view)[0] : undefined;
  return {
    ...inItsWords(diagnosis, view),
    ...pointed.length === 0 ? {} : { pointed },
    ...proof === undefined ? {} : { proof },
  };
}

function inItsWords(diagnosis: RunDiagnosis, view: RunView): Pick<Examined, "diagnosis" | "counts"> {
  const isTold = view.isPost && (view.records > printedRecords(view) || tellsOfTests(view));
  const told = isTold ? diagnosisAsTold(diagnosis, knownSteps(view)) : diagnosis;
  return view.stepsPrinted ? { diagnosis: told } : { diagnosis: diagnosisInRecords(told), counts: "records" };
}

const tellsOfTests = (view: RunView) =>
  view.evaluated.some((name) => view.evaluationSteps.some((_, record) => view.evaluationToldAt(name, record) !== null));

/** What evaluations measured, each under the name that evidence gives it. */
function evaluationSeries(view: RunView): Map<string, Series> {
  const printed = view.evaluated.flatMap((column): Series[] => {
    const all = view.evaluation(column), at = all.findIndex((value) => value !== null);
    if (at < 0) return [];
    const { name } = view.evaluationEvidence(column, at);
    const values = drawn(view, all, (record) => view.evaluationToldAt(column, record));
    return [{ name, column, trainSteps: view.evaluationSteps, values }];
  });
  const own = view.scores.map(({ name, trainSteps, values }): Series => ({
    name,
    column: "accuracy",
    trainSteps,
    values,
  }));
  return new Map([...printed, ...own].map((series) => [series.name, series]));
}

function readingLines(run: ImportedRun): string[] {
  const lines = run.sources.filter((s) => s.partial !== null).map((s) => `${s.path}: read in part: ${s.partial}`);
  for (const { source, line, reason, count } of run.skipped.slice(0, 5)) {
    lines.push(`${source}${line === null ? "" : `:${line}`}: ${reason}${count > 1 ? ` (${count} times)` : ""}`);
  }
  if (run.skipped.length > 5) lines.push(`and ${run.skipped.length - 5} more places that were not understood`);
  if (run.thinned) lines.push(`${run.thinned} records were read and not kept, to bound memory`);
  const unmapped = [...run.unmapped.keys()];
  if (unmapped.length) {
    lines.push(
      `${unmapped.length} metric name${unmapped.length > 1 ? "s" : ""} without a column: ${
        unmapped.slice(0, 8).map((n) => n.slice(0, 60)).join(", ")
      }${unmapped.length > 8 ? ", …" : ""}`,
    );
  }
  return lines;
}
