import assert from "node:assert/strict";
import { diagnoseRun } from "../../../../steps/diagnoses/diagnose_run.ts";
import { criticAtFault, criticRateTimes } from "../../../../steps/diagnoses/remedies/critic_rate.ts";
import { type Run, viewOf } from "../synthetic.ts";

const ppo = (settings: Run["settings"], columns: Run["columns"] = {}) =>
  viewOf({ system: "openrlhf", algorithm: "ppo", settings: settings!, columns: columns! });
const HIGH = { actor_learning_rate: 1e-6, critic_learning_rate: 1e-3 };

Deno.test("criticRateTimes() is how far a critic's rate is beyond the usual one, where it is far", () => {
  assert.equal(criticRateTimes(ppo(HIGH))?.times, 50);
  assert.equal(criticRateTimes(ppo({ ...HIGH, critic_learning_rate: 9e-6 })), null);
  assert.equal(criticRateTimes(ppo({ actor_learning_rate: 1e-3 })), null);
});

Deno.test("criticAtFault() is silent where the policy's own rate is far out, and of a run of ours", () => {
  assert.equal(criticAtFault(ppo(HIGH))?.evidence.value, 1e-3);
  assert.equal(criticAtFault(ppo({ ...HIGH, actor_learning_rate: 1e-4 })), null);
  assert.equal(criticAtFault(viewOf({ own: true, algorithm: "ppo", settings: { critic_learning_rate: 1 } })), null);
});

const FALL = Array.from({ length: 40 }, (_, i) => i < 12 ? 0.6 + 0.01 * (i % 3) : 0.02 + 0.01 * (i % 2));

Deno.test("a reward that collapses names the critic whose rate is far out, and its option alone", () => {
  const found = (settings: Run["settings"]) =>
    diagnoseRun(ppo(settings, { reward: FALL })).findings.find(({ cause }) => cause === "reward_collapse");
  const high = found(HIGH), usual = found({ ...HIGH, critic_learning_rate: 9e-6 });
  assert.match(high!.message, /critic's learning rate is 50 times/);
  assert.deepEqual(high!.remedy.options, ["openrlhf: --critic_learning_rate 2.0e-5"]);
  assert.doesNotMatch(usual!.message, /critic/);
});
