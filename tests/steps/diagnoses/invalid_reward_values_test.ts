/** The rule invalid_reward_values: its fault and its look-alikes. */
import assert from "node:assert/strict";
import rule from "../../../steps/diagnoses/invalid_reward_values.ts";
import type { Found } from "../../../steps/diagnoses/diagnosis.ts";
import { flat, group, healthyBut, ramp, testRule, viewOf } from "./synthetic.ts";

const TEXTS = ["2", "3", "4", "5", "6", "7", "8", "9"];

/** A group of a run of ours, two rewards: `judge` may give null, `style` never does. */
const judged = (
  judge: readonly (number | null)[],
  reward: readonly (number | null)[],
  advantage: readonly number[],
) => ({
  ...healthyBut({}, {
    completions: group("1+1=", ["2", "3", "4", "5"], judge).map((row, i) => ({
      ...row,
      rewards: { judge: judge[i]!, style: 1 },
      reward: reward[i]!,
      advantage: advantage[i]!,
    })),
  }),
  own: true,
});

testRule("invalid_reward_values", {
  fires: {
    "one sample of a million": healthyBut({}, {
      completions: group("1+1=", TEXTS, [1, 0, 0, 1e6, 0, 1, 0, 0]),
    }),
    "one sample of exactly 1000 times the median": healthyBut({}, {
      completions: group("1+1=", TEXTS, [2, 2, 2, 2000, 2, 2, 2, 2]),
    }),
    "a NaN in row 600 of a log": healthyBut({}, {
      completions: group("1+1=", flat(0, 600).map(String), [...flat(1, 599), NaN]),
    }),
    "one NaN sample in a group that still gets an advantage": healthyBut({}, {
      completions: group("1+1=", ["2", "3", "4", "5"], [null, 0, 1, 0], { advantage: 0.4 }),
    }),
    "an advantage without any reward in a run of ours": judged([null, 0, 1, 0], [null, 0, 1, 0], [
      0.5,
      -0.5,
      0.5,
      -0.5,
    ]),
    "an infinite mean": healthyBut({ reward: [...ramp(0.3, 0.5, 10), Infinity, ...ramp(0.5, 0.6, 19)] }),
    "rewards of a million": healthyBut({
      reward: ramp(1e6, 1.1e6, 30, 100),
      "reward.accuracy_reward": [],
      grad_norm: flat(2e5),
    }),
  },
  silent: {
    "rewards of thousands beside a gradient of the usual size": healthyBut({
      reward: ramp(5000, 5100),
      "reward.accuracy_reward": [],
      grad_norm: flat(1),
    }),
    "one reward of 1 among tiny ones": healthyBut({}, {
      completions: group("1+1=", TEXTS, [1e-6, 1e-6, 1e-6, 1, 1e-6, 1e-6, 1e-6, 1e-6]),
    }),
    "two tables whose reward names differ": healthyBut({}, {
      completions: [
        ...group("1+1=", ["2", "3"], [1, 0], { advantage: 0.4 }),
        ...group("1+1=", ["2"], [1], { advantage: 0.4 }).map((row) => ({ ...row, rewards: { "accuracy_rewa…": 1 } })),
      ],
    }),
    "a null in a run of ours, its completion scored by another reward": judged(
      [null, 0, 1, 0],
      [1, 1, 2, 1],
      [-0.5, -0.5, 1.5, -0.5],
    ),
    "a null in a run of ours that no reward scores": judged([null, 0, 1, 0], [null, 0, 1, 0], [0, -0.6, 1.2, -0.6]),
    "a sample without a reward whose advantage is 0": healthyBut({}, {
      completions: group("1+1=", ["2", "3", "4", "5"], [null, 0, 1, 0], { advantage: 0 }),
    }),
    "an abstention of the whole group": healthyBut({}, {
      completions: group("write code", ["a", "b", "c", "d"], flat(null, 4), { advantage: 0.1 }),
    }),
    "NaN rewards after NaN weights": healthyBut({
      reward: [...ramp(0.3, 0.5, 20), ...flat(NaN, 10)],
      grad_norm: [...ramp(0.3, 0.5, 15), ...flat(NaN, 15)],
    }),
  },
});

Deno.test("invalid_reward_values tells null from a value that is not finite, and counts each", () => {
  const message = (run: Parameters<typeof viewOf>[0]) => (rule.check(viewOf(run)) as Found).message;
  const printed = (values: readonly (number | null)[], more = {}) =>
    healthyBut({}, { completions: group("1+1=", ["2", "3", "4", "5"], values, { advantage: 0.4, ...more }) });
  const learned = "of 4 printed samples, which still get an advantage";
  assert.equal(message(printed([null, null, NaN, 1], { reward: 1 })), `accuracy is null for 2 ${learned}`);
  assert.equal(message(printed([NaN, 0, 1, 1], { reward: 1 })), `accuracy is NaN for 1 ${learned}`);
  assert.equal(message(printed([0, NaN, 1, 1], { advantage: null })), "reward is NaN for 1 of 4 printed samples");
  const one = printed([NaN, NaN, 0, 1]).completions!.map((row, i) => i === 1 ? { ...row, advantage: null } : row);
  assert.equal(message(healthyBut({}, { completions: one })), "reward is NaN for 2 of 4 printed samples");
  const own = { ...printed([0, Infinity, 1, 1], { advantage: null }), own: true };
  assert.equal(message(own), "reward is Infinity for 1 of 4 completions of the last train step");
});

Deno.test("invalid_reward_values tells an outlier with its sign", () => {
  const view = viewOf(healthyBut({}, { completions: group("1+1=", TEXTS, [1, 0, 0, -1e6, 0, 1, 0, 0]) }));
  const { message, evidence } = rule.check(view) as Found;
  assert.equal(message, "reward is -1000000 for 1 of 8 printed samples, between -1 and 1 for most");
  assert.deepEqual(evidence.map(({ value, note }) => [value, note]), [["5", "reward -1000000"]]);
});
