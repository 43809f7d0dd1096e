/** Changes that several causes ask for. */
import assert from "node:assert/strict";
import {
  CLIPPED_REWARDS,
  MORE_KL,
  PLAIN_SAMPLING,
  SMALLER_STEPS,
  SMALLER_TRIAL,
} from "../../../../steps/diagnoses/remedies/often.ts";
import { optionLine, optionLines } from "../../../../steps/diagnoses/remedies/options.ts";
import { remedyOf } from "../../../../steps/diagnoses/remedies/remedy.ts";
import { viewOf } from "../synthetic.ts";

const values = (patches: Parameters<typeof remedyOf>[0], settings: Record<string, unknown>) =>
  remedyOf(patches, undefined, viewOf({ own: true, settings })).patches.map(({ key, value }) => [key, value]);

Deno.test("MORE_KL raises the weight and gives it the reference that it needs, where there is none", () => {
  assert.deepEqual(values(MORE_KL, { kl_coef: 0, reference: "none" }), [["kl_coef", 0.01], ["reference", "copy"]]);
  assert.deepEqual(values(MORE_KL, { kl_coef: 0.04, reference: "models/base" }), [["kl_coef", 0.08]]);
  assert.deepEqual(values(MORE_KL, { kl_coef: 0.9, reference: "copy" }), []);
});

Deno.test("MORE_KL switches verl's KL on, whose weight alone does nothing", () => {
  const told = (system: string, settings: Record<string, unknown>) =>
    optionLines(MORE_KL, viewOf({ system, settings }));
  const weight = "actor_rollout_ref.actor.kl_loss_coef", on = "actor_rollout_ref.actor.use_kl_loss";
  assert.deepEqual(told("verl", { [weight]: 0.1 }), [`verl: ${weight}=0.2`, `verl: ${on}=true`]);
  assert.deepEqual(told("verl", { [weight]: 0.1, [on]: true }), [`verl: ${weight}=0.2`]);
  assert.deepEqual(told("openrlhf", { init_kl_coef: 0.1 }), ["openrlhf: --init_kl_coef 0.2"]);
});

Deno.test("SMALLER_STEPS are at most the usual ones, and no remedy where the rate is about usual", () => {
  assert.deepEqual(values([SMALLER_STEPS], { learning_rate: 15, parameters: 765_184 }), [["learning_rate", 3e-4]]);
  assert.deepEqual(values([SMALLER_STEPS], { learning_rate: 3e-4, parameters: 765_184 }), []);
  assert.deepEqual(optionLines([SMALLER_STEPS], viewOf({ settings: { learning_rate: 2e-6 } })), []);
});

Deno.test("SMALLER_TRIAL takes smaller steps than usual ones: it is an experiment", () => {
  const options = optionLines([SMALLER_TRIAL], viewOf({ system: "trl", settings: { learning_rate: 1e-6 } }));
  assert.deepEqual(options, ["trl: learning_rate=3.0e-7"]);
  const large = optionLines([SMALLER_TRIAL], viewOf({ system: "trl", settings: { learning_rate: 0.01 } }));
  assert.deepEqual(large, ["trl: learning_rate=1.0e-6"], "not only a part of a rate far above");
});

Deno.test("PLAIN_SAMPLING sets what is not so already", () => {
  assert.deepEqual(values(PLAIN_SAMPLING, { temperature: 1, top_p: 0.5, top_k: 0 }), [["top_p", 1]]);
});

Deno.test("CLIPPED_REWARDS is a pair, which a flag takes as two words", () => {
  assert.deepEqual(values([CLIPPED_REWARDS], {}), [["reward_clip", [-1, 1]]]);
  assert.equal(
    optionLine(CLIPPED_REWARDS, "openrlhf", viewOf({ system: "openrlhf" })),
    "--reward.clip_range -1 1",
  );
});
