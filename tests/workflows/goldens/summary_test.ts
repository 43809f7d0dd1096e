import assert from "node:assert/strict";
import { summarize } from "../../../workflows/goldens/summary.ts";

Deno.test("summarize() counts by topic, with the largest errors and the first failures", () => {
  const failed = (name: string) => ({ topic: "b", name, errors: { float64: Infinity }, failure: "loss is 1, want 2" });
  const summaries = summarize([
    { topic: "a", name: "a/0", errors: { float64: 1e-9, float32: 1e-5 }, failure: null },
    { topic: "a", name: "a/1", errors: { float64: 2e-9 }, failure: null },
    ...["b/0", "b/1", "b/2", "b/3"].map(failed),
    { topic: "c", name: "c/0", errors: {}, failure: "not implemented" },
  ]);
  assert.deepEqual(summaries[0], {
    topic: "a",
    cases: 2,
    passed: 2,
    float64: 2e-9,
    float32: 1e-5,
    implemented: true,
    failures: [],
  });
  assert.deepEqual(summaries[1]!.failures.map((one) => one.case), ["b/0", "b/1", "b/2"]);
  assert.deepEqual([summaries[1]!.cases, summaries[1]!.passed, summaries[1]!.float64], [4, 0, Infinity]);
  assert.deepEqual([summaries[2]!.implemented, summaries[2]!.float64], [false, null]);
});
