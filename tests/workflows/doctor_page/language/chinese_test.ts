import assert from "node:assert/strict";
import { CHINESE, TABLES_ZH } from "../../../../workflows/doctor_page/language/chinese.ts";

Deno.test("CHINESE says what its tables have, and marks the rest as English", () => {
  assert.deepEqual(CHINESE.translate("A new fault. The loss is NaN."), [
    { text: "A new fault.", lang: "en" },
    { text: "损失是 NaN。", lang: "zh" },
  ]);
});

Deno.test("TABLES_ZH counts by ten thousands, and puts a space between a character and a letter alone", () => {
  assert.deepEqual([9999, 12_300, 3.2e6, 1.5e9].map(TABLES_ZH.numberOf), ["9999", "1.23 万", "320 万", "15 亿"]);
  assert.equal(TABLES_ZH.glued("损失 ", " 是"), "损失是");
  assert.equal(TABLES_ZH.glued("损失", "NaN"), "损失 NaN");
});
