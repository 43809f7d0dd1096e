/** The rule learning_rate_too_high: its fault and its look-alikes. */
import assert from "node:assert/strict";
import { diagnoseRun } from "../../../steps/diagnoses/mod.ts";
import { flat, healthyBut, ramp, testRule, viewOf } from "./synthetic.ts";

/** A small model of ours that falls from 85 % to 0.5 % in four train steps. */
const sudden = (rate: number) => ({
  ...healthyBut({
    accuracy: [0.855, 0.3, 0.02, 0.005],
    reward: [0.855, 0.3, 0.02, 0.005],
    "reward.accuracy_reward": [],
    learning_rate: flat(rate, 4),
  }),
  own: true,
  settings: { prompts_per_step: 64, parameters: 770_000 },
});

testRule("learning_rate_too_high", {
  fires: {
    "0.3 and a policy that is gone after one update": healthyBut({
      learning_rate: flat(0.3),
      entropy: [0.32, 0.09, ...flat(0.001, 28)],
      reward: [1.06, ...flat(0, 29)],
      "reward.accuracy_reward": [0.4, ...flat(0, 29)],
      zero_spread_fraction: [0, ...flat(1, 29)],
      completion_length: [8, ...flat(16, 29)],
      truncated_fraction: [0.03, ...flat(1, 29)],
      grad_norm: [0.9, ...flat(0, 29)],
    }),
    "a configuration with 0.1": { settings: { learning_rate: 0.1 } },
    "half of the weights' norm in one step": healthyBut({ relative_update: [0.5, ...flat(0.01, 29)] }, { own: true }),
    "pairs that lose both log-probs in three updates": {
      algorithm: "dpo",
      settings: { learning_rate: 5e-3 },
      columns: {
        loss: ramp(0.6931, 0.65),
        learning_rate: flat(5e-3),
        chosen_logprob: [-2.5, -15, -30, ...ramp(-42, -90, 27)],
        rejected_logprob: [-2.7, -15, -31, ...ramp(-43, -93, 27)],
        grad_norm: ramp(0.3, 0.4),
      },
    },
    "an accuracy gone in four train steps at several times the usual rate": sudden(1e-3),
  },
  silent: {
    "the same fall at a usual rate, which has another cause": sudden(1e-5),
    "a slow fall at that rate": {
      ...sudden(1e-3),
      columns: { accuracy: ramp(0.85, 0.05, 60, 0.01), learning_rate: flat(1e-3, 60) },
    },
    "a large rate whose tokens are clipped while rollouts are reused": healthyBut({
      learning_rate: flat(0.03),
      clip_fraction: Array.from({ length: 30 }, (_, i) => i % 10 === 0 ? 0 : 0.5),
      reward: Array.from({ length: 30 }, (_, i) => i % 10 === 0 ? 0.3 + 0.01 * i : null),
      "reward.accuracy_reward": Array.from({ length: 30 }, (_, i) => i % 10 === 0 ? 0.3 + 0.01 * i : null),
    }),
    "a reward that falls to its floor with the first NaN": healthyBut({
      learning_rate: flat(3e-4),
      grad_norm: [0.7, 1.4, 1.7, ...flat(NaN, 27)],
      entropy: [0.43, 0.42, 0.4, ...flat(null, 27)],
      reward: [1.2, 1.1, 1.1, ...flat(0, 27)],
    }),
    "pairs that learn": {
      algorithm: "dpo",
      columns: {
        loss: ramp(0.6931, 0.3, 30, 0),
        learning_rate: flat(3e-4),
        chosen_logprob: ramp(-12, -13),
        rejected_logprob: ramp(-14, -60),
      },
    },
    "3e-4 that a tiny model stands": healthyBut({ learning_rate: flat(3e-4) }),
    "a usual rate with a NaN": healthyBut({ grad_norm: [0.5, 0.6, ...flat(NaN, 28)] }),
    "a clean relative update": healthyBut({ relative_update: flat(0.056) }, { own: true }),
  },
});

Deno.test("learning_rate_too_high is an error where one step changes a third of the weights' norm, a warning from a tenth", () => {
  const severity = (share: number) =>
    diagnoseRun(viewOf(healthyBut({ relative_update: [share, ...flat(0.01, 29)] }, { own: true }))).findings.find((
      { cause },
    ) => cause === "learning_rate_too_high")?.severity;
  assert.deepEqual([severity(0.09), severity(0.2), severity(0.4)], [undefined, "warning", "error"]);
});
