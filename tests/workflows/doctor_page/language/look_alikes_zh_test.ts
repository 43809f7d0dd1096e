import assert from "node:assert/strict";
import type { Diagnosis } from "../../../../steps/diagnoses/diagnosis.ts";
import { DIAGNOSES } from "../../../../steps/diagnoses/mod.ts";
import { LOOK_ALIKES_ZH } from "../../../../workflows/doctor_page/language/look_alikes_zh.ts";
import { lost } from "./untranslated.ts";

Deno.test("LOOK_ALIKES_ZH has how every cause differs from what looks like it, no more, with its numbers", () => {
  const said = (Object.values(DIAGNOSES) as Diagnosis[]).flatMap(({ lookAlikes }) => Object.values(lookAlikes));
  assert.deepEqual(Object.keys(LOOK_ALIKES_ZH).sort(), [...new Set(said)].sort());
  assert.deepEqual(lost(LOOK_ALIKES_ZH), []);
});
