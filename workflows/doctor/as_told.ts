/**
 * What is said of a run that people tell of: records that stand for what they say are no records, and are not called so.
 * @module
 */
import type { Finding, RunDiagnosis } from "../../steps/diagnoses/diagnosis.ts";
import type { Likely } from "../../steps/diagnoses/differential/differential.ts";

/** "on all 12 records" as "throughout, as it is told". */
export function asTold(text: string): string {
  return text
    .replace(/\bon (?:all|each of|every one of) (?:the )?\d+ records?\b/g, "throughout, as it is told")
    .replace(/\ball \d+ records?\b/g, "all that is told")
    .replace(/\bon (?:the one record|1 record|\d+ of \d+ records?|\d+ records?)\b/g, "as it is told")
    .replace(/\b\d+ records? (?:is|are) too few to judge a run\b/g, "what is told is too little to judge a run")
    .replace(/ on (?:the )?\d+ records?\b/g, " on what is told");
}

/** The diagnosis of a run of which no record is printed, in such words. */
export function diagnosisAsTold(diagnosis: RunDiagnosis): RunDiagnosis {
  const finding = (one: Finding): Finding => ({ ...one, message: asTold(one.message) });
  const said = (pieces: Likely["for"]) => pieces.map((piece) => ({ ...piece, says: asTold(piece.says) }));
  return {
    ...diagnosis,
    findings: diagnosis.findings.map(finding),
    afterEffects: diagnosis.afterEffects.map(finding),
    differential: diagnosis.differential.map((one) => ({ ...one, for: said(one.for), against: said(one.against) })),
    reasons: diagnosis.reasons.map(asTold),
  };
}
