import assert from "node:assert/strict";
import { ENGLISH } from "../../../../workflows/doctor_page/language/english.ts";

Deno.test("ENGLISH says what rules say as they say it", () => {
  assert.deepEqual(ENGLISH.translate("A fault."), [{ text: "A fault.", lang: "en" }]);
  assert.equal(ENGLISH.claimOf("entropy falls"), null);
});
