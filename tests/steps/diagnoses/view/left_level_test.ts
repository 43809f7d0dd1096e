/** A supervised loss that left its best level, or never had one. */
import assert from "node:assert/strict";
import { isHarder, leftForGood, neverLearns } from "../../../../steps/diagnoses/view/left_level.ts";
import { courseOf } from "../../../../steps/diagnoses/view/course.ts";
import { type Curve, noisy } from "../long_run.ts";
import { flat, viewOf } from "../synthetic.ts";

const view = (curve: Curve, { algorithm = "sft", held = [] as number[], seed = 1, right = 0.05 } = {}) =>
  viewOf({
    algorithm,
    columns: { loss: noisy(curve, 0.05, { records: 400, seed }), token_accuracy: flat(right, 400) },
    evaluations: { loss: held },
    evaluationSteps: held.map((_, i) => 40 * (i + 1)),
  });

Deno.test("leftForGood() tells the best level and the record where it was left", () => {
  const left = leftForGood(view((at) => at < 0.5 ? 1.5 : 6))!;
  assert(Math.abs(left.best - 1.5) < 0.1, String(left.best));
  assert(left.record > 185 && left.record < 215, String(left.record));
});

Deno.test("leftForGood() wants three levels at the end, twice the best and half a nat more", () => {
  assert.equal(leftForGood(view((at) => at < 0.92 ? 1.5 : 6)), null);
  assert.equal(leftForGood(view((at) => at < 0.5 ? 1.5 : 3.3)), null);
  assert.notEqual(leftForGood(view((at) => at < 0.5 ? 1.5 : 3.7)), null);
  assert.equal(leftForGood(view((at) => at < 0.5 ? 1.5 : 6, { algorithm: "dpo" })), null);
});

Deno.test("isHarder() hears held-out rows, and else a loss that falls but for its jumps", () => {
  const rising: Curve = (at) => at < 0.5 ? 1 : 3, best = { value: 1, at: 11 };
  const harder = (run: ReturnType<typeof view>) => isHarder(run, courseOf(run, "loss")!, best);
  assert(harder(view(rising, { held: [2, 1.9, 1.8, 1.7] })));
  assert(!harder(view(rising, { held: [2, 2.2, 2.6, 2.9] })));
  assert(!harder(view(rising)));
  for (let seed = 1; seed <= 20; seed++) {
    assert(
      harder(view((at) => (at < 1 / 3 ? 1.2 : at < 2 / 3 ? 2 : 2.8) - 0.3 * ((3 * at) % 1), { seed })),
      String(seed),
    );
  }
});

Deno.test("neverLearns() wants tokens that are wrong and a loss above that of unigrams, from first to last", () => {
  assert.notEqual(neverLearns(view(() => 7)), null);
  assert.equal(neverLearns(view(() => 7, { right: 0.6 })), null);
  assert.equal(neverLearns(view(() => 5)), null);
  assert.equal(neverLearns(view((at) => 7.8 - at)), null);
});
