/** The rule nan_loss: its fault and its look-alikes. */
import assert from "node:assert/strict";
import type { Found } from "../../../steps/diagnoses/diagnosis.ts";
import { diagnoseRun } from "../../../steps/diagnoses/diagnose_run.ts";
import { DIAGNOSES } from "../../../steps/diagnoses/mod.ts";
import { longRun } from "./long_run.ts";
import { flat, healthyBut, ramp, type Run, testRule, viewOf } from "./synthetic.ts";

/** Cells that are not finite on the records in `at`. */
const broken = (cells: readonly number[], at: readonly number[], value = NaN) =>
  cells.map((cell, i) => at.includes(i) ? value : cell);
const passing = (at: readonly number[], value = NaN, more: Omit<Run, "columns"> = {}) =>
  healthyBut({ loss: broken(ramp(2, 1), at, value), grad_norm: broken(ramp(0.8, 0.5), at, value) }, more);

testRule("nan_loss", {
  fires: {
    "one NaN in a run that goes on": passing([12]),
    "the same in the first record": passing([0]),
    "the same in supervised training": passing([12], NaN, { algorithm: "sft" }),
    "the same in pairs": passing([12], NaN, { algorithm: "dpo" }),
    "an infinite loss that passes": passing([12], Infinity),
    "NaN on every second record, also the last": passing(Array.from({ length: 15 }, (_, i) => 2 * i + 1)),
    "NaN on every tenth record": passing([4, 14, 24]),
    "anomaly detection that names a function": {
      columns: {},
      messages: ["RuntimeError: Function 'Log1PBackward0' returned nan values in its 0th output."],
    },
    "a NaN loss from the first record beside moving rewards": {
      columns: { loss: flat(NaN), reward: ramp(0.3, 0.4), reward_std: ramp(0.2, 0.3) },
    },
  },
  silent: {
    "another word of backward": { columns: {}, messages: ["Function 'ExpBackward0' returned an invalid gradient"] },
    "NaN that is over by a filter that prints 0": healthyBut({
      loss: [...ramp(0.1, 0.2, 10), NaN, ...flat(0, 19)],
      grad_norm: [...ramp(0.8, 0.6, 10), NaN, ...flat(0, 19)],
    }),
    "NaN in the last record": passing([29]),
    "NaN entropy as well": {
      columns: { loss: flat(NaN), reward: ramp(0.3, 0.4), entropy: flat(NaN), grad_norm: flat(NaN) },
    },
    "NaN after healthy records": {
      columns: { loss: [...ramp(0.1, 0.2, 10), ...flat(NaN, 10)], reward: ramp(0.3, 0.4, 20) },
    },
  },
});

Deno.test("nan_loss lists the records of a NaN that passes, and only notes an update that was skipped", () => {
  const check = (run: Run) => DIAGNOSES.nan_loss.check(viewOf(run)) as Found;
  assert.deepEqual(check(passing([4, 14])).trainSteps, [5, 15]);
  assert.deepEqual(check(passing([4, 14])).severity, "warning");
  assert.equal(check(passing([4], NaN, { messages: ["OVERFLOW! Skipping step"] })).severity, "info");
  assert.equal(check(healthyBut({ grad_norm: broken(ramp(0.8, 0.5), [2], Infinity) })).severity, "info");
  assert.equal(diagnoseRun(viewOf(passing([12]))).findings[0]!.severity, "warning");
});

Deno.test("a NaN that lasts is no passing one: after it nothing is finite, or only one record", () => {
  const until = (from: number) => Array.from({ length: 30 - from }, (_, i) => from + i);
  // After one that passed, two at the end are the begin of what lasts.
  for (const records of [until(10), until(28), [4, ...until(28)]]) {
    const found = diagnoseRun(viewOf(passing(records))).findings;
    assert.deepEqual(found.map(({ cause, severity }) => [cause, severity]), [["old_logprob_nan", "fatal"]]);
  }
  assert.equal(DIAGNOSES.nan_loss.check(viewOf(passing([28]))), null);
});

Deno.test("nan_loss of batches that pass costs those batches, not the run since", () => {
  const loss = longRun().columns!["loss"]!.map((value, record) => [50, 51, 120].includes(record) ? NaN : value);
  const { findings, cost } = diagnoseRun(viewOf(longRun({ loss })));
  assert.equal(findings[0]?.cause, "nan_loss");
  assert.deepEqual([cost?.waste, cost?.rollouts], ["listed", 3 / 300]);
});
