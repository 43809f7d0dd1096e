/** Which causes of one run exclude each other. @module */
import { type Cause, DIAGNOSES } from "../mod.ts";
import type { Diagnosis } from "../diagnosis.ts";

/** True if one is taken for the other: a rule of either tells them apart. What no rule confuses is there as well. */
export function areLookAlikes(a: string, b: string): boolean {
  const names = (cause: string, other: string) =>
    Object.hasOwn(DIAGNOSES, cause) &&
    Object.hasOwn((DIAGNOSES[cause as Cause] as Diagnosis).lookAlikes, other);
  return names(a, b) || names(b, a);
}
