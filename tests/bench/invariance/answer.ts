/** What the doctor answers, as far as it must stay: verdict, causes in order, and what it gives as proof. @module */
import { predict } from "../diagnoses.ts";
import type { Label } from "../labelled/cases.ts";
import type { Finding } from "../../../steps/diagnoses/diagnosis.ts";

export interface Answer {
  readonly verdict: string;
  /** The first cause; null where none is an alarm. */
  readonly first: string | null;
  /** Every cause named, after-effects too. */
  readonly causes: readonly string[];
  /** Causes without evidence that has a value. */
  readonly unproven: readonly string[];
  /** What was thrown. */
  readonly crash: string | null;
}

/** The doctor's answer to a folder of files. */
export async function answerOf(folder: string): Promise<Answer> {
  try {
    const { prediction, diagnoses } = await predict(folder);
    const findings = diagnoses.flatMap(({ findings, afterEffects }) => [...findings, ...afterEffects]);
    return {
      verdict: prediction.verdict,
      first: prediction.causes[0] ?? null,
      causes: [...new Set([...prediction.causes, ...findings.map(({ cause }) => cause)])],
      unproven: findings.filter((finding) => !isProven(finding)).map(({ cause }) => cause),
      crash: null,
    };
  } catch (error) {
    const crash = error instanceof Error ? error.message.split("\n")[0]! : String(error);
    return { verdict: "crash", first: null, causes: [], unproven: [], crash };
  }
}

export function isProven({ evidence }: Pick<Finding, "evidence">): boolean {
  return evidence.some(({ value }) => value !== null && value !== undefined);
}

export function sameAnswer(before: Answer, after: Answer): boolean {
  return before.verdict === after.verdict && before.first === after.first;
}

/** Faulty, of a cause that neither the label accepts nor the whole files named. */
export function leadsAstray(before: Answer, after: Answer, label: Pick<Label, "causes">): boolean {
  if (after.verdict !== "faulty") return after.crash !== null;
  return after.first === null || !label.causes.includes(after.first) && !before.causes.includes(after.first);
}

export function shownAnswer({ verdict, first, crash }: Answer): string {
  return crash !== null ? `crash: ${crash}` : first ?? verdict;
}
