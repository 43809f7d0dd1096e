/** The rule learning_rate_zero: its fault and its look-alikes. */
import { flat, healthyBut, ramp, silentOn, testRule, viewOf } from "./synthetic.ts";
import { alarmsOf } from "./told/diagnosed.ts";
import assert from "node:assert/strict";
import { DIAGNOSES } from "../../../steps/diagnoses/mod.ts";
import { diagnoseRun } from "../../../steps/diagnoses/diagnose_run.ts";
import { longRun, longRunOf } from "./long_run.ts";

Deno.test("learning_rate_zero is silent of a rate that is told in few decimals, and not of one that is 0", async () => {
  assert.deepEqual(await alarmsOf("verl, GRPO: lr=0 on every step (`actor/lr:0.000`), why?\n"), []);
  assert.deepEqual(await alarmsOf("SFT: the learning rate is always 0.0, why?\n"), ["learning_rate_zero"]);
});

testRule("learning_rate_zero", {
  fires: {
    "a schedule that ends at two fifths of a run that has not learned": longRunOf({
      learning_rate: (t) => Math.max(0, 1e-6 * (1 - t / 0.4)),
      reward: () => 0.3,
    }),
    "0 on every record": healthyBut({ learning_rate: flat(0), kl: flat(0), reward: ramp(0.4, 0.4) }),
    "0 on every record of a run of which 3e-4 was asked, and a KL of 0": healthyBut({
      learning_rate: flat(0),
      kl: flat(0),
      reward: ramp(0.4, 0.4),
      "reward.accuracy_reward": [],
    }, { settings: { learning_rate: 3e-4 } }),
    "0 on every record, a flat reward and a KL that scatters": longRunOf({
      learning_rate: () => 0,
      reward: () => 0.4,
      kl: () => 0.001,
    }),
    "0 in one decimal from two fifths of a run on that has not learned": longRunOf({
      learning_rate: (t) => t < 0.4 ? 1e-6 : 0,
      reward: () => 0.3,
      kl: () => 0.001,
    }, { rough: 0.01, decimals: { learning_rate: 1 } }),
    "0 in the configuration": { settings: { learning_rate: 0 } },
  },
  silent: {
    "a cosine that ends with its run": longRunOf({ learning_rate: (t) => 5e-7 * (1 + Math.cos(Math.PI * t)) }),
    "a schedule whose last fifth is 0": longRunOf({ learning_rate: (t) => Math.max(0, 1e-6 * (1 - t / 0.8)) }),
    "small rates with three decimals": longRunOf({ learning_rate: (t) => t < 0.1 ? 0.001 : 0 }, {
      decimals: { learning_rate: 3 },
    }),
    "warm-up of a fifth": longRunOf({ learning_rate: (t) => t < 0.2 ? 0 : 1e-6 }),
    "0.000 in a rounded log": healthyBut({ learning_rate: flat(0) }, {
      system: "verl",
      decimals: { learning_rate: 3 },
    }),
    "0.0 where the reward rises": longRunOf({ learning_rate: () => 0, kl: () => 0 }, {
      decimals: { learning_rate: 1 },
    }),
    "0.0 where the KL leaves 0": longRunOf({ learning_rate: () => 0, reward: () => 0.4, kl: (t) => 0.01 * t }),
    "0.0 of a few records where the KL leaves 0": healthyBut({
      ...Object.fromEntries(Object.keys(healthyBut({}).columns!).map((name) => [name, []])),
      learning_rate: flat(0, 4),
      reward: flat(0.4, 4),
      kl: [0, 2e-4, 4e-4, 9e-4],
    }),
    "examples whose loss falls": {
      algorithm: "sft",
      columns: { learning_rate: flat(0, 40), loss: ramp(3, 1, 40), grad_norm: ramp(1, 1, 40) },
    },
    "a cosine of four decimals": longRun({
      reward: flat(0.3, 300),
      kl: flat(0.001, 300),
      learning_rate: Array.from({ length: 300 }, (_, i) => Math.round(3 * (1 - i / 180) * 1) / 1e4).map((rate) =>
        Math.max(0, rate)
      ),
    }),
    "0.0 from a fifth on, and it learns on": longRunOf({ learning_rate: (t) => t < 0.2 ? 1e-3 : 0 }, { rough: 0 }),
    "warm-up from 0": healthyBut({ learning_rate: [0, ...flat(1e-6, 29)] }),
  },
});

silentOn(
  "learning_rate_zero",
  "healthy runs of every schedule",
  Array.from({ length: 60 }, (_, seed) => {
    const restarts = 1 + seed % 4, warm = 0.01 * (seed % 10);
    const left = (t: number) => [1, 1 - t, (1 + Math.cos(Math.PI * ((restarts * t) % 1))) / 2][seed % 3]!;
    return longRunOf({ learning_rate: (t) => 1e-6 * Math.min(1, t / Math.max(warm, 1e-3)) * left(t) }, {
      seed: seed + 1,
      rough: 0,
      records: [60, 200, 500][seed % 3]!,
    });
  }),
);

Deno.test("a printed 0 beside a configured rate stays open where neither the reward nor the KL tells", () => {
  const flatRun = longRunOf({ learning_rate: () => 0, reward: () => 0.4, kl: () => 0.001 }, {
    settings: { learning_rate: 3e-4 },
  });
  const { findings, reasons } = diagnoseRun(viewOf(flatRun));
  assert.ok(!findings.some(({ cause }) => cause === "learning_rate_zero"));
  const result = DIAGNOSES.learning_rate_zero.check(viewOf(flatRun));
  assert.ok(result !== null && "because" in result && result.because.includes("0.0003 is configured"), `${reasons}`);
  const uncomputed = healthyBut({
    learning_rate: flat(0),
    kl: flat(0),
    reward: ramp(0.4, 0.4),
    "reward.accuracy_reward": [],
  }, {
    settings: { learning_rate: 3e-4, beta: 0 },
  });
  assert.ok(
    "because" in DIAGNOSES.learning_rate_zero.check(viewOf(uncomputed))!,
    "a KL without weight is not computed",
  );
});
