/** The rule truncated_completions: its fault and its look-alikes. */
import assert from "node:assert/strict";
import { diagnoseRun } from "../../../steps/diagnoses/diagnose_run.ts";
import { flat, HEALTHY, healthyBut, ramp, type Run, testRule, viewOf } from "./synthetic.ts";
import { DIAGNOSES } from "../../../steps/diagnoses/mod.ts";
import { between, healthyRuns, longRun, noisy } from "./long_run.ts";

testRule("truncated_completions", {
  fires: {
    "a share at the cap that creeps up to a half over a long run": longRun({
      ...{ reward: noisy(between(0.3, 0.6, 0, 0.4), 0.03), "reward.accuracy_reward": [] },
      truncated_fraction: noisy(between(0.01, 0.5, 0.4, 0.8), 0.02).map(Math.abs),
    }),
    "all completions cut and reward 0": healthyBut({
      truncated_fraction: flat(1),
      completion_length: flat(256),
      reward: flat(0),
      "reward.accuracy_reward": flat(0),
      zero_spread_fraction: flat(1),
      grad_norm: flat(0),
      reward_std: flat(0),
    }),
    "shortest = mean = longest where no share is printed": {
      algorithm: "ppo",
      columns: {
        completion_length: flat(512),
        completion_length_min: flat(512),
        completion_length_max: flat(512),
        reward: flat(0),
        reward_max: flat(0),
        reward_min: flat(0),
      },
    },
    "stumps of which none is right in five train steps of a run of ours, although a reward is paid for them": {
      ...healthyBut({
        truncated_fraction: flat(0.98, 5),
        completion_length: flat(3.99, 5),
        reward: ramp(0.4, 0.8, 5),
        "reward.accuracy_reward": [],
        "reward.mine": ramp(0.4, 0.8, 5),
        accuracy: flat(0, 5),
      }),
      own: true,
    },
  },
  silent: {
    "the same share with a reward that rises": longRun({
      truncated_fraction: noisy(between(0.01, 0.5, 0, 0.9), 0.02).map(Math.abs),
    }),
    "a share that falls from a half": longRun({
      truncated_fraction: noisy(between(0.5, 0.02, 0, 0.6), 0.02).map(Math.abs),
    }),
    "wrong answers of free length": healthyBut({
      reward: flat(0),
      "reward.accuracy_reward": flat(0),
      zero_spread_fraction: flat(1),
    }),
  },
});

Deno.test("truncated_completions shows the figures of its evidence: none is none, all are all", () => {
  const said = (columns: Record<string, (number | null)[]>) =>
    diagnoseRun(viewOf({ ...healthyBut({ "reward.accuracy_reward": [], ...columns }), own: true })).findings.find((
      { cause },
    ) => cause === "truncated_completions")!.message;
  const cut = [...flat(1, 29), 0.969];
  const right = [...flat(0, 29), 0.031];
  const few = said({ truncated_fraction: cut, accuracy: right, reward: ramp(0.4, 0.5) });
  assert.match(few, /^On average 99\.9 % of the completions reach the length cap/);
  assert.match(few, /on average 0\.1033 % of all are right, whatever is rewarded$/);
  const none = said({ truncated_fraction: flat(1), accuracy: flat(0), reward: ramp(0.4, 0.5) });
  assert.match(none, /^100 % of the completions reach the length cap.* and none of all are right/);
  const low = said({
    truncated_fraction: flat(1),
    reward: flat(0.01),
    accuracy: flat(0.02),
    zero_spread_fraction: flat(0.5),
  });
  assert.match(low, /and the mean reward is 0\.01$/);
  const floor = said({ truncated_fraction: flat(1), reward: [...flat(0, 27), ...flat(0.2, 3)], accuracy: flat(0.02) });
  assert.match(floor, /and the reward is at its floor on 90 % of the records$/);
});

