/** How the bench of faults judges what the doctor said. */
import assert from "node:assert/strict";
import type { RunFinding } from "../../workflows/engine/run_plan.ts";
import { cleanFiles, judge, report, type Told } from "./faults.ts";

const told = (...alarms: [cause: string, trainStep: number][]): Told => ({
  status: "stopped",
  reason: null,
  alarms: alarms.map(([cause, train_step]) => ({ cause, train_step }) as unknown as RunFinding),
  trainSteps: 20,
  diagnoseMs: 1,
  ms: 10,
});
const short = ({ detected, named, latency }: ReturnType<typeof judge>) => [detected, named, latency];

Deno.test("judge() counts the injected train step as the first", () => {
  assert.deepEqual(short(judge("nan_weight", 1, 6, told(["non_finite_weights", 6]))), [true, true, 1]);
  assert.deepEqual(short(judge("nan_weight", 1, 6, told(["non_finite_weights", 9]))), [true, true, 4]);
  assert.deepEqual(short(judge("random_weights", 1, 0, told(["garbled_generation", 1]))), [true, true, 1]);
});

Deno.test("judge() takes a fault as named only if its cause is told first", () => {
  assert.deepEqual(short(judge("nan_weight", 1, 6, told())), [false, false, null]);
  assert.deepEqual(short(judge("nan_weight", 1, 6, told(["entropy_collapse", 7]))), [true, false, null]);
  const late = judge("nan_weight", 1, 6, told(["entropy_collapse", 6], ["non_finite_weights", 7]));
  assert.deepEqual(short(late), [true, false, 2]);
});

Deno.test("judge() holds an alarm before the fault against the doctor", () => {
  assert.deepEqual(short(judge("nan_weight", 1, 6, told(["non_finite_weights", 3]))), [false, false, null]);
  const early = judge("nan_weight", 1, 6, told(["resource_stall", 3], ["non_finite_weights", 6]));
  assert.deepEqual(short(early), [true, false, 1]);
});

Deno.test("report() has the shares, a line per kind and the confusions", () => {
  const outcomes = [
    judge("nan_weight", 1, 6, told(["non_finite_weights", 6])),
    judge("nan_weight", 2, 6, told(["non_finite_weights", 8])),
    judge("always_right", 1, 0, told(["constant_reward", 12])),
    judge("always_right", 2, 0, told()),
  ];
  const text = report(outcomes);
  assert.match(text, /detected +3\/4 75\.0 %/);
  assert.match(text, /named \(first alarm\) +2\/4 50\.0 %/);
  assert.match(text, /told late +1\/4 25\.0 %/);
  assert.match(text, /nan_weight +exact +2\/2 +2\/2 +1 3/);
  assert.match(text, /always_right 1 -> constant_reward@12 \(stopped\)/);
  assert.match(text, /always_right 2 -> silence/);
});

Deno.test("cleanFiles() are workflows, not the data beside them", () => {
  const files = cleanFiles();
  assert(files.length > 30);
  assert.deepEqual(files.filter((file) => !file.endsWith(".yaml")), []);
});
