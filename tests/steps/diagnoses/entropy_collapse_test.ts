/** The rule entropy_collapse: its fault and its look-alikes. */
import assert from "node:assert/strict";
import { DIAGNOSES } from "../../../steps/diagnoses/mod.ts";
import { begins, flat, group, healthyBut, ramp, testRule, viewOf } from "./synthetic.ts";
import { between, healthyRuns, longRun, longRunOf, noisy } from "./long_run.ts";

testRule("entropy_collapse", {
  fires: {
    "an entropy that decays over a long run while the reward stands still": longRun({
      ...{ reward: noisy(between(0.3, 0.6, 0, 0.55), 0.03), "reward.accuracy_reward": [] },
      entropy: noisy((at) => 0.03 + 0.6 / (1 + Math.exp(30 * (at - 0.55))), 0.01),
    }),
    "entropy to nothing at a flat reward": healthyBut({
      entropy: [...ramp(0.6, 0.02, 20, 0), ...flat(0.005, 10)],
      reward: ramp(0.4, 0.4),
      "reward.accuracy_reward": ramp(0.4, 0.4),
    }),
  },
  silent: {
    "the same decay with a reward that rises to the end": longRun({
      entropy: noisy((at) => 0.03 + 0.6 / (1 + Math.exp(30 * (at - 0.55))), 0.01),
    }),
    "an entropy that halves at a reward that stands still": longRun({
      reward: noisy(between(0.3, 0.6, 0, 0.4), 0.03),
      "reward.accuracy_reward": [],
      entropy: noisy(between(0.7, 0.35), 0.02),
    }),
    "an entropy that falls with the prompts, of a policy that no update has moved": healthyBut({
      entropy: [...ramp(0.6, 0.02, 20, 0), ...flat(0.005, 10)],
      reward: ramp(0.4, 0.4),
      "reward.accuracy_reward": ramp(0.4, 0.4),
      grad_norm: flat(0),
    }, { own: true }),
    "falling entropy with a rising reward": healthyBut({ entropy: [...ramp(0.6, 0.05, 20, 0), ...flat(0.03, 10)] }),
    "a falling entropy that was taken at a low temperature": healthyBut({
      entropy: [...ramp(0.6, 0.02, 20, 0), ...flat(0.005, 10)],
      reward: ramp(0.4, 0.4),
      "reward.accuracy_reward": ramp(0.4, 0.4),
    }, { settings: { temperature: 0.1 } }),
    "a cold temperature that scales the printed entropy": healthyBut({ entropy: flat(0) }, {
      settings: { temperature: 0.001 },
    }),
  },
});

Deno.test("entropy_collapse is from the train step on at which its own series falls", () => {
  const entropy = ramp(0.6, 0.6, 40, 0.001).map((value, i) => i < 12 ? value : 0.003 + i / 1e4);
  const result = DIAGNOSES.entropy_collapse.check(
    viewOf(healthyBut({ entropy, reward: flat(0.4, 40), accuracy: flat(0.4, 40), "reward.accuracy_reward": [] })),
  );
  assert(result !== null && "message" in result);
  assert.deepEqual([result.trainSteps[0], result.trainSteps.length], [13, 28]);
});

Deno.test("entropy_collapse of a policy that never had entropy says that the model arrived like this", () => {
  const completions = ["a?", "b?", "c?"].flatMap((prompt) => group(prompt, Array(4).fill(`to ${prompt}`), flat(0, 4)));
  const found = (steps: readonly number[]) =>
    DIAGNOSES.entropy_collapse.check(
      viewOf({ own: true, steps, columns: { entropy: flat(0.001, 5), reward: flat(0, 5) }, completions }),
    );
  const first = found([1, 2, 3, 4, 5]), window = found([41, 42, 43, 44, 45]);
  assert(first !== null && "message" in first && window !== null && "message" in window);
  assert.match(first.hint!, /^The model arrived like this/);
  assert.deepEqual([first.remedy, window.remedy], [[], undefined]);
});

Deno.test("entropy_collapse is silent on sixty healthy long runs", () => {
  for (const run of healthyRuns()) assert.equal(DIAGNOSES.entropy_collapse.check(viewOf(run)), null);
});

