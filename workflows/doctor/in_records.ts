/**
 * What is said of a run whose log does not tell its train steps: the numbers are those of its records, and are called so.
 *
 * Rules speak of train steps, whatever a log prints; words are changed only where a number stands beside them, or the first
 * or last is meant. How long a train step takes, and what is to be done for some of them, stays.
 * @module
 */
import type { Finding, RunDiagnosis } from "../../steps/diagnoses/diagnosis.ts";
import type { Likely } from "../../steps/diagnoses/differential/differential.ts";

/** "since train step 57" as "since record 57", "40 train steps" as "40 records". */
export function inRecords(text: string): string {
  return text
    .replace(/\btrain step(s?)(?= \d)/g, "record$1").replace(/\bTrain step(s?)(?= \d)/g, "Record$1")
    .replace(/\b(\d[\d.,]*(?: of \d[\d.,]*)?) train step(s?)\b/g, "$1 record$2")
    .replace(/\b(the (?:first|last|best)(?: printed)?) train step(s?)\b/gi, "$1 record$2");
}

/** The diagnosis in the words of its records. */
export function diagnosisInRecords(diagnosis: RunDiagnosis): RunDiagnosis {
  return {
    ...diagnosis,
    findings: diagnosis.findings.map(findingInRecords),
    afterEffects: diagnosis.afterEffects.map(findingInRecords),
    differential: diagnosis.differential.map(likelyInRecords),
    missing: diagnosis.missing.map(inRecords),
    reasons: diagnosis.reasons.map(inRecords),
  };
}

function findingInRecords(finding: Finding): Finding {
  return {
    ...finding,
    message: inRecords(finding.message),
    evidence: finding.evidence.map((row) => row.note === undefined ? row : { ...row, note: inRecords(row.note) }),
    ruled_out: finding.ruled_out.map(({ cause, why }) => ({ cause, why: inRecords(why) })),
  };
}

function likelyInRecords(likely: Likely): Likely {
  const said = (pieces: Likely["for"]) => pieces.map((piece) => ({ ...piece, says: inRecords(piece.says) }));
  return { ...likely, for: said(likely.for), against: said(likely.against) };
}
