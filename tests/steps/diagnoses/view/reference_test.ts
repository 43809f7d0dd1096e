/** Rewards of pairs with and without a reference. */
import assert from "node:assert/strict";
import { isReferenceFree } from "../../../../steps/diagnoses/view/reference.ts";
import { ramp, type Run, viewOf } from "../synthetic.ts";

const pairs = (columns: Run["columns"], settings: Run["settings"] = {}) =>
  isReferenceFree(viewOf({ algorithm: "dpo", columns, settings }));
const [chosen, rejected] = [ramp(-1.4, -1), ramp(-1.4, -1.3)];

Deno.test("isReferenceFree() is true where rewards are one multiple of the log-probs, or the configuration says so", () => {
  const times = (beta: number) => ({
    chosen_logprob: chosen,
    rejected_logprob: rejected,
    chosen_reward: chosen.map((value) => beta * value),
    rejected_reward: rejected.map((value) => beta * value),
  });
  assert(pairs(times(0.1)));
  assert(pairs(times(2)));
  assert(pairs({}, { reference_free: true }));
  assert(pairs({}, { loss_type: "simpo" }));
});

Deno.test("isReferenceFree() is false of rewards that start at 0, of no log-probs, and of other losses", () => {
  const rewards = { chosen_reward: ramp(0, -1), rejected_reward: ramp(0, -2) };
  assert(!pairs({ chosen_logprob: ramp(-90, -100), rejected_logprob: ramp(-90, -110), ...rewards }));
  assert(!pairs(rewards));
  assert(!pairs({}, { loss_type: "ipo" }));
});
