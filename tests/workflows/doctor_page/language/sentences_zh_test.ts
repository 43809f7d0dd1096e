import assert from "node:assert/strict";
import { SENTENCES_ZH } from "../../../../workflows/doctor_page/language/sentences_zh.ts";
import { WASTES } from "../../../../steps/diagnoses/cost/waste.ts";
import { checkPlaces } from "./check_places.ts";
import { untranslated } from "./untranslated.ts";

Deno.test("SENTENCES_ZH has every place of its English once, and no sentence twice", () => checkPlaces(SENTENCES_ZH));

Deno.test("SENTENCES_ZH says what was lost, of whatever", () => {
  const said = Object.values(WASTES).flatMap((words) =>
    words === null
      ? []
      : [`the ${words.of} since then ${words.said}`, `45 % of the ${words.of} ${words.said} (6.2 of 11.3 h)`]
  );
  assert.deepEqual(untranslated(said), []);
});
