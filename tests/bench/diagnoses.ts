/**
 * Scores the doctor on a folder of labelled cases: detection, naming, false alarms, forbidden names, confusions.
 *
 * The same figures as the cases' own scorer (tests/cases/score.py). Labels and folder names never reach the doctor.
 * @module
 */
import { benchArguments, typed } from "./arguments.ts";
import { type Label, labelledCases } from "./labelled/cases.ts";
import { readRun } from "../../data/adapters/read_run.ts";
import { diagnoseRun } from "../../steps/diagnoses/diagnose_run.ts";
import type { RunDiagnosis } from "../../steps/diagnoses/diagnosis.ts";
import { tableView } from "../../steps/diagnoses/view/table_view.ts";

export interface Prediction {
  readonly verdict: string;
  readonly causes: readonly string[];
}

export interface Tally {
  readonly faulty: number;
  readonly benign: number;
  readonly insufficient: number;
  readonly missing: number;
  readonly detected: number;
  readonly named: number;
  readonly namedFirst: number;
  readonly accepted: number;
  readonly slugsGiven: number;
  readonly falseAlarm: number;
  readonly saidBenign: number;
  readonly heldBack: number;
  readonly guessedRight: number;
  readonly mustNot: number;
}

/** Counts of score.py's `tally`. */
export function tally(labels: ReadonlyMap<string, Label>, predictions: ReadonlyMap<string, Prediction>): Tally {
  const rows = [...labels].map(([name, label]) => {
    const said = predictions.get(name);
    return { label, said, causes: said?.causes ?? [], faulty: said?.verdict === "faulty" };
  });
  const count = (test: (row: typeof rows[number]) => boolean) => rows.filter(test).length;
  const kind = (verdict: string) => (row: typeof rows[number]) => row.label.verdict === verdict;
  const hit = (test: (row: typeof rows[number]) => boolean) =>
    count((row) => kind("faulty")(row) && row.faulty && test(row));
  return {
    faulty: count(kind("faulty")),
    benign: count(kind("benign")),
    insufficient: count(kind("insufficient")),
    missing: count((row) => row.said === undefined),
    detected: hit(() => true),
    named: hit((row) => row.causes.includes(row.label.primary)),
    namedFirst: hit((row) => row.causes[0] === row.label.primary),
    accepted: hit((row) => row.causes.some((cause) => row.label.causes.includes(cause))),
    slugsGiven: rows.filter((row) => kind("faulty")(row) && row.faulty).reduce(
      (sum, row) => sum + row.causes.length,
      0,
    ),
    falseAlarm: count((row) => kind("benign")(row) && row.faulty),
    saidBenign: count((row) => kind("benign")(row) && row.said?.verdict === "benign"),
    heldBack: count((row) => kind("insufficient")(row) && row.said?.verdict === "insufficient"),
    guessedRight: count((row) => kind("insufficient")(row) && row.causes.includes(row.label.primary)),
    mustNot: count((row) => row.faulty && row.causes.some((cause) => row.label.must_not.includes(cause))),
  };
}

function ratio(hit: number, total: number): string {
  return total === 0 ? "0/0" : `${hit}/${total} ${Math.round((100 * hit) / total)} %`;
}

