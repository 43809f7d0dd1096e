/** Which causes of one run exclude each other, and which are faults beside each other. @module */
import { type Cause, DIAGNOSES } from "../mod.ts";
import type { Diagnosis, Finding, RunDiagnosis } from "../diagnosis.ts";
import type { Likely } from "./differential.ts";

/** True if one is taken for the other: a rule of either tells them apart. What no rule confuses is there as well. */
export function areLookAlikes(a: string, b: string): boolean {
  const names = (cause: string, other: string) =>
    Object.hasOwn(DIAGNOSES, cause) &&
    Object.hasOwn((DIAGNOSES[cause as Cause] as Diagnosis).lookAlikes, other);
  return names(a, b) || names(b, a);
}

/** The first finding and those that are faults beside it, without what may be wrong in its place; notes last. */
export function independentFindings({ findings }: Pick<RunDiagnosis, "findings">): Finding[] {
  const [first, ...rest] = findings;
  if (first === undefined) return [];
  return [first, ...rest.filter(({ cause, severity }) => severity === "info" || !areLookAlikes(first.cause, cause))];
}

/** Runners-up below this are told only where everything is. */
const TOLD = 0.02;

/** What it may be in place of the first finding: most likely first, without independent faults and after-effects. */
export function runnersUp(diagnosis: RunDiagnosis, least = TOLD): Likely[] {
  const { findings, afterEffects, differential } = diagnosis;
  const besides = [...independentFindings(diagnosis), ...afterEffects].map(({ cause }) => cause);
  if (findings.length === 0) return differential.filter(({ probability }) => probability >= least);
  return differential.filter(({ cause, probability }) => probability >= least && !besides.includes(cause));
}
