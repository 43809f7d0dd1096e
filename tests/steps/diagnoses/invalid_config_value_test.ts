/** The rule invalid_config_value: its fault and its look-alikes. */
import { flat, healthyBut, ramp, testRule } from "./synthetic.ts";

testRule("invalid_config_value", {
  fires: {
    "beta 0 in DPO": {
      algorithm: "dpo",
      settings: { beta: 0 },
      columns: { loss: flat(0.6931), grad_norm: flat(0), reward_margin: flat(0) },
    },
    "beta 0 without a configuration": {
      algorithm: "dpo",
      columns: {
        loss: flat(0.6931),
        grad_norm: flat(0),
        reward_margin: flat(0),
        chosen_logprob: ramp(-9, -8),
        rejected_logprob: ramp(-19, -18),
      },
    },
    "a learning rate as text": { settings: { learning_rate: "one e minus six" } },
    "PyYAML's 1e-6": { settings: { learning_rate: "1e-6" }, source: "config.yaml" },
    "the trainer's refusal": {
      messages: [
        "ValueError: The global train batch size (3 x 2) must be evenly divisible by the number of generations per prompt (8).",
      ],
    },
  },
  silent: {
    "beta 0 in GRPO": healthyBut({}, { settings: { beta: 0.0 } }),
    "PyYAML's 1e-6 where the trainer reads it as a number": healthyBut(
      { learning_rate: flat(1e-6) },
      { settings: { learning_rate: "1e-6" }, source: "config.yaml" },
    ),
    "the same where no record prints the rate": healthyBut(
      { learning_rate: flat(null) },
      { settings: { learning_rate: "1e-6" }, source: "config.yaml" },
    ),
    "a flag written as text": healthyBut({}, { settings: { learning_rate: "1e-6" } }),
  },
});
