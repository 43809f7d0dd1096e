/** The interface of a diagnosis. */
import assert from "node:assert/strict";
import { defineDiagnosis, SEVERITIES } from "../../../steps/diagnoses/diagnosis.ts";
import { DIAGNOSES } from "../../../steps/diagnoses/mod.ts";

Deno.test("SEVERITIES go from the worst to a note, and every rule has one", () => {
  assert.deepEqual([...SEVERITIES], ["fatal", "error", "warning", "info"]);
  for (const rule of Object.values(DIAGNOSES)) assert(SEVERITIES.includes(rule.severity));
});

Deno.test("defineDiagnosis() gives back what it gets; what is not written is an error without an option that helps", () => {
  const { severity: _, remedy: __, ...written } = DIAGNOSES.kl_explosion;
  assert.deepEqual(defineDiagnosis(DIAGNOSES.kl_explosion), DIAGNOSES.kl_explosion);
  assert.deepEqual(defineDiagnosis(written), { ...written, severity: "error", remedy: [] });
});
