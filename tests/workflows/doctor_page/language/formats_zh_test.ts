import assert from "node:assert/strict";
import { FORMATS_EN } from "../../../../workflows/doctor_page/language/formats_en.ts";
import { FORMATS_ZH } from "../../../../workflows/doctor_page/language/formats_zh.ts";

Deno.test("FORMATS_ZH says in Chinese whatever is no name of a program or a file", () => {
  for (const [format, said] of Object.entries(FORMATS_ZH)) {
    assert(/\p{Script=Han}/u.test(said) || said === FORMATS_EN[format as keyof typeof FORMATS_EN], format);
  }
});
