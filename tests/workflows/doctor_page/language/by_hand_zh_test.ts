import assert from "node:assert/strict";
import type { Diagnosis } from "../../../../steps/diagnoses/diagnosis.ts";
import { DIAGNOSES } from "../../../../steps/diagnoses/mod.ts";
import { BY_HAND_ZH } from "../../../../workflows/doctor_page/language/by_hand_zh.ts";
import { checkPlaces } from "./check_places.ts";
import { untranslated } from "./untranslated.ts";

Deno.test("BY_HAND_ZH has every place of its English once, its numbers and names, and no sentence twice", () =>
  checkPlaces(BY_HAND_ZH));

Deno.test("BY_HAND_ZH has what is done by hand in runs of ours", () => {
  const causes = Object.values(DIAGNOSES) as Diagnosis[];
  assert.deepEqual(untranslated(causes.flatMap(({ ours }) => ours ?? [])), []);
});
