import assert from "node:assert/strict";
import { DIAGNOSES } from "../../../../steps/diagnoses/mod.ts";
import { CAUSES_ZH } from "../../../../workflows/doctor_page/language/causes_zh.ts";

Deno.test("CAUSES_ZH says what every cause is, in Chinese, as one sentence that no other cause has", () => {
  assert.deepEqual(Object.keys(CAUSES_ZH).sort(), Object.keys(DIAGNOSES).sort());
  for (const [cause, text] of Object.entries(CAUSES_ZH)) {
    assert.match(text, /^[^。]*\p{Script=Han}[^。]*。$/u, cause);
  }
  assert.equal(new Set(Object.values(CAUSES_ZH)).size, Object.keys(CAUSES_ZH).length);
});

/** Numbers that an English sentence has, its Chinese one has too. */
Deno.test("CAUSES_ZH has the numbers and signs of the English sentences", () => {
  for (const [cause, { about }] of Object.entries(DIAGNOSES)) {
    const text = CAUSES_ZH[cause as keyof typeof CAUSES_ZH];
    for (const sign of about.match(/\b(?:NaN|KL|KTO|fp16|\d+)\b/g) ?? []) {
      assert(text.includes(sign), `${cause}: "${sign}" of "${about}"`);
    }
  }
});
