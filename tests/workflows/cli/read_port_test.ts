import assert from "node:assert/strict";
import { readPort } from "../../../workflows/cli/read_port.ts";
import { UsageError } from "../../../workflows/terminal/usage_error.ts";

Deno.test("readPort() takes whole numbers from 0 to 65535", () => {
  assert.deepEqual(["0", "80", "08888", "65535"].map((typed) => readPort(typed)), [0, 80, 8888, 65_535]);
});

Deno.test("readPort() refuses everything else, and says what 0 does where that is told", () => {
  for (const typed of ["65536", "99999999999999999999", "-1", "1.5", "0x50", "1e3", " 80", "x", ""]) {
    assert.throws(() => readPort(typed), UsageError, typed);
  }
  assert.throws(() => readPort("x"), { message: 'Cannot listen at port "x": want a number from 0 to 65535' });
  assert.throws(() => readPort("x", ", a free one,"), /want a number from 0, a free one, to 65535$/);
});
