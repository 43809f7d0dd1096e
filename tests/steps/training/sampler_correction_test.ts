import assert from "node:assert/strict";
import { z } from "zod";
import { CRITERIA } from "../../../steps/corrections/rejection.ts";
import {
  comparesSampler,
  correctSampler,
  SAMPLER_COLUMNS,
  SAMPLER_PARAMS,
  type SamplerOptions,
  samplerProblems,
} from "../../../steps/training/sampler_correction.ts";

const given = (written: Record<string, unknown> = {}): SamplerOptions => z.strictObject(SAMPLER_PARAMS).parse(written);
const ln = Math.log;
const old = [[ln(0.5), ln(0.1)], [ln(0.3), -9]], sampler = [[ln(0.25), ln(0.2)], [NaN, -1]], mask = [[1, 1], [1, 0]];
const near = (got: unknown, want: number) => assert(Math.abs(Number(got) - want) < 1e-6, `${got}, want ${want}`);

Deno.test("correctSampler() weighs tokens; one that the sampler says nothing of has weight 1", () => {
  const { weights, metrics, missing, mask: kept } = correctSampler(
    given({ sampler_weights: "token" }),
    old,
    sampler,
    mask,
  );
  const [first, second] = weights as Float64Array[];
  near(first![0], 2);
  near(first![1], 0.5);
  near(second![0], 1);
  assert.equal(missing, 1);
  assert.deepEqual(kept.map((row) => Array.from(row)), mask);
  near(metrics.sampler_ratio_mean, 3.5 / 3);
  near(metrics.sampler_ratio_max, 2);
  near(metrics.sampler_kl, 0);
  assert.equal(metrics.rejected_fraction, null);
});

Deno.test("correctSampler() gives one weight per completion at sequence level", () => {
  const options = { sampler_weights: "sequence", sampler_bounds: [null, 0.9] };
  near(
    (correctSampler(given(options), [[0, 0], [-9, 0]], [[ln(2), 0], [0, 0]], [[1, 1], [0, 0]]).weights as number[])[0],
    0.5,
  );
  assert.deepEqual(correctSampler(given(options), old, sampler, mask).weights, [0.9, 0.9]);
  // A first token that does not count has no say in the weight of its completion.
  const late = correctSampler(given(options), [[5, 0]], [[0, ln(2)]], [[0, 1]]).weights as number[];
  near(late[0], 0.5);
});

Deno.test("correctSampler() rejects by every criterion, and refuses to leave nothing", () => {
  const { weights, mask: kept, metrics } = correctSampler(
    given({ sampler_reject: { token_k3: 0.25 } }),
    old,
    sampler,
    mask,
  );
  assert.equal(weights, null);
  assert.deepEqual(kept.map((row) => Array.from(row)), [[0, 1], [1, 0]]);
  near(metrics.rejected_fraction, 1 / 3);
  assert.equal(metrics.sampler_ratio_mean, null);
  assert.deepEqual(Object.keys(metrics), [...SAMPLER_COLUMNS]);
  const all = given({ sampler_reject: { token_k1: [5, 6] } });
  assert.throws(
    () => correctSampler(all, old, sampler, mask),
    /every token was rejected by token_k1; widen sampler_reject/,
  );
});

Deno.test("comparesSampler() says whether a pass is needed; samplerProblems() what contradicts itself", () => {
  assert.deepEqual(
    [given(), given({ sampler_weights: "token" }), given({ sampler_reject: { seq_max_k2: 1 } })].map(comparesSampler),
    [false, true, true],
  );
  const problems = (written: Record<string, unknown>) => samplerProblems(given(written)).join("\n");
  assert.equal(problems({}), "");
  assert.match(problems({ sampler_normalize: true }), /Cannot use "sampler_normalize": sampler_weights is none/);
  assert.match(
    problems({ sampler_weights: "token", sampler_bounds: [3, 2] }),
    /by 3 and 2: want the lower bound first/,
  );
  assert.match(problems({ sampler_weights: "token", old_logprobs: "sampler" }), /want old_logprobs: trainer/);
});

Deno.test("sampler_reject takes every criterion of CRITERIA, each as its estimate is written, and no other", () => {
  const { sampler_reject } = SAMPLER_PARAMS, takes = (written: object) => sampler_reject.safeParse(written).success;
  assert.deepEqual(Object.keys(sampler_reject.unwrap().shape), Object.keys(CRITERIA));
  for (const [name, { estimate }] of Object.entries(CRITERIA)) {
    const ofRatios = estimate === "k1";
    assert.deepEqual([takes({ [name]: [0.5, 2] }), takes({ [name]: 0.1 })], [ofRatios, !ofRatios], name);
  }
  assert(!takes({ seq_max_k1: [0.5, 2] }));
});
