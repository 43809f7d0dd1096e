/** How the bench of falls counts. */
import assert from "node:assert/strict";
import { type Fallen, isCalledHealthy, isRuined, report } from "./falls.ts";

const run = (scores: readonly number[], alarms: readonly string[], stored: string): Fallen => ({
  name: "addition tiny rate 0.001 seed 1",
  scores,
  alarms,
  stored,
  status: "ok",
});

Deno.test("isRuined() is below half of the best at the end, wherever the best was", () => {
  assert.equal(isRuined(run([0.2, 0.8, 0.39], [], "")), true);
  assert.equal(isRuined(run([0.2, 0.8, 0.4], [], "")), false);
  assert.equal(isRuined(run([0.2, 0.1, 0.2], [], "")), false);
});

Deno.test("isCalledHealthy() where the run was silent, or the doctor says so of its folder", () => {
  assert.equal(isCalledHealthy(run([1], [], "faulty")), true);
  assert.equal(isCalledHealthy(run([1], ["reward_collapse@3"], "healthy")), true);
  assert.equal(isCalledHealthy(run([1], ["reward_collapse@3"], "faulty")), false);
});

Deno.test("report() has a line per run and the two counts", () => {
  const text = report([
    run([0.5, 0.6, 0.1], ["reward_collapse@9"], "faulty"),
    run([0.5, 0.6, 0.2], [], "healthy"),
    run([0.5, 0.6, 0.6], ["mode_collapse@3"], "faulty"),
  ]);
  assert.match(text, /rate 0.001 seed 1 +50.0 % +60.0 % +10.0 % +reward_collapse@9; stored: faulty/);
  assert.match(text, /below half of the best at the end +2, called healthy 1/);
  assert.match(text, /within a tenth of the best +1, with an alarm 1/);
});