/** The report as text: figures, per system, per algorithm, per confidence, confusions. */
export function report(labels: ReadonlyMap<string, Label>, predictions: ReadonlyMap<string, Prediction>): string {
  const all = tally(labels, predictions);
  const lines = [
    `cases ${labels.size}: faulty ${all.faulty}, benign ${all.benign}, insufficient ${all.insufficient}; predictions missing ${all.missing}`,
    `detection rate on faulty        ${ratio(all.detected, all.faulty)}`,
    `named correctly (primary in)    ${ratio(all.named, all.faulty)}`,
    `  named first                   ${ratio(all.namedFirst, all.faulty)}`,
    `  any accepted cause named      ${ratio(all.accepted, all.faulty)}`,
    `  slugs per detected fault      ${all.detected === 0 ? "-" : (all.slugsGiven / all.detected).toFixed(2)}`,
    `false alarms on benign          ${ratio(all.falseAlarm, all.benign)}`,
    `  said benign                   ${ratio(all.saidBenign, all.benign)}`,
    `held back on insufficient       ${ratio(all.heldBack, all.insufficient)}`,
    `forbidden slug named            ${ratio(all.mustNot, labels.size)}`,
  ];
  for (const key of ["system", "algorithm", "confidence"] as const) {
    const groups = Map.groupBy([...labels], ([, label]) => label[key]);
    lines.push(
      "",
      `${key.padEnd(16)} ${
        ["detected", "named", "false alarm", "held back"].map((word) => word.padStart(12)).join(" ")
      }`,
    );
    for (const [group, members] of [...groups].sort((a, b) => b[1].length - a[1].length)) {
      const part = tally(new Map(members), predictions);
      const cells = [
        [part.detected, part.faulty],
        [part.named, part.faulty],
        [part.falseAlarm, part.benign],
        [part.heldBack, part.insufficient],
      ].map(([hit, total]) => `${hit}/${total}`.padStart(12));
      lines.push(`${group.padEnd(16)} ${cells.join(" ")}`);
    }
  }
  lines.push("", "confusions (true primary -> what was said): cases", ...confusions(labels, predictions));
  return lines.join("\n");
}

/** What was said of a case in place of its label, with the cases: a line each. */
export function confusions(labels: ReadonlyMap<string, Label>, predictions: ReadonlyMap<string, Prediction>): string[] {
  const wrong = new Map<string, string[]>();
  for (const [name, label] of labels) {
    const said = predictions.get(name);
    const verdict = said?.verdict ?? "missing";
    const good = label.verdict === "faulty"
      ? verdict === "faulty" && said!.causes[0] === label.primary
      : verdict === label.verdict;
    if (good) continue;
    const answer = verdict === "faulty" && said!.causes.length > 0 ? said!.causes.join("+") : verdict;
    const key = `${label.primary}${label.verdict === "faulty" ? "" : ` [${label.verdict}]`} -> ${answer}`;
    wrong.set(key, [...wrong.get(key) ?? [], name]);
  }
  return [...wrong].map(([key, names]) => `  ${key}: ${names.join(", ")}`);
}

/** What the doctor says about one folder; `label.json` is left out. */
export async function predict(folder: string): Promise<{ prediction: Prediction; diagnoses: RunDiagnosis[] }> {
  const runs = await readRun([folder]);
  const diagnoses = runs.map((run) => diagnoseRun(tableView(run.rows)));
  const rank = ["faulty", "insufficient", "benign"];
  const worst = diagnoses.toSorted((a, b) => rank.indexOf(a.verdict) - rank.indexOf(b.verdict))[0];
  const alarms = worst?.findings.filter((finding) => finding.severity !== "info") ?? [];
  return {
    prediction: {
      verdict: worst?.verdict ?? "insufficient",
      causes: alarms.slice(0, 3).map((finding) => finding.cause),
    },
    diagnoses,
  };
}

/** Reads labels and predictions of a folder of cases. Throws UsageError if it holds none. */
export async function scoreFolder(
  folder: string,
): Promise<{ labels: Map<string, Label>; predictions: Map<string, Prediction> }> {
  const cases = labelledCases(folder), predictions = new Map<string, Prediction>();
  for (const { name, path } of cases) predictions.set(name, (await predict(path)).prediction);
  return { labels: new Map(cases.map(({ name, label }) => [name, label])), predictions };
}

if (import.meta.main) {
  const { json, words } = typed(() => benchArguments(Deno.args, { json: false }, [0, 1]));
  const folder = words[0] ?? new URL("../cases", import.meta.url).pathname;
  const { labels, predictions } = await scoreFolder(folder);
  if (json) console.log(JSON.stringify(tally(labels, predictions)));
  else console.log(report(labels, predictions));
}
