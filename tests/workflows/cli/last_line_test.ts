import assert from "node:assert/strict";
import { finishedLine, matrixLine, measured, refusedLine } from "../../../workflows/cli/last_line.ts";

Deno.test("measured() has before and after with sampled and greedy only; other evaluations where neither is there", () => {
  const evaluation = { sampled: 0.5, greedy: null, mean_length: 3, truncated: 0.1 };
  assert.deepEqual(measured({ during: evaluation, before: evaluation, after: { ...evaluation, greedy: 0.75 } }), {
    before: { sampled: 0.5, greedy: null },
    after: { sampled: 0.5, greedy: 0.75 },
  });
  assert.deepEqual(measured({ before: evaluation, during: evaluation }), { before: { sampled: 0.5, greedy: null } });
  assert.deepEqual(measured({ during: evaluation }), { during: { sampled: 0.5, greedy: null } });
  assert.deepEqual(measured({}), {});
});

Deno.test("finishedLine() names NaN and keeps further keys behind its own", () => {
  const result = { runId: "r", status: "ok", reason: null, evaluations: {}, findings: [] } as const;
  assert.deepEqual(JSON.parse(finishedLine(result, { event: "x", ms: NaN, status: "failed" })), {
    event: "run_finished",
    ms: "NaN",
    run: "r",
    status: "ok",
    reason: null,
    evaluations: {},
    findings: [],
  });
});

Deno.test("refusedLine() has every key of a run that finished, and the error", () => {
  const { event, run, status, evaluations, findings, error } = JSON.parse(refusedLine("Cannot"));
  assert.deepEqual([event, run, status, evaluations, findings, error], [
    "run_finished",
    null,
    "failed",
    {},
    [],
    "Cannot",
  ]);
});

Deno.test("matrixLine() has the worst status and every run by its cell", () => {
  const cell = (size: number, status: string) => ({ matrix: { size }, run: `r${size}`, status });
  assert.equal(JSON.parse(matrixLine([cell(1, "ok"), cell(2, "ok")])).status, "ok");
  const { status, runs } = JSON.parse(matrixLine([cell(1, "interrupted"), cell(2, "failed"), cell(3, "not started")]));
  assert.equal(status, "failed");
  assert.deepEqual(runs[1], { matrix: { size: 2 }, run: "r2", status: "failed" });
});
