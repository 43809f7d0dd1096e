/** The rule rollout_trainer_mismatch: its fault and its look-alikes. */
import assert from "node:assert/strict";
import { diagnoseRun } from "../../../steps/diagnoses/diagnose_run.ts";
import { DIAGNOSES } from "../../../steps/diagnoses/mod.ts";
import { flat, healthyBut, silentOn, testRule, viewOf } from "./synthetic.ts";
import { between, longRun, longRunOf, noisy } from "./long_run.ts";
import { from, settles } from "./long_pairs.ts";

const ROUNDED = { own: true, settings: { weights: "int8", sampler_weights: "token" } };

testRule("rollout_trainer_mismatch", {
  fires: {
    "a sampler whose weights are no longer renewed": longRunOf({
      sampler_logprob_gap: (t) => 2e-6 + from(0.3, 20)(t),
      kl: (t) => 0.01 + from(0.3, 0.4)(t),
    }),
    "probabilities that drift apart, still below the limit": longRunOf({
      sampler_probability_gap: (t) => 0.003 + from(0.4, 0.005)(t),
    }),
    "an effective sample that shrinks": longRunOf({ effective_sample_fraction: (t) => 0.92 - from(0.4, 0.4)(t) }, {
      rough: 0.02,
    }),
    "a policy that samples at an ever greater age": longRunOf({ sampler_lag: (t) => 1 + from(0.3, 5)(t) }),
    "a KL of ten thousand in the first record": healthyBut({ kl: [10832, 1678, 906, 1291, 64, ...flat(2.5, 25)] }),
    "probabilities that differ by 0.05": healthyBut({ sampler_probability_gap: flat(0.05) }, { system: "verl" }),
    "weights of 8 bits and a gap that no rounding makes": healthyBut({ sampler_logprob_gap: flat(1.5) }, {
      own: true,
      settings: { weights: "int8" },
    }),
    "4 bits beneath an adapter and a gap that no rounding makes": healthyBut({ sampler_logprob_gap: flat(4) }, {
      own: true,
      settings: { weights: "int4", lora_rank: 8 },
    }),
    "a copy of 4 bits and a gap that no rounding makes": healthyBut({ sampler_logprob_gap: flat(9) }, {
      own: true,
      settings: { weights: "int4" },
    }),
    "weights of 8 bits, a correction and a gap that no rounding makes": healthyBut({
      sampler_logprob_gap: flat(3),
      sampler_logprob_gap_mean: flat(0.5),
    }, ROUNDED),
    "float32 weights and a gap that rounding would explain": healthyBut({ sampler_logprob_gap: flat(0.0025) }, {
      own: true,
      settings: { weights: "float32" },
    }),
    "our sampler and trainer apart": healthyBut({ sampler_logprob_gap: flat(0.2) }, { own: true }),
  },
  silent: {
    "a difference that stays as it is": longRunOf({ sampler_probability_gap: () => 0.006 }),
    "a queue that fills up at the beginning": longRunOf({ sampler_lag: (t) => Math.min(4, 40 * t) }),
    "a divergence of a hundredth of the limit that triples": longRunOf({ sampler_kl: (t) => 0.0002 + 0.0004 * t }),
    "weights of 8 bits, whose sampler rounds": healthyBut({ sampler_logprob_gap: flat(0.2) }, {
      own: true,
      settings: { weights: "int8" },
    }),
    "a sampler that is a copy of 4 bits": healthyBut({ sampler_logprob_gap: flat(4) }, {
      own: true,
      settings: { weights: "int4" },
    }),
    "weights of 4 bits and a correction, within limits": healthyBut({
      sampler_logprob_gap: flat(0.0025),
      sampler_logprob_gap_mean: flat(0.0012),
      sampler_kl: flat(-0.0008),
      sampler_ratio_mean: flat(1.0008),
      effective_sample_fraction: flat(0.999),
    }, { ...ROUNDED, settings: { ...ROUNDED.settings, weights: "int4" } }),
    "probabilities within verl's limit": healthyBut({ sampler_probability_gap: flat(0.003) }),
    "rounding between two graphs": healthyBut({ sampler_logprob_gap: flat(1e-5) }, { own: true }),
    "the same KL in an excerpt": { stepsPrinted: false, columns: { kl: [10832], loss: [1] } },
  },
});