Deno.test("truncated_completions warns of a first half at the cap from which nothing came, not of one that was learned from", () => {
  const halves = (accuracy: number[], early = 0.99) =>
    diagnoseRun(viewOf(stumps(early, accuracy, [], [...flat(early, 16), ...flat(0.2, 16)] as number[]))).findings.find((
      { cause },
    ) => cause === "truncated_completions");
  const found = halves(ramp(0.2, 0.2, 32, 0.03));
  assert.equal(found?.severity, "warning");
  assert.match(
    found.message,
    /^Up to train step 16 99 % of the completions reach the length cap, and over the run the/,
  );
  assert.equal(halves(ramp(0.1, 0.6, 32, 0.03))?.severity, "info");
  assert.equal(halves(ramp(0.2, 0.2, 32, 0.03), 0.85)?.severity, "info");
});

/** Stumps in a run of ours of which some are right, and what the same 41 held-out prompts came to. */
const stumps = (share: number, accuracy: number[], held: number[] = [], cut = flat(share, accuracy.length)): Run => ({
  ...healthyBut({
    ...Object.fromEntries(
      Object.entries(HEALTHY.columns!).map(([name, cells]) => [name, cells.slice(0, accuracy.length)]),
    ),
    truncated_fraction: cut,
    "reward.accuracy_reward": [],
    accuracy,
    reward: accuracy,
  }),
  own: true,
  settings: { max_new_tokens: 3 },
  scores: held.length === 0 ? [] : [{
    name: "correct (held_out, greedy)",
    split: "held_out",
    mode: "greedy",
    prompts: 41,
    trainSteps: held.map((_, i) => 10 * i),
    values: held,
  }],
});

for (
  const [when, run, severity] of [
    ["a held-out score of 41 prompts that goes down", stumps(0.98, ramp(0.6, 0.6), [34 / 41, 26 / 41]), "warning"],
    ["an accuracy that does not rise", stumps(0.98, ramp(0.42, 0.38)), "warning"],
    ["an accuracy that rises", stumps(0.98, ramp(0.2, 0.4)), "info"],
    ["a held-out score that rises", stumps(0.98, ramp(0.42, 0.38), [0.3, 0.4]), "info"],
    ["answers that fit without an end", stumps(1, ramp(0.97, 0.95), [40 / 41, 39 / 41]), "info"],
    ["three quarters cut", stumps(0.75, ramp(0.42, 0.38)), "info"],
    ["an accuracy that rises by chance alone", stumps(0.98, ramp(0.031, 0.034, 30, 0.02)), "warning"],
    ["a high accuracy that rises little", stumps(0.98, ramp(0.72, 0.74)), "info"],
    ["few rollouts", stumps(0.98, ramp(0.42, 0.38, 6)), "info"],
    ["half of them cut", stumps(0.5, ramp(0.42, 0.38)), undefined],
    ["a foreign log with a reward that moves", healthyBut({ truncated_fraction: flat(0.95) }), "info"],
  ] as [string, Run, string | undefined][]
) {
  Deno.test(`truncated_completions above the floor: ${when}`, () => {
    const { findings, verdict } = diagnoseRun(viewOf(run));
    const found = findings.find(({ cause }) => cause === "truncated_completions");
    assert.equal(found?.severity, severity);
    assert.equal(verdict, severity === "warning" ? "faulty" : "benign", JSON.stringify(findings));
    if (found !== undefined) assert.match(found.message, /% of the completions reach the length cap/);
  });
}

Deno.test("truncated_completions is silent on sixty healthy long runs", () => {
  for (const run of healthyRuns()) assert.equal(DIAGNOSES.truncated_completions.check(viewOf(run)), null);
});

Deno.test("truncated_completions that creep up have grown by a tenth, to a seventh, for two stretches", () => {
  const check = (from: number, to: number, record = 150) =>
    DIAGNOSES.truncated_completions.check(viewOf(longRun({
      reward: noisy(between(0.3, 0.6, 0, 0.3), 0.04),
      "reward.accuracy_reward": [],
      truncated_fraction: noisy(() => 0, 0.004).map((noise, i) => Math.abs(noise + (i < record ? from : to))),
    })));
  assert.deepEqual([0.12, 0.18].map((to) => check(0.01, to) !== null), [false, true], "to 12 and to 18 %");
  assert.deepEqual([0.1, 0.05].map((from) => check(from, 0.17) !== null), [false, true], "from 10 and from 5 to 17 %");
  // The last of 24 stretches of 300 records begins with record 288, the one before it with record 275.
  assert.deepEqual([288, 275].map((record) => check(0.01, 0.45, record) !== null), [false, true]);
});
