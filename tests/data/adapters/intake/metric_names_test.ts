import assert from "node:assert/strict";
import { TABLES } from "../../../../data/columns.ts";
import { METRIC_NAMES } from "../../../../data/adapters/intake/metric_names.ts";

Deno.test("METRIC_NAMES leads to columns of metrics only, with finite factors", () => {
  for (const [name, target] of Object.entries(METRIC_NAMES)) {
    const [column, mul] = typeof target === "string" ? [target, 1] : target;
    assert(Object.hasOwn(TABLES.metrics, column), `${name} → ${column}`);
    assert(Number.isFinite(mul) && mul > 0, name);
  }
});

Deno.test("METRIC_NAMES keeps unlike quantities apart that share a word", () => {
  assert.notEqual(METRIC_NAMES["objective/kl"], METRIC_NAMES["kl"], "per sequence and per token");
  assert.notEqual(METRIC_NAMES["completions/clipped_ratio"], METRIC_NAMES["clip_ratio"], "truncated and clipped");
  assert.notEqual(
    METRIC_NAMES["training/rollout_probs_diff_mean"],
    METRIC_NAMES["sampling/sampling_logp_difference/mean"],
  );
  assert.notEqual(METRIC_NAMES["critic/score/mean"], METRIC_NAMES["critic/rewards/mean"], "before and after KL");
  assert.notEqual(METRIC_NAMES["actor/reward_kl_penalty_coeff"], METRIC_NAMES["actor/kl_coef"], "reward and loss");
  assert.notEqual(METRIC_NAMES["actor/grad_norm"], METRIC_NAMES["critic/grad_norm"]);
});
