import assert from "node:assert/strict";
import { LANGUAGES, usualLanguage } from "../../../../workflows/doctor_page/language/mod.ts";

Deno.test("usualLanguage() is the first that a browser asks for and the page has, else English", () => {
  assert.equal(usualLanguage(["fr-FR", "zh-TW", "en"]), "zh");
  assert.equal(usualLanguage(["en-GB", "zh"]), "en");
  assert.equal(usualLanguage(["tlh", "constructor"]), "en");
  assert.deepEqual(Object.values(LANGUAGES).map(({ name }) => name), ["English", "中文"]);
});
