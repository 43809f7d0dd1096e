/** One finding per cause. @module */
import assert from "node:assert/strict";
import { tableOfRows } from "../../../data/tables/mod.ts";
import { RunFindings } from "../../../workflows/engine/findings.ts";

const row = (cause: string, severity: string) => ({ cause, severity, message: cause, train_steps: [1, 2] });

Deno.test("RunFindings.add() tells a cause once, again when it gets worse, and sorts the worst first", () => {
  const findings = new RunFindings();
  const add = (step: number, ...rows: Record<string, unknown>[]) =>
    findings.add(tableOfRows("findings", rows), step).map(({ cause }) => cause);
  assert.deepEqual(add(1, row("a", "info"), row("b", "warning")), ["a", "b"]);
  assert.deepEqual(add(2, row("a", "info"), row("b", "warning")), []);
  assert.deepEqual(add(3, row("a", "fatal")), ["a"]);
  assert.deepEqual(add(4, row("a", "info")), []);
  assert.deepEqual(findings.all.map(({ cause, severity, train_step }) => [cause, severity, train_step]), [
    ["a", "fatal", 1],
    ["b", "warning", 1],
  ]);
  assert.deepEqual(findings.all[0]!.train_steps, [1, 2]);
  assert.deepEqual(new RunFindings(findings.all).all, findings.all);
});

Deno.test("RunFindings.end() marks what the verdict on the whole run names", () => {
  const findings = new RunFindings();
  findings.add(tableOfRows("findings", [row("a", "warning"), row("b", "error")]), 3);
  findings.end(["b"]);
  assert.deepEqual(findings.all.map(({ cause, at_end }) => [cause, at_end]), [["b", true], ["a", false]]);
});
