/** What the doctor answers to a post: verdict, causes in order, the differential, and whether it points at something. @module */
import { Intake } from "../../../data/adapters/intake/intake.ts";
import { readSource } from "../../../data/adapters/read_sources.ts";
import { finish } from "../../../data/adapters/run/finish.ts";
import { diagnoseRun } from "../../../steps/diagnoses/diagnose_run.ts";
import type { Finding, RunDiagnosis } from "../../../steps/diagnoses/diagnosis.ts";
import { tableView } from "../../../steps/diagnoses/view/table_view.ts";
import type { Prediction } from "../diagnoses.ts";

export interface PostAnswer extends Prediction {
  /** Causes that the evidence leaves possible, most likely first. */
  readonly differential: readonly string[];
  /** Causes named without a line or a value that shows them. */
  readonly unproven: readonly string[];
  /** Lines of the post that prove what is named. */
  readonly lines: readonly number[];
}

const HEAD = 1 << 16; // Bytes by which a reader is chosen.
const RANK = ["faulty", "insufficient", "benign"];

/** The answer to a text as the file of that name; of several runs in it the worst one's. */
export async function answerPost(file: string, text: string): Promise<PostAnswer> {
  const intake = new Intake(), bytes = new TextEncoder().encode(text);
  const source = {
    path: file,
    name: file,
    size: bytes.length,
    head: bytes.subarray(0, HEAD),
    folder: null,
    file: null,
    async *chunks() {
      yield bytes;
    },
    bytes: () => Promise.resolve(bytes),
  };
  await readSource(source, intake, true);
  const runs = finish(file, intake).map(({ rows }) => {
    const view = tableView(rows);
    return { records: view.records, diagnosis: diagnoseRun(view) };
  });
  runs.sort((a, b) => rankOf(a.diagnosis) - rankOf(b.diagnosis) || b.records - a.records);
  return answerOf(runs[0]?.diagnosis);
}

const rankOf = ({ verdict }: RunDiagnosis) => RANK.indexOf(verdict);

function answerOf(diagnosis: RunDiagnosis | undefined): PostAnswer {
  if (diagnosis === undefined) {
    return { verdict: "insufficient", causes: [], differential: [], unproven: [], lines: [] };
  }
  const alarms = diagnosis.findings.filter(({ severity }) => severity !== "info");
  return {
    verdict: diagnosis.verdict,
    causes: alarms.map(({ cause }) => cause),
    differential: diagnosis.differential.map(({ cause }) => cause),
    unproven: alarms.filter((finding) => !pointsAtSomething(finding)).map(({ cause }) => cause),
    lines: alarms.flatMap(({ evidence }) => evidence.flatMap(({ line }) => line ?? [])),
  };
}

/** True of a finding with a value, or a line that a person can look at: what people say has no value. */
export function pointsAtSomething({ evidence }: Pick<Finding, "evidence">): boolean {
  return evidence.some(({ value, line, source }) =>
    value !== null && value !== undefined || source !== null && line !== null
  );
}
