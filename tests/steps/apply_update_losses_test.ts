/** Every objective and preset through the step, against the same loss in float64 on the step's own log-probs. */
import assert from "node:assert/strict";
import { LOSS_PRESETS } from "../../gpu/losses/presets.ts";
import { policyLoss } from "../../workflows/goldens/policy_loss.ts";
import { openGraphRunner } from "../../workflows/goldens/run_graph.ts";
import { applyUpdate } from "../../steps/apply_update.ts";
import { updateOn } from "./contexts/given_logprobs.ts";
import { ONE_LAYER, type TrainingRun, withTinyPolicy } from "./contexts/training_run.ts";

const MASK = [[1, 1, 1, 1], [1, 1, 0, 0], [1, 1, 1, 0]], ZERO = MASK.map((row) => row.map(() => 0));
const GIVEN = {
  logprobs: [[0.3, -0.4, 0.05, 0.6], [-0.5, 0.1, 0, 0], [0.2, -0.3, 0.4, 0]],
  old_logprobs: ZERO,
  ref_logprobs: [[0.1, 0, -0.2, 0.3], [0.4, -0.1, 0, 0], [0, 0.2, -0.1, 0]],
  completion_mask: MASK,
  advantages: [1, -0.8, 0.3],
};
const NEEDED: Record<string, Record<string, unknown>> = {
  "verl/dro": { dro_beta: 0.3 },
  "verl/clip_cov": { cov_fraction: 1, cov_low: -0.5 }, // all candidates: no draw decides
  "verl/kl_cov": { cov_fraction: 0.3 },
};
const OTHERS: Record<string, Record<string, unknown>> = {
  "cispo": { loss: "cispo", clip_low: 0.1, clip_high: 0.2 },
  "sequence_sum": { preset: "grpo", ratio_level: "sequence_sum", log_ratio_bound: 0.4 },
  "entropy bonus": { preset: "grpo", entropy_coef: 0.3 },
  "top entropy": { preset: "dapo", top_entropy_fraction: 0.4, entropy_coef: 0.2, kl_coef: 0.1 },
  "off-policy mask": { preset: "grpo", off_policy_threshold: 0.1 },
  "k2+ with bounds": { preset: "bnpo", kl_coef: 0.4, kl_estimator: "k2+", kl_difference_bound: 0.2, kl_bound: 0.01 },
  "dr_grpo": { preset: "trl/dr_grpo", aggregation_norm: 7, kl_coef: 0.2 },
};
const CASES = {
  ...Object.fromEntries(
    Object.keys(LOSS_PRESETS).map((preset) => [preset, { preset, kl_coef: 0.05, ...NEEDED[preset] }]),
  ),
  ...OTHERS,
};

function near(value: number | null | undefined, want: number | null, what: string): void {
  if (want === null) return assert.equal(value ?? null, null, what);
  const isNear = typeof value === "number" && Math.abs(value - want) <= 2e-5 + 2e-4 * Math.abs(want);
  assert(isNear || Object.is(value, want), `${what}: ${value}, want ${want}`);
}

/** A float32 row to numbers, as wide as the mask. */
const rows = (values: readonly ArrayLike<number>[]) => values.map((row) => Array.from(row));

async function compared(run: TrainingRun, options: Record<string, unknown>, what: string) {
  const { update, sequences, own, old } = await updateOn(run, GIVEN, options);
  const apart = own.map((row, r) => Array.from(row, (p, t) => p - GIVEN.logprobs[r]![t]! + GIVEN.ref_logprobs[r]![t]!));
  const { statistics } = await run.policy.model.logprobs(sequences, { temperature: 1, statistics: ["entropy"] });
  const entropy = statistics.get("entropy")!;
  const graphs = await openGraphRunner();
  const want = await policyLoss({
    options,
    inputs: {
      logprobs: rows(own),
      old_logprobs: rows(old),
      ref_logprobs: apart,
      entropies: rows(entropy),
      completion_mask: MASK,
      advantages: GIVEN.advantages,
    },
    totals: { norm: 16 },
  }, { dtype: "float64", graphs });
  graphs.release();
  near(update["loss"], want.loss, `${what}: loss`);
  for (const [name, value] of Object.entries(want.metrics)) near(update[name], value, `${what}: ${name}`);
  return update["loss"]!;
}

Deno.test("apply_update computes every preset and objective as a float64 evaluation of its own log-probs does", () =>
  withTinyPolicy(async (run) => {
    const losses = new Map<string, number>();
    for (const [name, options] of Object.entries(CASES)) losses.set(name, await compared(run, options, name));
    for (const [masked, plain] of [["entropy bonus", "grpo"], ["off-policy mask", "grpo"]] as const) {
      assert.notEqual(losses.get(masked), losses.get(plain), `${masked} changes something`);
    }
  }, { ...ONE_LAYER, reference: "copy" }));

Deno.test("apply_update refuses passes over a part of a batch whose tokens are compared, and tells of a batch of no token", () =>
  withTinyPolicy(async (run) => {
    const pass = { loss: "kl_cov", learning_rate: 1e-3, prompts_per_pass: 1 };
    assert.match(
      applyUpdate.check!(applyUpdate.params.parse(pass))[0]!,
      /Cannot use prompts_per_pass with loss "kl_cov"/,
    );
    const { update } = await updateOn(run, { ...GIVEN, completion_mask: ZERO }, { preset: "grpo" });
    assert.equal(update["loss"], 0);
    const { update: nan } = await updateOn(run, { ...GIVEN, completion_mask: ZERO }, { preset: "verl/vanilla" });
    assert.deepEqual([nan["loss"], nan["applied"]], [NaN, false]);
  }, { ...ONE_LAYER, reference: "copy" }));
