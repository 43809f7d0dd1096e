/** Records of a reward model in a foreign log. */
import assert from "node:assert/strict";
import { isRewardModel, unlearnedPairs } from "../../../../steps/diagnoses/view/reward_model.ts";
import { type Curve, noisy } from "../long_run.ts";
import { viewOf } from "../synthetic.ts";

const view = (accuracy: Curve, loss: Curve, more: Record<string, number[]> = {}) =>
  viewOf({
    algorithm: "sft",
    columns: { accuracy: noisy(accuracy, 0.07, { seed: 1 }), loss: noisy(loss, 0.05, { seed: 2 }), ...more },
  });
const learns: Curve = (at) => 0.5 + 0.2 * Math.min(1, 3 * at), falls: Curve = (at) => 0.69 - 0.15 * Math.min(1, 3 * at);
const back: Curve = (at) => learns(at) - 0.2 * Math.min(1, Math.max(0, (at - 0.4) / 0.3));
const rises: Curve = (at) => falls(at) + 0.3 * Math.min(1, Math.max(0, (at - 0.4) / 0.3));

Deno.test("isRewardModel() is true of pairs at chance and ln 2, false of texts", () => {
  assert(isRewardModel(view(learns, falls)));
  assert(!isRewardModel(view(learns, (at) => 2 - at)));
  assert(!isRewardModel(view(learns, falls, { token_accuracy: noisy(() => 0.5, 0.01) })));
});

Deno.test("unlearnedPairs() wants both an accuracy that went back and a loss above ln 2", () => {
  assert(Math.abs(unlearnedPairs(view(back, rises))!.best - 0.7) < 0.03);
  assert.equal(unlearnedPairs(view(learns, falls)), null);
  assert.equal(unlearnedPairs(view(learns, rises)), null);
  assert.equal(unlearnedPairs(view(back, falls)), null);
});
