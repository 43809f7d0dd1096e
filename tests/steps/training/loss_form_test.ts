import assert from "node:assert/strict";
import { lossForm, lossOf, lossOptions, lossProblems, readsWholeBatch } from "../../../steps/training/loss_form.ts";

const form = (written: Record<string, unknown>) => lossForm(lossOptions(written));

Deno.test("lossForm() takes objective, options, aggregation and KL from the preset, and what is set wins", () => {
  const plain = form({});
  assert.deepEqual([plain.own.objective, plain.aggregation, plain.shared.kl], ["clipped", "token_mean", null]);
  const trl = form({ preset: "trl/dapo", kl_coef: 0.04, clip_high: 0.28 });
  assert.deepEqual(trl.shared.kl, { estimator: "k3", coefficient: 0.04, timesRatio: true });
  assert.equal(trl.aggregation, "rollout_token_mean");
  assert.deepEqual((trl.own as { clipLow?: number; clipHigh?: number }).clipHigh, 0.28);
  const verl = form({ preset: "verl/gspo", kl_coef: 1 });
  assert.deepEqual(verl.shared.kl, {
    estimator: "k3",
    coefficient: 1,
    timesRatio: false,
    bounds: { difference: 20, value: 10 },
    aggregation: "token_mean",
  });
  assert.deepEqual([verl.aggregation, verl.totals.countsEmpty], ["sequence_mean", false]);
  assert.equal(form({ preset: "verl/vanilla", kl_coef: 1, kl_estimator: "k1" }).shared.kl?.bounds, undefined);
  assert.equal(form({ preset: "verl/cispo" }).own.objective, "cispo");
  const bonus = (preset: string) =>
    form({ preset, entropy_coef: 0.1, aggregation: "sequence_sum" }).shared.entropy?.aggregation;
  assert.deepEqual([bonus("verl/vanilla"), bonus("trl/grpo"), bonus("openrlhf/ppo")], [
    "sequence_sum",
    "token_mean",
    "token_mean",
  ]);
  const masks = form({ entropy_coef: 0.1, top_entropy_fraction: 0.2, off_policy_threshold: 0.5 });
  assert.deepEqual(lossOf(masks, true), {
    ...plain.own,
    kl: null,
    entropy: { coefficient: 0.1, aggregation: "token_mean" },
    topEntropy: true,
    offPolicy: { threshold: 0.5, logprobs: "old_logprobs" },
    onPolicy: true,
  });
});

Deno.test("lossProblems() names a contradiction, a strange option, one that is missing and one without effect", () => {
  const cases: readonly (readonly [Record<string, unknown>, RegExp])[] = [
    [
      { preset: "trl/cispo", loss: "clipped" },
      /preset "trl\/cispo" with loss "clipped": the preset is of loss "cispo"/,
    ],
    [{ preset: "trl/sapo", clip_low: 0.1 }, /Cannot set "clip_low" for loss "sapo"/],
    [{ loss: "cispo", clip_low: 0.2, ratio_cap: 0.2 }, /1 - clip_low = 0\.8 and ratio_cap 0\.2/],
    [{ preset: "trl/cispo", clip_high: 0.3 }, /by clip_high 0\.3 and ratio_cap 0\.2/],
    [{ preset: "verl/cispo", ratio_cap: 2 }, /by clip_high 0\.2 and ratio_cap 2: .* or the preset that brings it/],
    [{ loss: "dro" }, /option "dro_beta" is missing or wrong/],
    [{ kl_bound: 10 }, /"kl_bound": kl_coef is 0/],
    [{ aggregation_norm: 8 }, /"aggregation_norm": aggregation is token_mean, want sequence_sum_norm/],
  ];
  for (const [given, problem] of cases) {
    const base = { kl_coef: 0, entropy_coef: 0, top_entropy_fraction: 1 };
    assert.match(lossProblems({ ...base, ...given } as Parameters<typeof lossProblems>[0])[0] ?? "", problem);
    assert.throws(() => lossOptions(given), problem);
  }
  assert.throws(() => lossOptions({ loss: "grpo" }), /Cannot use option "loss" of apply_update/);
});

Deno.test("readsWholeBatch() asks the objective that is chosen, also by a preset", () => {
  const reads = (written: Record<string, unknown>) => readsWholeBatch(lossOptions(written));
  assert.deepEqual([reads({ loss: "kl_cov" }), reads({ loss: "clip_cov" }), reads({}), reads({ preset: "grpo" })], [
    true,
    true,
    false,
    false,
  ]);
});
