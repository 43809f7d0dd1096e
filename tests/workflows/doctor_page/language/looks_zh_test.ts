import assert from "node:assert/strict";
import { type Look, LOOKS } from "../../../../steps/diagnoses/differential/looks.ts";
import { SIGNS } from "../../../../steps/diagnoses/differential/signs.ts";
import { LOOKS_ZH } from "../../../../workflows/doctor_page/language/looks_zh.ts";
import { lost, untranslated } from "./untranslated.ts";

Deno.test("LOOKS_ZH has every look and what it shows for each cause, with its numbers", () => {
  const looks: readonly Look[] = Object.values(LOOKS);
  assert.deepEqual(untranslated(looks.map(({ about }) => about)), []);
  assert.deepEqual(untranslated(Object.values(SIGNS).flatMap((signs) => Object.values(signs))), []);
  assert.deepEqual(lost(LOOKS_ZH), []);
});
