import assert from "node:assert/strict";
import { diagnoseRun } from "../../../../steps/diagnoses/diagnose_run.ts";
import { ofSchedule } from "../../../../steps/diagnoses/remedies/of_schedule.ts";
import { flat, viewOf } from "../synthetic.ts";

const PAIRS = {
  loss: flat(0.6931, 3),
  grad_norm: [4.3, 4.1, 4.5],
  learning_rate: flat(0, 3),
  chosen_reward: flat(0, 3),
  rejected_reward: flat(0, 3),
  reward_margin: flat(0, 3),
};

Deno.test("ofSchedule() points to the schedule where a rate above 0 is configured, and nowhere else", () => {
  assert.deepEqual(ofSchedule(viewOf({ settings: { learning_rate: 5e-7 } })).remedy, []);
  assert.deepEqual(ofSchedule(viewOf({ settings: { learning_rate: 0 } })), {});
  assert.deepEqual(ofSchedule(viewOf({})), {});
});

Deno.test("a printed rate of 0 beside a configured one cites its records and offers no other rate", () => {
  const of = (settings: Record<string, unknown>) =>
    diagnoseRun(viewOf({ algorithm: "dpo", columns: PAIRS, settings })).findings[0]!;
  const configured = of({ learning_rate: 5e-7, warmup_ratio: 0.1 }), silent = of({});
  assert.deepEqual([configured.cause, silent.cause], ["learning_rate_zero", "learning_rate_zero"]);
  assert.ok(configured.evidence.some(({ name }) => name === "learning_rate"));
  assert.deepEqual(configured.remedy.options, []);
  assert.match(configured.hint, /warm-up/);
  assert.notDeepEqual(silent.remedy.options, []);
});
