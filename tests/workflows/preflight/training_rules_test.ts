/** Rules on what training steps are held by and measured on, and the look-alikes at which they are silent. */
import assert from "node:assert/strict";
import { STEPS } from "../../../steps/mod.ts";
import { parseWorkflow } from "../../../workflows/language/parse.ts";
import { planWorkflow } from "../../../workflows/plan/plan_workflow.ts";
import { preflight } from "../../../workflows/preflight/preflight.ts";
import { testRules } from "./rule_cases.ts";
import { planText } from "./small_plans.ts";

const PAIRS = { preferences: { file: "pairs.jsonl" }, model: { reference: "copy" } };
const NO_VALIDATION = { file: "pairs.jsonl", splits: { train: 1, validation: 0, held_out: 0 } };
const GAE = { estimator: "gae" };

testRules(["regularization", "untrained_export", "validation"], [
  {
    rule: "regularization",
    what: "a weight of the KL that leaves nothing of the reward",
    severity: "warning",
    fires: { model: { reference: "copy" }, update: { kl_coef: 1e9 } },
    says: /kl_coef is 1000000000: nothing is left of the reward/,
    at: "1000000000",
    silent: { model: { reference: "copy" }, update: { kl_coef: 1 } },
  },
  {
    rule: "regularization",
    what: "the same in the reward",
    severity: "warning",
    fires: { model: { reference: "copy" }, advantages: { kl_coef: 10 } },
    says: /kl_coef is 10:/,
    silent: { model: { reference: "copy" }, advantages: { kl_coef: 0.1 } },
  },
  {
    rule: "regularization",
    what: "a beta of 0 where the loss needs one",
    severity: "error",
    fires: { ...PAIRS, prefer: { loss: "dpo", beta: 0 } },
    says: /beta is 0: sigmoid has no gradient without it; the usual value is 0.1/,
    silent: { ...PAIRS, prefer: { loss: "dpo", dpo_loss: "sft", beta: 0 } },
  },
  {
    rule: "regularization",
    what: "a beta far out",
    severity: "warning",
    fires: { ...PAIRS, prefer: { loss: "dpo", beta: 1e9 } },
    says: /beta is 1000000000: the policy cannot leave the reference/,
    silent: { ...PAIRS, prefer: { loss: "dpo", beta: 2.5 } },
  },
  {
    rule: "validation",
    what: "a measurement of preferences without rows for it",
    severity: "error",
    refuses: true,
    fires: { preferences: NO_VALIDATION, model: { reference: "copy" }, prefer: { loss: "dpo", evaluate_every: 2 } },
    says: /evaluate_every measures on validation rows and there are none; raise splits.validation of load_preferences/,
    at: "2",
    silent: { ...PAIRS, prefer: { loss: "dpo", evaluate_every: 2 } },
  },
  {
    rule: "validation",
    what: "an accuracy of a reward model without rows for it",
    severity: "error",
    refuses: true,
    fires: { preferences: NO_VALIDATION, judge: { until_accuracy: 0.9 } },
    says: /until_accuracy measures on validation rows/,
    silent: { preferences: NO_VALIDATION, judge: {} },
  },
  {
    rule: "untrained_export",
    what: "an export before anything trains",
    severity: "warning",
    fires: { exported: "before" },
    says: /no step before trains the policy: .*; put fine_tune, apply_update or train_preferences before it/,
    at: "export_model",
    silent: { exported: "after" },
  },
]);

Deno.test("untrained_export tells a reward model that was only loaded from one that was trained", async () => {
  const exported = "  - { uses: export_model, with: { what: reward_model } }\n";
  const told = async (judge: string) => {
    const text = `${planText({ preferences: { file: "pairs.jsonl" } })}  - ${judge}\n${exported}`;
    const plan = planWorkflow(parseWorkflow(text, "small.yaml", { folder: "/data", kinds: STEPS }), STEPS);
    return (await preflight(plan)).filter(({ rule }) => rule === "untrained_export").map(({ message }) => message);
  };
  const [loaded, ...more] = await told("{ uses: load_reward_model, with: { model: ./judge } }");
  assert.match(loaded!, /no step before trains the reward model: .*; put train_reward_model before it/);
  assert.deepEqual(more, []);
  assert.deepEqual(await told("{ uses: train_reward_model, with: { max_updates: 3 } }"), []);
});

testRules(["learning_rate"], [
  {
    rule: "learning_rate",
    what: "a critic's learning rate far out",
    severity: "error",
    fires: { advantages: GAE, critic: { learning_rate: 1 } },
    says: /learning_rate is 1, 1000 times what is usual .*: the first updates destroy the critic; start from 0.001/,
    silent: { advantages: GAE, critic: { learning_rate: 0.01 } },
  },
  {
    rule: "learning_rate",
    what: "a learning rate of preferences far out",
    severity: "error",
    fires: { ...PAIRS, prefer: { loss: "dpo", learning_rate: 1 } },
    says: /destroy the policy; start from 0.0003/,
    silent: { ...PAIRS, prefer: { loss: "dpo", learning_rate: 0.003 } },
  },
  {
    rule: "learning_rate",
    what: "a reward model's learning rate far out",
    severity: "error",
    fires: { ...PAIRS, judge: { learning_rate: 1 } },
    says: /destroy the reward model; start from 0.001/,
    silent: { ...PAIRS, judge: { learning_rate: 0.01 } },
  },
]);
