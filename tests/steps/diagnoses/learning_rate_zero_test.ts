/** The rule learning_rate_zero: its fault and its look-alikes. */
import { flat, healthyBut, ramp, silentOn, testRule } from "./synthetic.ts";
import { longRunOf } from "./long_run.ts";

testRule("learning_rate_zero", {
  fires: {
    "a schedule that ends at two fifths of a run that has not learned": longRunOf({
      learning_rate: (t) => Math.max(0, 1e-6 * (1 - t / 0.4)),
      reward: () => 0.3,
    }),
    "0 on every record": healthyBut({ learning_rate: flat(0), kl: flat(0), reward: ramp(0.4, 0.4) }),
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
