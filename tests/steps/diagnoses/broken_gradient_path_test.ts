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
    "a gradient that is lost in the second half though groups have spread": healthyBut({
      grad_norm: [...ramp(0.8, 0.6, 15), ...flat(0, 15)],
    }),
    "supervised training that loses it": {
      algorithm: "sft",
      columns: { loss: ramp(2, 1), grad_norm: [...ramp(2, 1, 15), ...flat(0, 15)] },
    },
    "pairs that lose it": {
      algorithm: "dpo",
      columns: {
        loss: ramp(0.69, 0.5),
        reward_margin: ramp(0, 0.4),
        grad_norm: [...ramp(2, 1, 15), ...flat(0, 15)],
      },
    },
    "gradients of 1e-9 beside a KL of exactly 0, though the reward rises": healthyBut({
      grad_norm: ramp(1e-9, 2e-9, 30, 1e-10),
      kl: flat(0),
    }),
    "gradients of 1e-9 in a log without a KL": healthyBut({
      grad_norm: ramp(1e-9, 2e-9, 30, 1e-10),
      kl: [],
      reward: ramp(0.4, 0.4),
      "reward.accuracy_reward": [],
    }),
    "supervised training without a gradient": { algorithm: "sft", columns: { loss: ramp(2, 2), grad_norm: flat(0) } },
  },
  silent: {
    "flat groups": healthyBut({ grad_norm: flat(0), zero_spread_fraction: flat(1) }),
    "groups that all tie in the second half": healthyBut({
      grad_norm: [...ramp(0.8, 0.6, 15), ...flat(0, 15)],
      zero_spread_fraction: [...flat(0.2, 15), ...flat(1, 15)],
    }),
    "a gradient of every second record, between updates": healthyBut({
      grad_norm: ramp(0.8, 0.6).map((value, i) => i % 2 === 0 ? value : 0),
    }),
    "nine records without a gradient at the end": healthyBut({ grad_norm: [...ramp(0.8, 0.6, 21), ...flat(0, 9)] }),
    "small gradients that three decimals make 0": healthyBut({
      grad_norm: [...ramp(0.02, 0.01, 15, 0.001), ...flat(0, 15)],
    }, { decimals: { grad_norm: 3 } }),
    "gradients that are clipped away": healthyBut({
      grad_norm: [...ramp(0.8, 0.6, 15), ...flat(0, 15)],
      clip_fraction: [...flat(0.1, 15), ...flat(1, 15)],
    }),
    "pairs that are learned to the end": {
      algorithm: "dpo",
      columns: {
        loss: [...ramp(0.69, 0.1, 15, 0), ...flat(1e-9, 15)],
        reward_margin: ramp(0, 20),
        grad_norm: [...ramp(2, 1, 15), ...flat(0, 15)],
      },
    },
    "gradients of 1e-9 without a KL of a run whose reward rises": healthyBut({
      grad_norm: ramp(1e-9, 2e-9, 30, 1e-10),
      kl: [],
    }),
    "the same at a KL weight of 0, which prints a KL of 0": healthyBut({
      grad_norm: ramp(1e-9, 2e-9, 30, 1e-10),
      kl: flat(0),
    }, { settings: { beta: 0 } }),
    "gradients of 1e-9 of a policy that has moved": healthyBut({ grad_norm: ramp(1e-9, 2e-9, 30, 1e-10) }),
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

Deno.test("broken_gradient_path warns of a gradient that comes back, and is open where groups are not told", () => {
  const lost = [...ramp(0.8, 0.7, 10), ...flat(0, 12), ...ramp(0.7, 0.6, 8)];
  const back = DIAGNOSES.broken_gradient_path.check(viewOf(healthyBut({ grad_norm: lost }))) as Found;
  assert.deepEqual([back.severity, back.trainSteps.at(0), back.trainSteps.at(-1)], ["warning", 11, 22]);
  const stopped = { grad_norm: [...ramp(0.8, 0.7, 15), ...flat(0, 15)], zero_spread_fraction: [] };
  const untold = DIAGNOSES.broken_gradient_path.check(viewOf(healthyBut({ ...stopped, reward_std: [] })));
  assert(untold !== null && "missing" in untold, JSON.stringify(untold));
  const contrary = DIAGNOSES.broken_gradient_path.check(viewOf(healthyBut({ grad_norm: flat(2e-6), kl: [] })));
  assert(contrary !== null && "missing" in contrary && /contradict/.test(contrary.because), JSON.stringify(contrary));
  assert.match(untold.because, /exactly 0 from train step 16 to the end, on 15 records/);
});
