import assert from "node:assert/strict";
import type { Cell } from "../../../workflows/cli/last_line.ts";
import { notStartedText } from "../../../workflows/cli/not_started.ts";

const cell = (a: number, status: string): Cell => ({
  matrix: { a },
  run: status === "not started" ? null : `run-${a}`,
  status,
});
const WAITING = [cell(2, "not started"), cell(3, "not started")];

Deno.test("notStartedText() names the cell that kept others from starting, and the setting that starts them", () => {
  const why = (status: string, failFast = true) => notStartedText([cell(1, status), ...WAITING], failFast);
  const way = '; "fail-fast: false" under strategy starts them nevertheless';
  assert.equal(why("stopped"), `2 of 3 runs did not start, because a=1 was stopped${way}`);
  assert.equal(why("failed"), `2 of 3 runs did not start, because a=1 failed${way}`);
  assert.equal(why("interrupted"), "2 of 3 runs did not start: a=1 was interrupted");
  assert.equal(why("failed", false), "2 of 3 runs did not start", "the setting is there already");
  assert.equal(notStartedText([cell(1, "failed")], true), null);
});
