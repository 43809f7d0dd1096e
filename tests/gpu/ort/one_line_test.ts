import assert from "node:assert/strict";
import { oneLine } from "../../../gpu/ort/one_line.ts";

Deno.test("oneLine() is the first line of what was thrown, an error or not", () => {
  assert.equal(oneLine(new Error("no library\nlooked in a, b")), "no library");
  assert.equal(oneLine("refused"), "refused");
});
