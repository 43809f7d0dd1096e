import assert from "node:assert/strict";
import { ADAPTERS } from "../../../../data/adapters/mod.ts";
import { DIAGNOSES } from "../../../../steps/diagnoses/mod.ts";
import { LANGUAGES, usualLanguage } from "../../../../workflows/doctor_page/language/mod.ts";

Deno.test("usualLanguage() is the first that a browser asks for and the page has, else English", () => {
  assert.equal(usualLanguage(["fr-FR", "zh-TW", "en"]), "zh");
  assert.equal(usualLanguage(["en-GB", "zh"]), "en");
  assert.equal(usualLanguage(["tlh", "constructor"]), "en");
  assert.deepEqual(Object.values(LANGUAGES).map(({ name }) => name), ["English", "中文"]);
});

Deno.test("LANGUAGES has of each all that the page asks of one", () => {
  for (const [code, { say, formats, causes, claimOf, translate }] of Object.entries(LANGUAGES)) {
    assert.deepEqual(Object.keys(formats).sort(), [...Object.keys(ADAPTERS), "unknown"].sort(), code);
    assert.deepEqual(translate("the loss is NaN").map(({ lang }) => lang), [code]);
    assert.equal(claimOf("grad_norm"), null);
    assert(code === "en" || Object.keys(DIAGNOSES).every((cause) => Object.hasOwn(causes, cause)), code);
    assert(say.title.length > 0);
  }
});
