import assert from "node:assert/strict";
import type { Diagnosis } from "../../../../steps/diagnoses/diagnosis.ts";
import { DIAGNOSES } from "../../../../steps/diagnoses/mod.ts";
import { HINTS_ZH } from "../../../../workflows/doctor_page/language/hints_zh.ts";
import { lost, untranslated } from "./untranslated.ts";

Deno.test("HINTS_ZH has every hint and what is done by hand, with its numbers and names of options", () => {
  const causes = Object.values(DIAGNOSES) as Diagnosis[];
  assert.deepEqual(untranslated(causes.flatMap(({ hint, byHand = hint }) => [hint, byHand])), []);
  assert.deepEqual(lost(HINTS_ZH), []);
});
