/** The interface of a diagnosis. */
import assert from "node:assert/strict";
import { SEVERITIES } from "../../../data/severity.ts";
import { defineDiagnosis } from "../../../steps/diagnoses/diagnosis.ts";
import { DIAGNOSES } from "../../../steps/diagnoses/mod.ts";
import { viewOf } from "./synthetic.ts";

Deno.test("every rule has one of SEVERITIES", () => {
  for (const rule of Object.values(DIAGNOSES)) assert(SEVERITIES.includes(rule.severity));
});

Deno.test("defineDiagnosis() gives back what it gets; what is not written is an error without an option that helps, of no known cost", () => {
  const { severity: _, remedy: __, wastes: ____, check, ...written } = DIAGNOSES.kl_explosion;
  const { check: ___, ...defined } = defineDiagnosis({ ...written, check });
  assert.deepEqual(defined, { ...written, severity: "error", remedy: [], wastes: "none" });
});

Deno.test("defineDiagnosis() makes a rule silent on the runs it does not apply to", () => {
  const found = { trainSteps: [], message: "here", evidence: [] };
  const check = (applies?: () => boolean) =>
    defineDiagnosis({ ...DIAGNOSES.kl_explosion, ...(applies && { applies }), check: () => found }).check(viewOf({}));
  assert.deepEqual([check(), check(() => true), check(() => false)], [found, found, null]);
});
