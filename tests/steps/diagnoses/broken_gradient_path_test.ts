/** The rule broken_gradient_path: its fault and its look-alikes. */
import assert from "node:assert/strict";
import type { Found } from "../../../steps/diagnoses/diagnosis.ts";
import { DIAGNOSES } from "../../../steps/diagnoses/mod.ts";
import { flat, healthyBut, ramp, testRule, viewOf } from "./synthetic.ts";

testRule("broken_gradient_path", {
  fires: {
    "gradient 0 with spread in the groups, one record": {
      system: "ms-swift",
      columns: {
        loss: [0],
        grad_norm: [0],
        reward: [0.34],
        reward_std: [0.44],
        zero_spread_fraction: [0],
        kl: [0],
        truncated_fraction: [0],
      },
    },
    "many records with a batch deviation only": healthyBut({
      grad_norm: flat(0),
      zero_spread_fraction: [],
      kl: flat(0),
    }),
    "no gradient at all in a long log that does not tell of its groups": healthyBut({
      grad_norm: flat(0),
      zero_spread_fraction: [],
      reward_std: [],
      kl: flat(0),
    }),
    "supervised training without a gradient": { algorithm: "sft", columns: { loss: ramp(2, 2), grad_norm: flat(0) } },
  },
  silent: {
    "flat groups": healthyBut({ grad_norm: flat(0), zero_spread_fraction: flat(1) }),
    "nine records of a log that does not tell of its groups": {
      columns: { loss: flat(0, 9), grad_norm: flat(0, 9), reward: ramp(0.2, 0.4, 9) },
    },
    "such a log with one gradient": healthyBut({
      grad_norm: [0.1, ...flat(0, 29)],
      zero_spread_fraction: [],
      reward_std: [],
    }),
    "everything masked": healthyBut({
      kl: flat(0),
      grad_norm: flat(0),
      entropy: flat(0),
      truncated_fraction: flat(1),
      zero_spread_fraction: flat(0),
    }),
    "most completions truncated and masked, the rest in flat groups": {
      ...healthyBut({ grad_norm: flat(0), truncated_fraction: flat(0.9), zero_spread_fraction: flat(0.5) }),
      settings: { mask_truncated_completions: true },
    },
  },
});

const CUT = {
  kind: "inputs_without_grad",
  text: "UserWarning: None of the inputs have requires_grad=True. Gradients will be None",
};
const COUNT = {
  kind: "trainable_parameters",
  value: 4_399_104,
  text: "trainable params: 4,399,104 || all params: 498,431,872 || trainable%: 0.8826",
};

Deno.test("broken_gradient_path says where checkpointing cut the gradient off, and that an adapter is there to train", () => {
  const found = (messages: (typeof CUT)[]) =>
    DIAGNOSES.broken_gradient_path.check(
      viewOf(healthyBut({ grad_norm: flat(0), kl: flat(0), zero_spread_fraction: flat(0.2) }, { messages })),
    ) as Found;
  const both = found([COUNT, CUT]);
  assert.match(both.hint!, /re-entrant checkpointing ends the backward pass/);
  assert.equal(both.ruledOut!["no_trainable_parameters"], "4,399,104 parameters are trainable");
  assert.equal(both.confirm, undefined);
  assert.deepEqual(both.evidence.slice(-2).map(({ value }) => value), [CUT.text, COUNT.text]);
  const neither = found([]);
  assert.equal(neither.hint, undefined);
  assert.match(neither.confirm!, /print the count of trainable parameters/);
});

Deno.test("the warning of checkpointing alone says nothing: healthy runs print it", () =>
  assert.equal(DIAGNOSES.broken_gradient_path.check(viewOf(healthyBut({}, { messages: [COUNT, CUT] }))), null));
