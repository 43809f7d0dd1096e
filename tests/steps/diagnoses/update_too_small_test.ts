/** The rule update_too_small: its fault and its look-alikes. */
import assert from "node:assert/strict";
import { DIAGNOSES } from "../../../steps/diagnoses/mod.ts";
import { finiteOf } from "../../../steps/diagnoses/view/numbers.ts";
import { diagnoseRun } from "../../../steps/diagnoses/diagnose_run.ts";
import { healthyPairs } from "./long_pairs.ts";
import { noisy } from "./long_run.ts";
import { flat, healthyBut, ramp, type Run, testRule, viewOf } from "./synthetic.ts";

/** A trainer of ours on given texts at a rate, whose updates change so much of the weights at the usual 3e-4. */
const given = (
  algorithm: string,
  cells: readonly (number | null)[],
  more: Run["columns"] = {},
  learning_rate = Math.max(...finiteOf(cells)),
): Run => ({
  algorithm,
  own: true,
  settings: { learning_rate, parameters: 109_248 },
  columns: {
    loss: flat(algorithm === "dpo" ? Math.LN2 : 0.5),
    grad_norm: ramp(0.5, 0.6),
    learning_rate: cells,
    update_size: ramp(0.9, 0.3, 30, 0),
    relative_update: finiteOf(cells).map((rate) => 5 * rate),
    ...more,
  },
});

/** A log of pairs whose implicit rewards are as given. */
const pairs = (chosen: readonly number[], rejected: readonly number[], more: Omit<Run, "columns"> = {}): Run => ({
  algorithm: "dpo",
  ...more,
  columns: {
    loss: ramp(0.69, 0.6, chosen.length),
    grad_norm: ramp(0.5, 0.6, chosen.length),
    learning_rate: flat(5e-6, chosen.length),
    chosen_reward: chosen,
    rejected_reward: rejected,
  },
});

/** Pairs at a tiny rate: rewards of so much by chance, around an untrained loss. */
const idle = (size: number, changed: Run["columns"] = {}, records = 300): Run => {
  const chance = (seed: number, level = 0, by = size) => noisy(() => level, by, { records, seed, memory: 0 });
  return {
    algorithm: "dpo",
    columns: {
      loss: chance(1, Math.LN2, 0.001),
      grad_norm: chance(2, 11, 1),
      learning_rate: Array(records).fill(5e-9),
      chosen_reward: chance(3),
      rejected_reward: chance(4),
      reward_margin: chance(5),
      preference_accuracy: chance(6, 0.5, 0.04),
      ...changed,
    },
  };
};

