/** The fit of the weights: its gradient, what it finds again, and runs that it must not have seen. */
import assert from "node:assert/strict";
import type { Kind } from "../../steps/diagnoses/differential/weights.ts";
import { WEIGHTS } from "../../steps/diagnoses/differential/weights.ts";
import { fitted, folded, report, unseen } from "./weights.ts";
import { type Case, caseOf } from "./weights/cases.ts";
import { fit, gradient, logLoss, PRIOR } from "./weights/fit.ts";
import { scoresOf } from "./weights/scores.ts";

const label = (verdict: "faulty" | "benign", primary: string, causes = [primary]) => ({
  system: "trl",
  algorithm: "grpo",
  verdict,
  primary,
  causes,
  must_not: [],
  confidence: "gold",
});
const suspect = (cause: "nan_loss" | "overfitting", ...kinds: Kind[]) => ({
  cause,
  pieces: kinds.map((kind) => ({ kind, says: kind })),
});
const EVIDENCE = [suspect("nan_loss", "error", "first"), suspect("overfitting", "warning", "later")];
const CASES: Case[] = [
  caseOf("a", "one", label("faulty", "nan_loss", ["nan_loss", "overfitting"]), EVIDENCE),
  caseOf("b", "one", label("faulty", "overfitting"), EVIDENCE),
  caseOf("c", "two", label("benign", "healthy"), [suspect("nan_loss", "warning", "doubt")]),
  caseOf("d", "two", label("faulty", "nan_loss"), [suspect("nan_loss", "warning")]),
];

Deno.test("caseOf() counts another accepted cause less than the primary one, and nothing of a healthy run", () => {
  assert.deepEqual(CASES.map(({ right }) => right), [[1, 0.5], [0, 1], [0], [1]]);
});

Deno.test("gradient() is the slope of the log-likelihood in every weight", () => {
  for (const name of Object.keys(WEIGHTS) as (keyof typeof WEIGHTS)[]) {
    const at = (by: number) => -logLoss(CASES, { ...WEIGHTS, [name]: WEIGHTS[name] + by });
    const slope = (at(1e-5) - at(-1e-5)) / 2e-5;
    assert.ok(Math.abs(gradient(CASES, WEIGHTS)[name] - slope) < 1e-8, `${name}: ${slope}`);
  }
});

Deno.test("fit() weighs a kind by how often it is right, and leaves others where they were", () => {
  const rows = (right: number, of: number) =>
    Array.from(
      { length: of },
      (_, i) =>
        caseOf(`${i}`, "one", i < right ? label("faulty", "nan_loss") : label("benign", "healthy"), [
          suspect("nan_loss", "warning"),
        ]),
    );
  const often = fit(rows(90, 100)), seldom = fit(rows(20, 100));
  assert.ok(often.warning - often.nothing > 1.5 && seldom.warning - seldom.nothing < 0);
  assert.equal(often.follows, PRIOR.follows);
  assert.ok(logLoss(rows(20, 100), seldom) < logLoss(rows(20, 100), PRIOR));
});

Deno.test("fit() without a kind weighs it as nothing", () => {
  assert.equal(fit(CASES, { without: ["doubt"] }).doubt, 0);
});

Deno.test("fit() is pulled to what was there before any fit: fitted weights have seen what is left out", () => {
  assert.deepEqual(fit([caseOf("none", "one", label("benign", "healthy"), [])]), PRIOR);
  assert.notDeepEqual(PRIOR, WEIGHTS);
});

Deno.test("unseen() judges each part by weights of the others", () => {
  const parts = [CASES.slice(0, 2), CASES.slice(2)];
  const judged = unseen(parts, {});
  assert.deepEqual(judged[0]!.weights, fit(parts[1]!));
  assert.deepEqual(judged[3]!.weights, fit(parts[0]!));
});

Deno.test("folded() deals every case into one fold, the same each time", () => {
  const folds = folded(CASES, 3);
  assert.deepEqual(folds.flat().map(({ name }) => name).sort(), ["a", "b", "c", "d"]);
  assert.deepEqual(folds, folded(CASES, 3));
});

Deno.test("scoresOf() counts a healthy run's finding as wrong, in the bin of its probability", () => {
  const scores = scoresOf(CASES.map((row) => ({ row, weights: WEIGHTS })));
  assert.deepEqual([scores.faulty, scores.first, scores.inTwo, scores.accepted], [3, 2, 3, 2]);
  assert.equal(scores.calibration.reduce((sum, { findings }) => sum + findings, 0), 4);
  assert.equal(scores.calibration.reduce((sum, { right }) => sum + right, 0), 2);
});

Deno.test("the report leaves a source out only where there is another", () => {
  assert.match(report(fitted(CASES, 2)), /left out two: 2 runs/);
  assert.doesNotMatch(report(fitted(CASES.slice(0, 2), 2)), /source left out/);
});
