/** The rule non_finite_weights: its fault and its look-alikes. */
import assert from "node:assert/strict";
import { diagnoseRun } from "../../../steps/diagnoses/diagnose_run.ts";
import { flat, healthyBut, ramp, testRule, viewOf } from "./synthetic.ts";

testRule("non_finite_weights", {
  fires: {
    "NaN from the first record behind a printed loss of 0": {
      algorithm: "sft",
      columns: { loss: flat(0), grad_norm: flat(NaN), entropy: flat(NaN) },
    },
    "sampling that stops before any record": {
      messages: ["RuntimeError: probability tensor contains either `inf`, `nan` or element < 0"],
    },
    "our own measure of the weights": healthyBut(
      { non_finite: [...flat(0, 29), 3], relative_update: [...flat(0.001, 29), NaN] },
      { own: true },
    ),
  },
  silent: {
    "NaN after healthy records of a reinforcement run": healthyBut({
      grad_norm: [...ramp(0.8, 0.6, 15), ...flat(NaN, 15)],
      entropy: [...ramp(0.6, 0.5, 15), ...flat(NaN, 15)],
    }),
    "a NaN loss of ours with finite weights": healthyBut(
      { loss: [...flat(0, 29), NaN], non_finite: [...flat(0, 29), 1], relative_update: flat(0.001) },
      { own: true },
    ),
    "a NaN entropy from the first record beside a gradient and a reward that rises": healthyBut({ entropy: flat(NaN) }),
    "a loss of 0 with a gradient": healthyBut({ loss: flat(0) }),
  },
});

Deno.test("non_finite_weights says of a foreign log what it prints, and of no good step that one may go back to it", () => {
  const said = (grad_norm: (number | null)[], own = false) => {
    const columns = { loss: grad_norm.map(() => 0), grad_norm, ...(own ? { relative_update: grad_norm } : {}) };
    const { message, hint, remedy } = diagnoseRun(viewOf({ algorithm: "sft", columns, own })).findings[0]!;
    return { message, advice: `${hint} ${remedy.by_hand}` };
  };
  const atOnce = said(flat(NaN)), later = said([...ramp(2, 1, 15), ...flat(NaN, 15)]);
  for (const { message } of [atOnce, later]) assert.ok(!message.includes("weights"), message);
  assert.match(said(flat(NaN), true).message, /nor are the weights/, "a run of ours measures them");
  assert.doesNotMatch(atOnce.advice, /last good|earlier checkpoint/);
  assert.match(later.advice, /last good/);
});
