/** The rule rollout_trainer_mismatch: its fault and its look-alikes. */
import assert from "node:assert/strict";
import { diagnoseRun } from "../../../steps/diagnoses/diagnose_run.ts";
import { flat, healthyBut, testRule, viewOf } from "./synthetic.ts";

const ROUNDED = { own: true, settings: { weights: "int8", sampler_weights: "token" } };

testRule("rollout_trainer_mismatch", {
  fires: {
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
