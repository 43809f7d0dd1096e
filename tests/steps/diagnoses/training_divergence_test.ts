/** The rule training_divergence: its fault and its look-alikes. */
import assert from "node:assert/strict";
import { DIAGNOSES } from "../../../steps/diagnoses/mod.ts";
import { between, type Curve, longRunOf, noisy } from "./long_run.ts";
import { begins, flat, healthyBut, ramp, type Run, testRule, viewOf } from "./synthetic.ts";

/** From one value to another by factors, from a time on. */
const growing = (from: number, to: number, begin: number): Curve => (at) =>
  from * (to / from) ** Math.max(0, (at - begin) / (1 - begin));
const falling = between(0.8, 0.2, 0.4);

/** A supervised run of 400 records. */
const supervised = (curve: Curve, more: Omit<Run, "columns" | "algorithm"> & { readonly right?: number } = {}): Run => {
  const records = 400, { right = 0.5, ...rest } = more;
  return {
    algorithm: "sft",
    columns: {
      loss: noisy(curve, 0.05, { records }),
      grad_norm: noisy(() => 1.2, 0.1, { records }),
      learning_rate: flat(2e-5, records),
      token_accuracy: noisy(() => right, 0.005, { records }),
    },
    ...rest,
  };
};
/** From 2.2 to 1.4 within a fifth of the run, as a model is tuned. */
const tuned: Curve = between(2.2, 1.4, 0, 0.2);
/** Three stages of texts, each harder, within each of which the loss falls. */
const curriculum: Curve = (at) => (at < 1 / 3 ? 1.2 : at < 2 / 3 ? 2 : 2.8) - 0.3 * ((3 * at) % 1);
const held = (from: number, to: number) => ({
  evaluations: { loss: ramp(from, to, 10, 0) },
  evaluationSteps: ramp(40, 400, 10, 0),
});

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
    "a supervised loss that leaves its best level after a twentieth": supervised((at) => at < 0.05 ? 2 : 7.1),
    "the same within the first stretch": supervised((at) => at < 0.02 ? 2.2 : 10.8),
    "from 13 % on, and held-out loss with it": supervised((at) => at < 0.13 ? 1.6 : 7, held(6.9146, 6.9121)),
    "over 70 % of the run": supervised((at) => tuned(at) + between(0, 3, 0.3)(at)),
    "over its last eighth": supervised((at) => at < 0.87 ? tuned(at) : 6.8),
    "a supervised loss that never leaves ignorance": supervised(between(7.2, 6.85), { right: 0.01 }),
    "the same with ten updates to a record": {
      algorithm: "sft",
      stepsPrinted: false,
      columns: {
        loss: noisy(between(7.2, 6.85), 0.05, { records: 40 }),
        learning_rate: flat(1e-3, 40),
        token_accuracy: flat(0, 40),
        epoch: ramp(0.025, 1, 40, 0),
      },
    },
    "a reward model that unlearns its pairs": {
      algorithm: "sft",
      columns: {
        accuracy: noisy((at) => at < 0.5 ? 0.5 + 0.4 * at : 0.5, 0.06),
        loss: noisy((at) => at < 0.5 ? 0.69 - 0.3 * at : 0.84, 0.04, { seed: 2 }),
        grad_norm: flat(5, 300),
      },
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
    "a supervised loss that learns": supervised(tuned),
    "noise with a memory": {
      algorithm: "sft",
      columns: { loss: noisy(() => 1.4, 0.35, { records: 400, memory: 0.97 }), learning_rate: flat(2e-5, 400) },
    },
    "spikes, the last at the end": supervised((at) => at > 0.49 && at < 0.51 || at > 0.95 ? 7 : tuned(at)),
    "stairs of epochs": supervised((at) => at < 1 / 3 ? 1.5 : at < 2 / 3 ? 0.9 : 0.4),
    "warm restarts": supervised((at) => 1.2 + 0.5 * ((4 * at) % 1 < 0.1 ? 1 : 0)),
    "harder texts, of which held-out ones are told better": supervised(curriculum, held(2.4, 1.7)),
    "harder texts whose loss falls between its jumps": supervised(curriculum),
    "a model that begins at random": supervised((at) => 3.5 + 7.3 * Math.exp(-8 * at), { right: 0.05 }),
    "one that is right of most tokens, whatever its loss sums": supervised(() => 8),
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
