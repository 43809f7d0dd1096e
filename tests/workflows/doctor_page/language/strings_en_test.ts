import assert from "node:assert/strict";
import { EN } from "../../../../workflows/doctor_page/language/mod.ts";

Deno.test("EN counts one thing as one and several as several", () => {
  assert.deepEqual([EN.recordsRead(1), EN.recordsRead(2)], ["1 record", "2 records"]);
  assert.match(EN.notStripped(1), /1 passage that looks private/);
  assert.match(EN.notStripped(2), /2 passages that look private/);
  assert.match(EN.moreFindings(1), /1 more finding:/);
});
