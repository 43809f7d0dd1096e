/** Words for what people tell: no record is counted that nobody printed. */
import assert from "node:assert/strict";
import { asTold, diagnosisAsTold } from "../../../workflows/doctor/as_told.ts";
import type { RunDiagnosis } from "../../../steps/diagnoses/diagnosis.ts";

const CASES = [
  [
    "grad_norm is 0 on all 12 records: an untrained policy",
    "grad_norm is 0 throughout, as it is told: an untrained policy",
  ],
  ["all 12 records print none", "all that is told print none"],
  ["1 record is too few to judge a run", "what is told is too little to judge a run"],
  ["NaN on 3 of 12 records", "NaN as it is told"],
  ["since train step 12", "since train step 12"],
] as const;

for (const [said, told] of CASES) {
  Deno.test(`asTold() makes "${said}" "${told}"`, () => assert.equal(asTold(said), told));
}

Deno.test("diagnosisAsTold() changes messages, reasons and what speaks for a cause, and no evidence", () => {
  const evidence = [{ source: "post.md", line: 3, train_step: 1, name: "loss", value: 0, note: "on all 12 records" }];
  const finding = {
    cause: "nan_loss",
    message: "NaN on all 12 records",
    evidence,
  } as unknown as RunDiagnosis["findings"][number];
  const told = diagnosisAsTold({
    verdict: "faulty",
    findings: [finding],
    afterEffects: [],
    differential: [{ cause: "nan_loss", probability: 1, for: [{ says: "on all 12 records", weight: 1 }], against: [] }],
    missing: [],
    reasons: ["on all 12 records"],
  });
  assert.equal(told.findings[0]!.message, "NaN throughout, as it is told");
  assert.deepEqual(told.findings[0]!.evidence, evidence);
  assert.equal(told.differential[0]!.for[0]!.says, "throughout, as it is told");
  assert.deepEqual(told.reasons, ["throughout, as it is told"]);
});
