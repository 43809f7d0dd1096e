import assert from "node:assert/strict";
import { type Cause, DIAGNOSES } from "../../../../steps/diagnoses/mod.ts";
import { COMPLAINTS } from "../../../../steps/diagnoses/told/complaints.ts";
import { patternsOf } from "../../../../steps/diagnoses/told/patterns.ts";
import { SYMPTOMS } from "../../../../steps/diagnoses/told/symptoms.ts";
import { MESSAGES_ZH } from "../../../../workflows/doctor_page/language/messages_zh.ts";
import { lost, untranslated } from "./untranslated.ts";

Deno.test("MESSAGES_ZH has what patterns and complaints find, and what they see, with its numbers", () => {
  const found = [...(Object.keys(DIAGNOSES) as Cause[]).flatMap(patternsOf), ...COMPLAINTS].map(({ message }) =>
    message
  );
  assert.deepEqual(untranslated(found), []);
  assert.deepEqual(untranslated(Object.values(SYMPTOMS).map(({ about }) => about)), []);
  assert.deepEqual(lost(MESSAGES_ZH), []);
});
