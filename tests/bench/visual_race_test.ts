import assert from "node:assert/strict";
import { compared, stepSeconds } from "./visual_race.ts";

Deno.test("the times of a run are those of its train steps of reinforcement, not of its warm start", () => {
  const events = [
    { event: "run_started", name: "x" },
    { event: "train_step", phase: "supervised", train_step: 1, step_ms: 70 },
    { event: "train_step", phase: "rollout", train_step: 2, step_ms: 1500 },
    { event: "step_finished", about: "train_step", step_ms: 9 },
    { event: "train_step", phase: "rollout", train_step: 3, step_ms: 250 },
  ].map((event) => JSON.stringify(event)).join("\n") + "\n";
  assert.deepEqual(stepSeconds(events), [1.5, 0.25]);
});

Deno.test("a ratio is of the two runs of a repeat, theirs by ours, and the goal is held to their median", () => {
  const side = (seconds: number, peakMib: number) => ({ seconds, peakMib });
  const ours = [side(1, 100), side(2, 300.4), side(1, 200)], theirs = [side(1.2, 500), side(2.8, 400), side(1.29, 450)];
  const { ratio, least, most, ...rest } = compared(ours, theirs);
  assert.deepEqual([ratio, least, most].map((x) => Number(x.toFixed(6))), [1.29, 1.2, 1.4]);
  assert.deepEqual(rest, {
    ours: { seconds: 1, peak_mib: 300 },
    pytorch: { seconds: 1.29, peak_mib: 500 },
    goal: 1.3,
    met: false,
  });
  assert.equal(compared([side(1, 1)], [side(1.3, 1)]).met, true);
});
