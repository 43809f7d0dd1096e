/** The rule all_incorrect_reward_floor: its fault and its look-alikes. */
import assert from "node:assert/strict";
import { flat, healthyBut, ramp, testRule, viewOf } from "./synthetic.ts";
import { diagnoseRun } from "../../../steps/diagnoses/diagnose_run.ts";
import { DIAGNOSES } from "../../../steps/diagnoses/mod.ts";
import { between, healthyRuns, longRun, noisy } from "./long_run.ts";

testRule("all_incorrect_reward_floor", {
  fires: {
    "a reward near its floor for most of a long run, a lucky one now and then": longRun({
      reward: noisy(between(-0.5, -0.97, 0, 0.3), 0.01),
      "reward.accuracy_reward": [],
      zero_spread_fraction: noisy(between(0.2, 0.97, 0, 0.3), 0.005),
    }),
    "a mean of 0 batch after batch where nothing else is printed": {
      columns: { loss: flat(0, 8), reward: flat(0, 8), completion_length: ramp(640, 650, 8) },
    },
    "-1 on every record with free lengths": healthyBut({
      reward: flat(-1),
      "reward.accuracy_reward": flat(-1),
      zero_spread_fraction: flat(1),
      reward_std: flat(0),
      grad_norm: flat(5e-5),
    }),
    "one record late in the run": {
      columns: {
        reward: [-1],
        reward_std: [0],
        zero_spread_fraction: [1],
        epoch: [0.45],
        grad_norm: [7e-5],
        loss: [0],
      },
    },
  },
  silent: {
    "a reward that rises from its floor": longRun({
      reward: noisy(between(-0.98, -0.4), 0.01),
      "reward.accuracy_reward": [],
      zero_spread_fraction: noisy(between(0.97, 0.5), 0.01),
    }),
    "a single early record at 0": {
      columns: { reward: [0], reward_std: [0], zero_spread_fraction: [1], epoch: [0.01], grad_norm: [0], loss: [0] },
    },
    "a constant that is no floor": healthyBut({ reward: flat(0.5), zero_spread_fraction: flat(1) }),
  },
});

// Dead since a fall: that it fell is named first, this rule says how it ends.
testRule("all_incorrect_reward_floor", {
  fires: {
    "a run that is dead in its second half": healthyBut({
      reward: [...ramp(0.06, 0.04, 15, 0.01), ...flat(0, 15)],
      "reward.accuracy_reward": [...ramp(0.06, 0.04, 15, 0.01), ...flat(0, 15)],
      zero_spread_fraction: [...flat(0.7, 15), ...flat(1, 15)],
      grad_norm: [...ramp(0.5, 0.2, 15), ...flat(0, 15)],
      reward_std: [...ramp(0.2, 0.2, 15), ...flat(0, 15)],
    }),
  },
  silent: {},
  first: false,
});

Deno.test("all_incorrect_reward_floor is silent on sixty healthy long runs", () => {
  for (const run of healthyRuns()) assert.equal(DIAGNOSES.all_incorrect_reward_floor.check(viewOf(run)), null);
});

Deno.test("all_incorrect_reward_floor explains the reward that is gone and the gradients that jump with what is left", () => {
  const after = (begin: number, jumps: boolean) => {
    const of = <T>(before: T, since: T) => Array.from({ length: 300 }, (_, i) => i < begin ? before : since);
    return diagnoseRun(viewOf(longRun({
      reward: of(0.1, 0).map((value, i) => value * (0.8 + 0.4 * (i % 2))),
      "reward.accuracy_reward": [],
      zero_spread_fraction: of(0.4, 1), // most groups tie from there on
      reward_std: of(0.2, 0),
      grad_norm: of(0.6, 0.001).map((value, i) => jumps && i > begin && i % 50 === 0 ? 30 : value),
    })));
  };
  const { findings, afterEffects } = after(100, true);
  assert.deepEqual(findings.map(({ cause }) => cause), ["all_incorrect_reward_floor"]);
  const effects = afterEffects.map(({ cause }) => cause);
  for (const cause of ["reward_collapse", "gradient_spikes"]) assert(effects.includes(cause), effects.join());
  // Without jumps nothing else stands between the two.
  const alone = after(100, false).afterEffects.map(({ cause }) => cause);
  assert(alone.includes("reward_collapse") && !alone.includes("gradient_spikes"), alone.join());
});

Deno.test("all_incorrect_reward_floor is a goal of 0 on every record beside a form that is learned, and no goal that is met once", () => {
  const form = Array.from({ length: 60 }, (_, i) => Math.min(0.2, 0.01 * i));
  const check = (goal: number[]) =>
    DIAGNOSES.all_incorrect_reward_floor.check(viewOf({
      columns: { reward: form, "reward.format_reward": form, "reward.accuracy_reward": goal },
    }));
  const found = check(form.map(() => 0));
  assert(found !== null && "message" in found && /only format_reward is ever paid/.test(found.message));
  assert.equal(check(form.map((_, i) => i === 30 ? 0.1 : 0)), null);
});

Deno.test("all_incorrect_reward_floor is a mean of next to nothing where no share of ties is printed", () => {
  const check = (level: number) =>
    DIAGNOSES.all_incorrect_reward_floor.check(viewOf({
      columns: { reward: Array.from({ length: 60 }, (_, i) => level + 0.001 * (i % 2)), reward_max: Array(60).fill(1) },
    }));
  const found = check(0.003);
  assert(found !== null && "message" in found && /^Hardly a completion is ever right/.test(found.message));
  assert.equal(check(0.05), null);
});
