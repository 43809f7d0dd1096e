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

/** Runners-up below this are told only where everything is, and after-effects that are less likely the cause. */
const TOLD = 0.02, EFFECT = 0.05;

/** What it may be in place of the first finding: most likely first, without what is a fault beside it. */
export function runnersUp(diagnosis: RunDiagnosis, least = TOLD): Likely[] {
  const { findings, afterEffects, differential } = diagnosis, effects = afterEffects.map(({ cause }) => cause);
  const besides = findings.length === 0 ? [] : independentFindings(diagnosis).map(({ cause }) => cause);
  return differential.filter(({ cause, probability }) =>
    probability >= (effects.includes(cause) ? Math.max(least, EFFECT) : least) && !besides.includes(cause)
  );
}

/** After-effects of the findings that are not told as what it may be. */
export function plainEffects(diagnosis: RunDiagnosis): Finding[] {
  const told = runnersUp(diagnosis).map(({ cause }) => cause);
  return diagnosis.afterEffects.filter(({ cause }) => !told.includes(cause));
}
