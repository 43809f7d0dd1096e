/** The rule resource_stall: its fault and its look-alikes. */
import assert from "node:assert/strict";
import { diagnoseRun } from "../../../steps/diagnoses/diagnose_run.ts";
import { flat, healthyBut, ramp, testRule, viewOf } from "./synthetic.ts";

testRule("resource_stall", {
  fires: {
    "steps that take five times as long": healthyBut({
      step_ms: [9000, ...ramp(1000, 1000, 14), ...ramp(5000, 5200, 15)],
    }),
    "rewards of ours that take the time": healthyBut({
      step_ms: [...ramp(1000, 1000, 15), ...ramp(5000, 5200, 15)],
      score_ms: [...flat(100, 15), ...flat(4100, 15)],
    }, { own: true }),
    "a machine that slows a run of ours down": healthyBut({
      step_ms: [...ramp(1000, 1000, 15), ...ramp(5000, 5200, 15)],
      score_ms: [...flat(100, 15), ...flat(500, 15)],
    }, { own: true }),
    "a full disk": { messages: ["OSError: [Errno 28] No space left on device"] },
  },
  silent: {
    "milliseconds that a busy machine stretches": healthyBut({ step_ms: [...flat(43, 15), ...flat(174, 15)] }),
    "a slow first step": healthyBut({ step_ms: [60_000, ...ramp(1000, 1100, 29)] }),
    "completions of 2.5 times the length, which take six times as long": healthyBut({
      step_ms: [...flat(1000, 15), ...flat(6000, 15)],
      completion_length: [...flat(100, 15), ...flat(250, 15)],
    }),
    "longer completions": healthyBut({ step_ms: ramp(1000, 6000), completion_length: ramp(100, 900) }),
  },
});

Deno.test("resource_stall is a note where a busy machine slows every part of a run of ours, else a warning", () => {
  const severity = (times: number, score: number) => {
    const step_ms = [...flat(1000, 15), ...flat(1000 * times, 15)], score_ms = [...flat(100, 15), ...flat(score, 15)];
    const view = viewOf(healthyBut({ step_ms, score_ms }, { own: true }));
    return diagnoseRun(view).findings.find(({ cause }) => cause === "resource_stall")?.severity;
  };
  assert.deepEqual([severity(2, 200), severity(5, 500), severity(5, 4100), severity(12, 1200)], [
    undefined,
    "info",
    "warning",
    "warning",
  ]);
});
