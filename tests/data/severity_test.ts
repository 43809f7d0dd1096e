import assert from "node:assert/strict";
import { isAlarm, isError, SEVERITIES } from "../../data/severity.ts";

Deno.test("SEVERITIES go from the worst to a note", () => {
  assert.deepEqual([...SEVERITIES], ["fatal", "error", "warning", "info"]);
});

Deno.test("isAlarm() is true of all but notes, isError() of fatal and error; what is no severity is neither", () => {
  const given = [...SEVERITIES, "none", "", null, undefined, 1];
  assert.deepEqual(given.filter(isAlarm), ["fatal", "error", "warning"]);
  assert.deepEqual(given.filter(isError), ["fatal", "error"]);
});
