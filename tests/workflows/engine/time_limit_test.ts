import assert from "node:assert/strict";
import { StepTimeoutError, timeLimit } from "../../../workflows/engine/time_limit.ts";

Deno.test("timeLimit() gives a step up, then says which and how long it had", async () => {
  const given: unknown[] = [];
  const { over, clear } = timeLimit({ id: "slow", timeoutMinutes: 1e-5 }, (error) => void given.push(error));
  await assert.rejects(over, /Cannot finish step "slow": it ran longer than its timeout-minutes 0.00001/);
  assert(given[0] instanceof StepTimeoutError);
  clear();
});

Deno.test("timeLimit() of a step without one leaves no timer behind", () => {
  timeLimit({ id: "free", timeoutMinutes: null }, () => assert.fail()).clear();
});
