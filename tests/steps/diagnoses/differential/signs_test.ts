/** What each look shows for each cause. */
import assert from "node:assert/strict";
import { LOOKS } from "../../../../steps/diagnoses/differential/looks.ts";
import { SIGNS } from "../../../../steps/diagnoses/differential/signs.ts";
import { DIAGNOSES } from "../../../../steps/diagnoses/mod.ts";

Deno.test("SIGNS have a look for every cause, a clause without a capital and a full stop", () => {
  for (const cause of Object.keys(DIAGNOSES)) {
    assert(Object.keys(SIGNS[cause] ?? {}).length > 0, `no look for ${cause}`);
  }
  for (const [cause, signs] of Object.entries(SIGNS)) {
    for (const [look, sign] of Object.entries(signs)) {
      assert(Object.hasOwn(LOOKS, look), `${cause}: ${look}`);
      assert(!/[.;]$/.test(sign) && !/^[A-Z][a-z]/.test(sign.replace(/^(?:NaN)/, "")), `${cause}: ${sign}`);
    }
  }
});
