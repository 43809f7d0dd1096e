import assert from "node:assert/strict";
import { UsageError } from "../../../workflows/cli/command.ts";
import { exitCodeOf } from "../../../workflows/cli/failures.ts";
import { WorkflowError } from "../../../workflows/diagnostics.ts";
import { DriftError, LockHeldError } from "../../../workflows/engine.ts";

Deno.test("exitCodeOf() knows a person's mistakes from our bugs", () => {
  assert.equal(exitCodeOf(new UsageError("x")), 2);
  assert.equal(exitCodeOf(new WorkflowError([])), 2);
  assert.equal(exitCodeOf(new DriftError("r", ["seed is 2, was 1"])), 2);
  assert.equal(exitCodeOf(new LockHeldError("lock", null)), 75);
  assert.equal(exitCodeOf(new RangeError("Cannot load model")), 1);
  assert.equal(exitCodeOf(new TypeError("undefined is not a function")), undefined);
  assert.equal(exitCodeOf("text"), undefined);
});
