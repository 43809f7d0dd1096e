import assert from "node:assert/strict";
import { bugText } from "../../../workflows/cli/bug_text.ts";

Deno.test("bugText() asks for a report, with the stack of an error or what else was thrown", () => {
  assert.match(
    bugText(new TypeError("x is no y")),
    /^This is a bug in Nonzero; please report.* env":\nTypeError: x is no y\n +at /,
  );
  assert.match(bugText("thrown"), /:\nthrown$/);
});
