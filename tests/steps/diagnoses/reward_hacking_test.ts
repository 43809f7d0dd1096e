/** The rule reward_hacking: its fault and its look-alikes. */
import assert from "node:assert/strict";
import { flat, group, healthyBut, ramp, testRule, viewOf } from "./synthetic.ts";
import { DIAGNOSES } from "../../../steps/diagnoses/mod.ts";
import { between, healthyRuns, longRun, noisy } from "./long_run.ts";

/** A run of ours with a reward whose name says nothing, and the accuracy of its verifier. */
const ours = (from: number, to: number) => ({
  ...healthyBut({
    reward: ramp(0.3, 0.95),
    "reward.mine": ramp(0.3, 0.95),
    "reward.accuracy_reward": [],
    accuracy: from === to ? flat(from) : ramp(from, to, 30, 0.01),
  }),
  own: true,
});

const ASKED = "A train leaves Berlin at nine in the morning and drives 60 km an hour. Where is it at noon?";

const REPLY = "After three hours of sixty kilometres each it is there.";

/** A long run whose accuracy goes from one level to another, with a completion printed at each of nine train steps. */
function copies(from: number, to: number, isCopy: (at: number) => boolean, other = REPLY) {
  const accuracy = noisy(between(from, to), 0.02);
  const completions = Array.from(
    { length: 9 },
    (_, i) =>
      group(ASKED, [isCopy(i) ? ASKED : other], [0.5], {
        trainStep: 30 * i + 1,
      }),
  );
  return longRun({ reward: noisy(() => 0.5, 0.02), "reward.accuracy_reward": [], accuracy }, {
    completions: completions.flat(),
  });
}

testRule("reward_hacking", {
  fires: {
    "completions that are their prompts in the end while nothing rises": copies(0.5, 0.5, (at) => at > 4),
    "a reward that rises over a long run while the goal falls from its best": longRun({
      reward: noisy(between(0.3, 1.1), 0.03),
      "reward.accuracy_reward": noisy((at) => at < 0.4 ? 0.3 + at / 2 : 0.7 - at / 2, 0.03),
      "reward.format_reward": noisy(between(0, 0.9), 0.02),
    }),
    "a proxy that took over in the first tenth and still differs inside groups": healthyBut({
      reward: [0.6, 0.6, 0.65, 1.2, ...ramp(3.18, 3.19, 56, 0.01)],
      "reward.accuracy_reward": [0.16, 0.28, 0.16, 0.02, ...flat(0, 56)],
      "reward.detail_reward": [0.57, 0.54, 0.6, 1.2, ...ramp(3.18, 3.19, 56, 0.01)],
      zero_spread_fraction: flat(0.4, 60),
    }),
    "a proxy to its maximum while accuracy falls to 0": healthyBut({
      reward: ramp(0.9, 3),
      "reward.accuracy_reward": ramp(0.6, 0, 30, 0),
      "reward.evidence_reward": ramp(0.8, 3),
    }),
    "a reward of one's own that rises to its top in a run of ours while nothing is right": ours(0, 0),
    "a reward that rises within six train steps of a run of ours while the accuracy falls": {
      ...healthyBut({
        reward: [0.2, 0.25, 0.4, 0.7, 0.8, 0.9],
        "reward.accuracy_reward": [],
        accuracy: [0.6, 0.58, 0.4, 0.2, 0.1, 0.05],
      }),
      own: true,
      settings: { prompts_per_step: 64 },
    },
    "a reward of one's own that stays in a run of ours whose accuracy falls to nothing": {
      ...healthyBut({
        reward: flat(0.62, 8),
        "reward.accuracy_reward": [],
        accuracy: [...flat(0.5, 3), ...flat(0.02, 5)],
      }),
      own: true,
      settings: { prompts_per_step: 64 },
    },
    "a reward of one's own that rises in a run of ours while the accuracy falls": ours(0.4, 0.05),
  },
  silent: {
    "completions that quote their prompts from the first": copies(0.5, 0.5, () => true),
    "completions that quote half of their prompts from the first": copies(
      0.5,
      0.5,
      (at) => at > 4,
      ASKED.slice(0, 60) + REPLY,
    ),
    "completions that learn to quote while the accuracy rises": copies(0.3, 0.7, (at) => at > 4),
    "completions that quote their prompts now and then": copies(0.5, 0.5, (at) => at % 3 === 0),
    "a goal that falls with the reward": longRun({
      reward: noisy((at) => at < 0.4 ? 0.3 + at / 2 : 0.7 - at / 2, 0.03),
      "reward.accuracy_reward": noisy((at) => at < 0.4 ? 0.3 + at / 2 : 0.7 - at / 2, 0.03),
      "reward.format_reward": noisy(() => 0.9, 0.02),
    }),
    "a reward of one's own that rises with the accuracy": ours(0.2, 0.5),
    "both rise": healthyBut({ "reward.format_reward": ramp(0.3, 0.9) }),
    "two records only": {
      columns: {
        "reward.accuracy_reward": [0.16, 0.118],
        "reward.format_reward": [0.476, 0.554],
        reward: [0.71, 0.69],
      },
    },
  },
});

Deno.test("reward_hacking is silent on sixty healthy long runs", () => {
  for (const run of healthyRuns()) assert.equal(DIAGNOSES.reward_hacking.check(viewOf(run)), null);
});
