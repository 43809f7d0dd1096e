import assert from "node:assert/strict";
import { UsageError } from "../../../workflows/terminal/usage_error.ts";

Deno.test("a UsageError is told from other errors by its kind and its name", () => {
  const error: Error = new UsageError("want a name");
  assert(error instanceof UsageError);
  assert.deepEqual([error.name, error.message], ["UsageError", "want a name"]);
});