Deno.test("rollout_trainer_mismatch is a note where a correction was asked for what rounded weights explain", () => {
  const found = (gap: number, weights: string) => {
    const columns = { sampler_logprob_gap: flat(gap), sampler_logprob_gap_mean: flat(0.15) };
    const { findings } = diagnoseRun(viewOf(healthyBut(columns, { own: true, settings: { weights } })));
    return findings.filter(({ cause }) => cause === "rollout_trainer_mismatch").map(({ severity }) => severity);
  };
  assert.deepEqual([found(0.8, "int8"), found(0.8, "int4")], [["info"], ["info"]]);
  assert.deepEqual([found(3, "int8"), found(0.8, "float32")], [["error"], ["error"]]);
});

silentOn(
  "rollout_trainer_mismatch",
  "healthy runs with two engines",
  Array.from({ length: 60 }, (_, seed) =>
    longRunOf({
      sampler_probability_gap: () => 0.001 + 0.0001 * (seed % 70),
      sampler_kl: () => 0.0005 * (1 + seed % 20),
      effective_sample_fraction: () => 0.95 - 0.004 * seed,
      sampler_lag: settles(1 + seed % 5, 0.03),
    }, { seed, records: [60, 200, 500][seed % 3]!, rough: [0.02, 0.05, 0.1][seed % 4 % 3]! })),
);

Deno.test("rollout_trainer_mismatch beyond its limit says where the drift began", () => {
  for (const seed of [1, 2, 3, 4, 5]) {
    const run = longRunOf({ sampler_probability_gap: (t) => 0.003 + from(0.5, 0.03)(t) }, { seed });
    const [first] = diagnoseRun(viewOf(run)).findings;
    assert.equal(first!.cause, "rollout_trainer_mismatch");
    assert.equal(first!.severity, "error");
    assert(first!.train_steps[0]! >= 150 && first!.train_steps[0]! <= 180, `${first!.train_steps[0]}`);
  }
});

Deno.test("rollout_trainer_mismatch names a gap that grew far and then stands still, and no queue that filled up", () => {
  const check = (column: string, from: number, to: number) =>
    DIAGNOSES.rollout_trainer_mismatch.check(
      viewOf(
        longRunOf({ [column]: (t) => from + (to - from) * Math.min(1, Math.max(0, 10 * t - 2)) }, { rough: 0.02 }),
      ),
    );
  const found = check("sampler_probability_gap", 1e-4, 0.0097);
  assert.match(JSON.stringify(found), /sampler_probability_gap goes from about 0\.00\d+ to 0\.009\d* from train step/);
  assert.equal(check("sampler_probability_gap", 1e-4, 0.006), null, "not three times what is noticed");
  assert.notEqual(check("sampler_logprob_gap", 1, 4.5), null);
  assert.equal(check("sampler_logprob_gap", 1, 2.8), null, "not three times its start more");
  assert.equal(check("sampler_lag", 0.1, 8), null, "a queue of eight");
});

Deno.test("rollout_trainer_mismatch near its limit is a note where what the run is for rises", () => {
  const severity = (gap: number, to: number) => {
    const reward = noisy(between(0.3, to), 0.02), sampler_probability_gap = Array(300).fill(gap);
    const run = longRun({ reward, "reward.accuracy_reward": reward, sampler_probability_gap });
    const found = DIAGNOSES.rollout_trainer_mismatch.check(viewOf(run));
    assert(found !== null && "message" in found);
    return (found as { severity?: string }).severity;
  };
  assert.deepEqual([severity(0.012, 0.8), severity(0.012, 0.3), severity(0.03, 0.8)], ["info", undefined, undefined]);
});

Deno.test("rollout_trainer_mismatch offers sampling options only where it was there at first, or the run shows them", () => {
  const told = (gap: (at: number) => number, settings: Record<string, unknown> = {}) =>
    diagnoseRun(viewOf(longRun({ sampler_logprob_gap_mean: noisy(gap, 0.005) }, { system: "trl", settings })))
      .findings[0]!;
  const drifts = told((at) => 0.005 + from(0.3, 1.4)(at));
  assert.equal(drifts.cause, "rollout_trainer_mismatch");
  assert.match(drifts.hint, /^Sync the sampler's weights/);
  assert.deepEqual(drifts.remedy.options, []);
  const always = told(() => 0.4);
  assert.deepEqual([always.cause, ...always.remedy.options], [
    "rollout_trainer_mismatch",
    "trl: top_p=1",
    "trl: top_k=0",
  ]);
  assert.deepEqual(told((at) => 0.005 + from(0.3, 1.4)(at), { top_p: 0.9, top_k: 0 }).remedy.options, ["trl: top_p=1"]);
});
