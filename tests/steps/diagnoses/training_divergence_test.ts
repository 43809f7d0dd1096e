/** The rule training_divergence: its fault and its look-alikes. */
import assert from "node:assert/strict";
import { DIAGNOSES } from "../../../steps/diagnoses/mod.ts";
import { between, type Curve, longRunOf, noisy } from "./long_run.ts";
import { begins, flat, healthyBut, ramp, testRule, viewOf } from "./synthetic.ts";

/** From one value to another by factors, from a time on. */
const growing = (from: number, to: number, begin: number): Curve => (at) =>
  from * (to / from) ** Math.max(0, (at - begin) / (1 - begin));
const falling = between(0.8, 0.2, 0.4);

testRule("training_divergence", {
  fires: {
    "two losses to infinity": {
      algorithm: "ppo",
      system: "deepspeed-chat",
      steps: [3183, 3184, 3185],
      columns: {
        policy_loss: [30.9, Infinity, Infinity],
        value_loss: [30.5, Infinity, Infinity],
        reward: [-7.8, -6.3, -4.5],
      },
    },
    "a supervised loss that doubles and grows": {
      algorithm: "sft",
      columns: { loss: [...ramp(2, 1.5, 15), ...ramp(2, 9, 15)], grad_norm: ramp(1, 9), learning_rate: flat(2e-5) },
    },
    "a gradient a million times as large, whatever the reward does": longRunOf({
      grad_norm: (at) => at < 0.4 ? 0.8 : 8e5,
    }),
    "a loss that runs away alone": longRunOf({ loss: (at) => at < 0.4 ? 0.01 : 10 ** (12 * at) }),
    "loss and gradient that grow together over a long run while the reward falls": longRunOf({
      grad_norm: growing(1, 25, 0.4),
      loss: growing(0.01, 1.2, 0.4),
      reward: falling,
      "reward.accuracy_reward": falling,
    }),
  },
  silent: {
    "a gradient of ten times, which stays": longRunOf({ grad_norm: (at) => at < 0.4 ? 0.8 : 8 }),
    "both grow while the reward rises": longRunOf({ grad_norm: growing(1, 25, 0.4), loss: growing(0.01, 1.2, 0.4) }),
    "a gradient that grows alone": longRunOf({
      grad_norm: growing(1, 25, 0.4),
      reward: falling,
      "reward.accuracy_reward": falling,
    }),
    "a loss that grows alone": longRunOf({
      loss: growing(0.01, 1.2, 0.4),
      reward: falling,
      "reward.accuracy_reward": falling,
    }),
    "both came back": longRunOf({
      grad_norm: (at) => growing(1, 25, 0.4)(Math.min(at, 1.6 - at)),
      loss: (at) => growing(0.01, 1.2, 0.4)(Math.min(at, 1.6 - at)),
      reward: falling,
      "reward.accuracy_reward": falling,
    }),
    "a loss on pairs that doubles: its labels have changed": {
      algorithm: "kto",
      columns: { loss: [...ramp(0.3, 0.2, 15), ...ramp(0.5, 0.9, 15)], reward_margin: ramp(1, -3) },
    },
    "the same of DPO": { algorithm: "dpo", columns: { loss: [...ramp(0.69, 0.4, 15), ...ramp(0.8, 1.8, 15)] } },
    "a policy loss that rises": healthyBut({ loss: ramp(0, 0.4) }),
    "a supervised loss that falls": { algorithm: "sft", columns: { loss: ramp(2, 1), grad_norm: ramp(1, 1) } },
    "NaN instead of infinity": healthyBut({ loss: [...ramp(0.1, 0.2, 15), ...flat(NaN, 15)] }),
  },
});

Deno.test("training_divergence of a long run begins where the loss left its best level", () => {
  const loss = noisy((at) => at < 0.5 ? 2 - at : 1.5 + 12 * (at - 0.5), 0.02);
  const columns = { loss, grad_norm: flat(1, 300), learning_rate: flat(2e-5, 300) };
  const first = begins("training_divergence", { algorithm: "sft", columns });
  assert(first > 145 && first < 175, String(first));
});

/** Loss and gradient that grow together, the loss as `tail` has it in the stretches from the tenth of 24 on. */
const grownWith = (tail: (stretch: number) => number) =>
  DIAGNOSES.training_divergence.check(viewOf(longRunOf({
    grad_norm: growing(1, 25, 0.4),
    loss: (at) => at < 9 / 24 ? 0.01 : tail(Math.floor(24 * Math.min(at, 0.999))),
    reward: falling,
    "reward.accuracy_reward": falling,
  }, { rough: 0.02 })));

Deno.test("training_divergence over a long run wants a loss six times as far as its stretches scatter", () => {
  // Stretches that differ by d in turn have second differences of 2 d, a noise of 1.21 d: six of it are 1 at d = 0.14.
  const swinging = (by: number) => grownWith((stretch) => stretch > 21 || stretch % 2 === 0 ? 1 : 1 - by);
  assert.notEqual(swinging(0.1), null);
  assert.equal(swinging(0.2), null);
});

Deno.test("training_divergence over a long run is none that has come back below seven tenths of its highest level", () => {
  const back = (share: number) => grownWith((stretch) => stretch < 16 ? 1 : share);
  assert.notEqual(back(0.8), null);
  assert.equal(back(0.6), null);
});
