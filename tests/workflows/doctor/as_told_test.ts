/** What is said of a run that people tell of: no train step that nobody told. */
import assert from "node:assert/strict";
import { diagnosisAsTold, withoutUntold } from "../../../workflows/doctor/as_told.ts";
import type { RunDiagnosis } from "../../../steps/diagnoses/diagnosis.ts";

const CASES = [
  ["since train step 12", "since train step 12"],
  ["since train step 13 the reward falls", "the reward falls"],
  ["Since train step 13, the KL grows", "The KL grows"],
  ["the eval set fell from 31 % (train step 13) to 12 % (record 14)", "the eval set fell from 31 % to 12 %"],
  ["it fell from 0.8 (train step 12) to 0.1 (train step 13)", "it fell from 0.8 (train step 12) to 0.1"],
  ["the loss is NaN from train step 13 on; the KL grows", "the loss is NaN; the KL grows"],
  ["not finite (train step 1 to 13), and finite again", "not finite, and finite again"],
  ["no rule fires up to train step 13; more", "no rule fires; more"],
  ["a reward of 13 at step 12, 14 rewards", "a reward of 13 at step 12, 14 rewards"],
] as const;
const KNOWN = new Set([12]);

for (const [said, told] of CASES) {
  Deno.test(`withoutUntold() makes "${said}" "${told}"`, () => assert.equal(withoutUntold(said, KNOWN), told));
}

Deno.test("diagnosisAsTold() changes messages, reasons and what speaks for a cause, and no evidence", () => {
  const evidence = [{ source: "post.md", line: 3, train_step: 1, name: "loss", value: 0, note: "on all 12 records" }];
  const finding = {
    cause: "nan_loss",
    message: "NaN since train step 13",
    evidence,
    train_steps: [1, 12],
    began: 1,
    ruled_out: [],
  } as unknown as RunDiagnosis["findings"][number];
  const told = diagnosisAsTold({
    verdict: "faulty",
    findings: [finding],
    afterEffects: [],
    differential: [{
      cause: "nan_loss",
      probability: 1,
      for: [{ says: "NaN since train step 13", weight: 1 }],
      against: [],
    }],
    missing: [],
    reasons: ["NaN since train step 13"],
  }, KNOWN);
  assert.equal(told.findings[0]!.message, "NaN");
  assert.deepEqual(told.findings[0]!.evidence, evidence);
  assert.deepEqual([told.findings[0]!.train_steps, told.findings[0]!.began], [[12], undefined]);
  assert.equal(told.differential[0]!.for[0]!.says, "NaN");
  assert.deepEqual(told.reasons, ["NaN"]);
});

Deno.test("diagnosisAsTold() counts no share of records that nobody printed", () => {
  const cost = { since: 7, share_of_run: 0.5, waste: "all", rollouts: 0.5, tokens: null, hours: null, gpus: null };
  const of = (more: Record<string, unknown>) =>
    diagnosisAsTold(
      {
        findings: [],
        afterEffects: [],
        differential: [],
        reasons: [],
        cost: { ...cost, ...more },
      } as unknown as RunDiagnosis,
      KNOWN,
    ).cost;
  assert.equal(of({}), undefined);
  assert.equal(of({ since: 12 })?.since, 12);
  assert.equal(of({ since: 1, share_of_run: 1 })?.since, null);
});