Deno.test("entropy_collapse says when the entropy will be gone, where the run goes on for so long", () => {
  const decay = longRunOf({ entropy: (at: number) => 0.6 * 0.5 ** (3 * at), reward: () => 0.5 }, { rough: 0.03 });
  const said = (settings: Record<string, unknown>) => {
    const found = DIAGNOSES.entropy_collapse.check(viewOf({ ...decay, settings }));
    assert(found !== null && "message" in found);
    return found.message;
  };
  assert.match(
    said({ max_steps: 600 }),
    /; it halves every \d+ train steps, at that rate below 0.02 in about \d+ of the 300/,
  );
  assert.doesNotMatch(said({ max_steps: 301 }), /halves/);
});

Deno.test("entropy_collapse of a long run is a trend from where the entropy left its highest level", () => {
  const found = (entropy: readonly (number | null)[], reward: readonly number[]) => {
    const result = DIAGNOSES.entropy_collapse.check(
      viewOf(longRun({ entropy, reward, "reward.accuracy_reward": [] }, { records: reward.length })),
    );
    assert(result !== null && "message" in result);
    return result;
  };
  const still = noisy(() => 0.4, 0.02);
  // To nothing within a tenth of the run, and slowly over half of it.
  const fallen = found(noisy((at) => 0.003 + 0.6 / (1 + Math.exp(40 * (at - 0.55))), 3e-4).map(Math.abs), still);
  assert.match(fallen.message, /^Entropy fell from/);
  assert.equal(fallen.trend, true);
  assert(fallen.trainSteps[0]! > 135 && fallen.trainSteps[0]! < 170, String(fallen.trainSteps[0]));
  const slow = found(noisy(between(0.7, 0.05, 0.3, 0.9), 0.01), noisy(between(0.3, 0.6, 0, 0.3), 0.03));
  assert.match(slow.message, /^Entropy went from/);
  assert(slow.trainSteps[0]! > 100 && slow.trainSteps[0]! < 160, `not where half was gone: ${slow.trainSteps[0]}`);
  const short = found([...ramp(0.6, 0.02, 8, 0), ...flat(0.005, 7)], ramp(0.4, 0.4, 15));
  assert.equal(short.trend, undefined);
});

Deno.test("entropy_collapse begins with the fall, though one stretch of the run has an entropy of old", () => {
  const entropy = noisy(between(0.8, 0.1, 0.1, 0.3), 0.005).map((nats, at) => at >= 240 && at < 252 ? 1 : nats);
  const reward = noisy((at) => at < 0.5 ? 0.3 + at / 2 : 0.8 - at / 2, 0.01);
  const first = begins("entropy_collapse", longRun({ entropy, reward, "reward.accuracy_reward": [] }));
  assert(first < 60, String(first));
});

Deno.test("entropy_collapse is silent where what is solved for the most part stays so", () => {
  const check = (level: number) => {
    const reward = noisy(() => level, 0.01);
    return DIAGNOSES.entropy_collapse.check(viewOf(longRun({
      reward,
      "reward.accuracy_reward": reward,
      entropy: noisy(between(0.6, 0.1, 0, 0.6), 0.01),
    })));
  };
  assert.equal(check(0.83), null);
  assert.notEqual(check(0.5), null);
});

Deno.test("entropy_collapse over a long run wants three quarters of it gone, a fifth of a nat left, and twelve stretches", () => {
  const check = (from: number, to: number, records = 300) =>
    DIAGNOSES.entropy_collapse.check(viewOf(longRun({
      entropy: noisy(between(from, to, 0.2, 0.5), 0.004, { records }),
      reward: noisy(between(0.3, 0.6, 0, 0.15), 0.03, { records }),
      "reward.accuracy_reward": [],
    }, { records })));
  assert.deepEqual([0.17, 0.13].map((to) => check(0.6, to) !== null), [false, true], "28 and 22 % of 0.6");
  assert.deepEqual([0.25, 0.18].map((to) => check(1.2, to) !== null), [false, true], "21 and 15 % of 1.2");
  assert.deepEqual([30, 60].map((records) => check(0.6, 0.1, records) !== null), [false, true], "10 and 20 stretches");
});
