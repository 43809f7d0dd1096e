/**
 * Scores the doctor on long runs that die slowly: detected, first, in the first two, how late, how well calibrated.
 *
 *     deno task bench slow [DIR...] [--each] [--quick] [--json]
 *
 * Without a folder: tests/slow. A case is a folder with a label.json as in tests/cases, and beside it `onset_step` and `last_step`. How late a death is
 * found is measured on the log as it was at that time: cut after each twentieth of the run.
 * @module
 */
import { benchArguments, typed } from "./arguments.ts";
import { calibration } from "./labelled/calibration.ts";
import { accepts, type Label, labelledCases } from "./labelled/cases.ts";
import { longestRun } from "./labelled/longest_run.ts";
import { prefixOf } from "./slow/prefix.ts";
import type { RunRows } from "../../data/run_rows.ts";
import { diagnoseRun } from "../../steps/diagnoses/diagnose_run.ts";
import type { RunDiagnosis } from "../../steps/diagnoses/diagnosis.ts";
import { tableView } from "../../steps/diagnoses/view/table_view.ts";

export interface Judged {
  readonly name: string;
  readonly label: Label;
  readonly verdict: RunDiagnosis["verdict"];
  /** Causes of the differential, most likely first, with their probability; of a faulty verdict only. */
  readonly causes: readonly { readonly cause: string; readonly probability: number }[];
  /** Share of the run's length after the onset at which it was first called faulty; null where never or no onset is known. */
  readonly late: number | null;
  /** Share of the run's length between the onset and the first train step of the first finding; null where one is not known. */
  readonly off: number | null;
  /** First share of the run at which a healthy one was called faulty; null for never. */
  readonly alarmedAt: number | null;
}

const NEAR = 0.15; // Share of the run's length within which a death is found in time, and its onset told.
const PARTS = 20, FIRST = 2; // A log is looked at after each twentieth, from the second on.

/** What the doctor says of a run, at its end and at each twentieth of it. */
export function judge(name: string, label: Label, rows: RunRows, parts = PARTS): Judged {
  const view = tableView(rows), said = diagnoseRun(view);
  const steps = view.trainSteps, length = (steps.at(-1) ?? 0) - (steps[0] ?? 0);
  // A log that prints no train steps counts its records.
  const scale = view.stepsPrinted || label.last_step === undefined ? 1 : (steps.at(-1) ?? 0) / label.last_step;
  let late: number | null = null, alarmedAt: number | null = null;
  for (let part = FIRST; part <= parts && parts > 0; part++) {
    const until = (steps[0] ?? 0) + length * part / parts;
    const now = part === parts ? said : diagnoseRun(tableView(prefixOf(rows, until)));
    if (now.verdict !== "faulty") continue;
    alarmedAt ??= part / parts;
    // An alarm that is over before the end was none of the death.
    late ??= label.onset_step == null ? null : Math.max(0, (until - scale * label.onset_step) / length);
  }
  const isFaulty = said.verdict === "faulty", began = said.findings[0]?.train_steps[0];
  const off = !isFaulty || began === undefined || label.onset_step == null
    ? null
    : (began - scale * label.onset_step) / length;
  return {
    name,
    label,
    verdict: said.verdict,
    causes: isFaulty ? said.differential.map(({ cause, probability }) => ({ cause, probability })) : [],
    late: isFaulty ? late : null,
    off,
    alarmedAt,
  };
}

/** The figures over all cases. */
export function tally(all: readonly Judged[]) {
  const faulty = all.filter(({ label }) => label.verdict === "faulty");
  const healthy = all.filter(({ label }) => label.verdict === "benign");
  const of = (rows: readonly Judged[], test: (row: Judged) => boolean) => rows.filter(test).length;
  const late = faulty.filter(({ label }) => label.onset_step != null);
  return {
    faulty: faulty.length,
    healthy: healthy.length,
    detected: of(faulty, ({ verdict }) => verdict === "faulty"),
    first: of(faulty, ({ causes, label }) => causes[0]?.cause === label.primary),
    inTwo: of(faulty, ({ causes, label }) => causes.slice(0, 2).some(({ cause }) => cause === label.primary)),
    firstAccepted: of(faulty, ({ causes, label }) => accepts(label, causes[0]?.cause)),
    alarms: of(healthy, ({ verdict }) => verdict === "faulty"),
    alarmsOnTheWay: of(healthy, ({ alarmedAt }) => alarmedAt !== null),
    timed: late.length,
    inTime: of(late, (row) => row.late !== null && row.late <= NEAR),
    dated: of(late, (row) => row.off !== null && Math.abs(row.off) <= NEAR),
  };
}

