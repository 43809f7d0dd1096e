/** The rule resource_stall: its fault and its look-alikes. */
import assert from "node:assert/strict";
import { diagnoseRun } from "../../../steps/diagnoses/diagnose_run.ts";
import { begins, flat, healthyBut, ramp, silentOn, testRule, viewOf } from "./synthetic.ts";
import { longRunOf } from "./long_run.ts";
import { from } from "./long_pairs.ts";

testRule("resource_stall", {
  fires: {
    "train steps that take ever longer, by half so far": longRunOf({ step_ms: (t) => 1e5 * (1 + from(0.4, 0.8)(t)) }, {
      rough: 0.05,
    }),
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
    "longer completions that take longer": longRunOf({
      step_ms: (t) => 1e5 * (1 + from(0.4, 0.8)(t)),
      completion_length: (t) => 300 * (1 + from(0.4, 0.7)(t)),
    }, { rough: 0.05 }),
    "a neighbour that came and stays": longRunOf({ step_ms: (t) => t < 0.3 ? 1e5 : 1.7e5 }, { rough: 0.05 }),
    "memory that is full from the start": longRunOf({ process_memory: () => 6e10 }, { rough: 0.01 }),
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

silentOn(
  "resource_stall",
  "healthy runs with their neighbours",
  Array.from({ length: 60 }, (_, seed) =>
    longRunOf({
      step_ms: (t) => 5e4 * (1 + 0.3 * Math.sin(7 * t + seed)) * (seed % 5 === 0 ? 1 + 0.3 * t : 1),
      process_memory: (t) => 3e10 * (1 + Math.min(0.3, 3 * t)),
    }, { seed, records: [60, 200, 500][seed % 3]!, rough: [0.02, 0.1, 0.3][seed % 4 % 3]! })),
);

Deno.test("resource_stall notes memory that grows and does not stop, and a stop that the run has left behind", () => {
  const leak = diagnoseRun(viewOf(longRunOf({ process_memory: (t) => 3e10 * (1 + t) }, { rough: 0.01 })));
  assert.equal(leak.verdict, "benign");
  assert.deepEqual(leak.findings.map(({ cause, severity }) => `${cause} ${severity}`), ["resource_stall info"]);
  assert.match(leak.findings[0]!.message, /Memory grows from about 3\d\.\d+ to 5\d\.\d+ GB/);
  const killed = (trainStep: number) =>
    diagnoseRun(viewOf({ ...longRunOf({}), messages: [{ kind: "exception", text: "worker 3 died", trainStep }] }));
  assert.deepEqual(killed(150).findings.map(({ severity }) => severity), ["info"]);
  assert.deepEqual(killed(295).findings.map(({ severity }) => severity), ["warning"]);
});

Deno.test("resource_stall begins where train steps become slower, not where that is half done", () => {
  const run = longRunOf({ step_ms: (t) => 1e5 * (1 + from(0.3, 4)(t)) }, { rough: 0.02 });
  const first = begins("resource_stall", run);
  assert(first > 85 && first < 125, String(first));
});
