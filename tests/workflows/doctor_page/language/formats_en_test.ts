import assert from "node:assert/strict";
import { FORMATS_EN } from "../../../../workflows/doctor_page/language/formats_en.ts";

Deno.test("FORMATS_EN has words, no names of code", () => {
  const names = Object.entries(FORMATS_EN).filter(([format, said]) => said === format && format !== "completions");
  assert.deepEqual(names, []);
});