const share = (part: number, whole: number) =>
  `${part}/${whole}${whole === 0 ? "" : ` ${(100 * part / whole).toFixed(0)} %`}`;

/** How well the probability of the first cause holds. */
export function calibrated(all: readonly Judged[]) {
  return calibration(
    all.flatMap(({ causes: [first], label }) =>
      first === undefined ? [] : [{ probability: first.probability, isRight: accepts(label, first.cause) }]
    ),
  );
}

/** The report as text. */
export function report(all: readonly Judged[], each: boolean, isTimed = true): string {
  const n = tally(all);
  const lines = [
    `cases ${all.length}: faulty ${n.faulty}, healthy ${n.healthy}`,
    `detected                 ${share(n.detected, n.faulty)}`,
    `first                    ${share(n.first, n.faulty)}`,
    `first is an accepted one ${share(n.firstAccepted, n.faulty)}`,
    `in the first two         ${share(n.inTwo, n.faulty)}`,
    `within 15 % after onset  ${isTimed ? share(n.inTime, n.timed) : "not measured"}`,
    `begins within 15 % of it  ${share(n.dated, n.timed)}`,
    `alarms on healthy        ${share(n.alarms, n.healthy)} (on the way ${
      isTimed ? share(n.alarmsOnTheWay, n.healthy) : "not measured"
    })`,
    "",
    "probability of the first   findings   right   stated",
    ...calibrated(all).map(({ from, to, findings, right, stated }) =>
      `  ${from.toFixed(2)} to ${to.toFixed(2)} ${String(findings).padStart(18)} ${
        share(right, findings).padStart(14)
      } ${stated.toFixed(2).padStart(6)}`
    ),
    "",
    `${"true cause".padEnd(32)} detected first  in two in time`,
  ];
  const kinds = Map.groupBy(all.filter(({ label }) => label.verdict === "faulty"), ({ label }) => label.primary);
  for (const [cause, rows] of [...kinds].toSorted((a, b) => b[1].length - a[1].length)) {
    const own = tally(rows), cell = (part: number, whole: number) => `${part}/${whole}`.padStart(7);
    lines.push(
      `${cause.padEnd(32)} ${cell(own.detected, own.faulty)} ${cell(own.first, own.faulty)} ${
        cell(own.inTwo, own.faulty)
      } ${cell(own.inTime, own.timed)}`,
    );
  }
  lines.push("", "what was said otherwise (true cause -> first two): cases");
  const wrong = all.filter(({ label, verdict, causes }) =>
    label.verdict === "faulty" ? causes[0]?.cause !== label.primary : verdict === "faulty"
  );
  const saidOf = ({ causes, verdict }: Judged) => causes.slice(0, 2).map(({ cause }) => cause).join("+") || verdict;
  for (const [key, rows] of Map.groupBy(wrong, (row) => `${row.label.primary} -> ${saidOf(row)}`)) {
    lines.push(`  ${key}: ${rows.map(({ name }) => name).join(", ")}`);
  }
  if (each) {
    lines.push("");
    for (const { name, label, verdict, causes, late } of all) {
      const said = causes.slice(0, 3).map(({ cause, probability }) => `${cause} ${probability.toFixed(2)}`).join(", ");
      lines.push(
        `${name.padEnd(14)} ${label.primary.padEnd(28)} ${said || verdict}${
          late === null ? "" : `  +${late.toFixed(2)}`
        }`,
      );
    }
  }
  return lines.join("\n");
}

/** Reads and judges every case of a folder. Throws UsageError if it holds none. */
export async function judgeFolder(folder: string, parts = PARTS): Promise<Judged[]> {
  const judged = [];
  for (const { name, path, label } of labelledCases(folder)) {
    const rows = await longestRun(path);
    if (rows !== null) judged.push(judge(name, label, rows, parts));
  }
  return judged;
}

if (import.meta.main) {
  const { json, each, quick, words } = typed(() =>
    benchArguments(Deno.args, { json: false, each: false, quick: false }, [0, 20])
  );
  const all = [];
  for (const folder of words.length > 0 ? words : [new URL("../slow", import.meta.url).pathname]) {
    all.push(...await judgeFolder(folder, quick ? 0 : PARTS));
  }
  console.log(json ? JSON.stringify({ ...tally(all), calibration: calibrated(all) }) : report(all, each, !quick));
}