testRule("update_too_small", {
  fires: {
    "a KL that stays at rounding": healthyBut({ kl: flat(0), reward: ramp(0.4, 0.4, 30, 0.05) }),
    "pairs whose implicit rewards stay exactly 0": pairs(flat(0) as number[], flat(0) as number[]),
    "pairs whose implicit rewards are rounding after 300 updates": idle(0.004),
    "a crushing clip": healthyBut({}, { settings: { max_grad_norm: 1e-9 } }),
    "DPO at a rate of exactly 1e-9": given("dpo", flat(1e-9)),
    "KTO at a rate of exactly 1e-9": given("kto", flat(1e-9)),
    "a reward model at a rate of exactly 1e-9": given("reward_model", flat(1e-9)),
    "a warm start at a rate of exactly 1e-9": given("sft", flat(1e-9), { loss: ramp(5.5, 5.49) }),
    "updates of 5e-8 of the weights' norm": given("dpo", flat(1e-8)),
    "our update size": healthyBut({ update_size: flat(0.001) }, { own: true }),
  },
  silent: {
    "pairs whose margin grows slowly": idle(0.004, { reward_margin: noisy((at) => 0.006 * at, 0.002) }),
    "pairs whose loss has moved": idle(0.004, { loss: noisy(() => 0.75, 0.02) }),
    "pairs whose rewards have moved, with the labels of chance": idle(0.05),
    "pairs of a hundred updates": idle(0.004, {}, 100),
    "pairs of which one side moves": pairs(flat(0) as number[], ramp(0, -0.1)),
    "pairs of a few updates": pairs(flat(0, 15) as number[], flat(0, 15) as number[]),
    "implicit rewards that three decimals make 0": pairs(flat(0) as number[], flat(0) as number[], {
      decimals: { chosen_reward: 3, rejected_reward: 3 },
    }),
    "three records": healthyBut(
      Object.fromEntries(
        Object.entries({ kl: 0, grad_norm: 0.5, reward: 0.4, loss: 0 }).map(([name, value]) => [name, flat(value, 3)]),
      ),
    ),
    "a KL of 0 that is not computed, at a weight of 0": healthyBut({ kl: flat(0) }, { settings: { beta: 0 } }),
    "a KL rounded to three decimals": healthyBut({ kl: flat(0) }, { decimals: { kl: 3 } }),
    "no update at a learning rate of 0, which is another cause": healthyBut({
      update_size: flat(0),
      learning_rate: flat(0),
    }, { own: true }),
    "the end of a schedule": given("dpo", [1e-5, ...flat(1e-9, 29)]),
    "its warm-up": given("dpo", ramp(0, 1e-9, 30, 0), { relative_update: ramp(0, 5e-9, 30, 0) }, 1e-5),
    "updates of 5e-6 of the weights' norm": given("dpo", flat(1e-6)),
    "a gradient that a saturated loss has left of it": given("kto", flat(3e-3), {
      grad_norm: ramp(0.45, 2e-6, 30, 0).map((value, i) => i < 10 ? value : 2e-6),
      update_size: ramp(0.9, 0.009, 30, 0).map((value, i) => i < 10 ? value : 0.009),
    }),
    "small updates of groups without spread, which the KL alone pulls": healthyBut({
      ...{ reward: flat(0), reward_std: flat(0), zero_spread_fraction: flat(1), "reward.accuracy_reward": flat(0) },
      ...{ update_size: flat(0.01), relative_update: flat(1e-9), grad_norm: flat(2e-6), kl: flat(1e-6) },
      ...{ advantage_mean: flat(0), advantage_std: flat(0) },
    }, { own: true }),
    "a KL of 0 in a log whose every reward is the floor": healthyBut({
      ...{ reward: flat(0), reward_std: flat(0), zero_spread_fraction: flat(1), "reward.accuracy_reward": flat(0) },
      ...{ grad_norm: flat(1e-4), kl: flat(0) },
    }),
    "a clean update size": healthyBut({ update_size: ramp(0.3, 1) }, { own: true }),
  },
});

Deno.test("update_too_small goes by updates of flat groups too where their advantages are not 0, as beside a critic", () => {
  const told = (advantage_mean: number) =>
    DIAGNOSES.update_too_small.check(viewOf(healthyBut({
      ...{ zero_spread_fraction: flat(1), advantage_mean: flat(advantage_mean), update_size: flat(0.001) },
    }, { own: true })));
  assert(told(0.2) !== null);
  assert.equal(told(0), null);
});

Deno.test("update_too_small: pairs at a tiny rate are its, not the labels', and the usual rate is told", () => {
  const { findings: [finding, ...others] } = diagnoseRun(viewOf(idle(0.004)));
  assert.equal(finding!.cause, "update_too_small");
  assert.deepEqual(others.map(({ cause }) => cause), []);
  assert.match(finding!.message, /After 300 updates at learning rate 5e-9 \(usual is 0\.000001\)/);
  assert(finding!.remedy.options.includes("trl: learning_rate=1.0e-6"), finding!.remedy.options.join());
  const { findings: [labels] } = diagnoseRun(viewOf(idle(0.05)));
  assert.equal(labels!.cause, "flipped_preference_labels", "of a policy that moves the labels are judged");
});

Deno.test("update_too_small is silent on sixty healthy runs on pairs", () => {
  for (let seed = 1; seed <= 60; seed++) {
    assert.equal(DIAGNOSES.update_too_small.check(viewOf(healthyPairs(seed))), null, `seed ${seed}`);
  }
});
