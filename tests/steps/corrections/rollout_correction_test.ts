import assert from "node:assert/strict";
import { rolloutCorrection } from "../../../steps/corrections/rollout_correction.ts";

const ln = Math.log;
const old = [[ln(0.5), ln(0.1), -9], [ln(0.3), -9, -9]], sampler = [[ln(0.25), ln(0.2), -1], [ln(0.3), -1, -1]];
const mask = [[1, 1, 0], [1, 0, 0]];

Deno.test("rolloutCorrection() weighs the whole rollout and takes rejected tokens out of the mask", () => {
  const { weights, mask: kept, metrics } = rolloutCorrection(old, sampler, mask, {
    weights: { level: "token", bounds: [null, 1.6], outside: "truncate" },
    normalize: true,
    reject: [["token_k3", { low: null, high: 0.25 }]],
  });
  const mean = (1.6 + 0.5 + 1) / 3;
  weights!.forEach((row, i) =>
    row.forEach((weight, t) => {
      const want = [[1.6, 0.5, 0], [1, 0, 0]][i]![t]! / mean;
      assert(Math.abs(weight - want) < 1e-7, `${i} ${t}: ${weight}`);
    })
  );
  assert.deepEqual(kept.map((row) => [...row]), [[0, 1, 0], [1, 0, 0]]);
  assert(Math.abs(metrics["rollout_is_batch_norm_factor"]! - mean) < 1e-7);
  assert(Math.abs(metrics["rollout_rs_masked_fraction"]! - 1 / 3) < 1e-7);
  assert.equal(metrics["rollout_rs_seq_masked_fraction"], 0.5);
  assert(metrics["kl"]! < 1e-9);
});

Deno.test("rolloutCorrection() without weights and criteria only measures", () => {
  const { weights, mask: kept, metrics } = rolloutCorrection(old, sampler, mask, {
    weights: null,
    normalize: false,
    reject: [],
  });
  assert.equal(weights, null);
  assert.deepEqual(kept.map((row) => [...row]), mask);
  assert(!Object.keys(metrics).some((name) => name.startsWith("rollout_is") || name.startsWith("rollout_rs")));
});

Deno.test("rolloutCorrection() refuses a rollout of which no token counts", () => {
  const nothing = { weights: null, normalize: false, reject: [] };
  assert.throws(() => rolloutCorrection(old, sampler, [[0, 0, 0], [0, 0, 0]], nothing), /no token counts/);
});
