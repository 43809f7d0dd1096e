/** The rule kl_explosion: its fault and its look-alikes. */
import assert from "node:assert/strict";
import { DIAGNOSES } from "../../../steps/diagnoses/mod.ts";
import { RunView } from "../../../steps/diagnoses/view/run_view.ts";
import { begins, flat, healthyBut, ramp, testRule, viewOf } from "./synthetic.ts";
import { between, healthyRuns, longRun, noisy } from "./long_run.ts";

testRule("kl_explosion", {
  fires: {
    "a KL that grows to nats over a long run at a reward that falls": longRun({
      reward: noisy((at) => at < 0.6 ? 0.3 + at / 2 : 0.9 - at / 2, 0.03),
      "reward.accuracy_reward": [],
      kl: noisy((at) => 1e-3 * Math.exp(8 * at), 1e-4).map(Math.abs),
    }),
    "a KL that gets faster, before it is large": longRun({
      ...{ reward: noisy(between(0.3, 0.6, 0, 0.65), 0.03), "reward.accuracy_reward": [] },
      kl: noisy((at) => 1e-3 * Math.exp(5.9 * at), 1e-4).map(Math.abs),
    }),
    "growth to several nats at a falling reward": healthyBut({
      kl: Array.from({ length: 30 }, (_, i) => 0.001 * 1.4 ** i),
      reward: ramp(0.5, 0.3),
      "reward.accuracy_reward": flat(null),
    }),
    "one record with outlier tokens": {
      system: "torchforge",
      stepsPrinted: false,
      columns: { kl: [1_568_987.96], kl_max: [6_821_680_128], loss: [1.77] },
    },
  },
  silent: {
    "a KL that grows evenly to 0.2 at a reward that stands still": longRun({
      reward: noisy(between(0.3, 0.6, 0, 0.4), 0.03),
      "reward.accuracy_reward": [],
      kl: noisy((at) => 0.2 * at, 0.002).map(Math.abs),
    }),
    "a KL that grows to nats at a reward that rises": longRun({
      kl: noisy((at) => 1e-3 * Math.exp(7.2 * at), 1e-4).map(Math.abs),
    }),
    "KL that rises with the reward": healthyBut({ kl: ramp(0.01, 0.8) }),
    "the first thirty train steps of a run of ours, whose reward has not moved yet": {
      ...healthyBut({ kl: ramp(0.003, 0.2, 30, 0), reward: ramp(0.57, 0.57), "reward.accuracy_reward": [] }),
      own: true,
    },
    "the distance of a run that has solved its task, whose reward no longer rises": {
      ...healthyBut({
        kl: ramp(0.01, 0.6),
        reward: ramp(0.93, 0.93),
        accuracy: ramp(0.93, 0.93),
        "reward.accuracy_reward": [],
      }),
      own: true,
    },
    "the distance of a run whose held-out score rose from 57 % to 80 %": {
      ...healthyBut({ kl: ramp(0.01, 0.6), reward: ramp(0.8, 0.8), "reward.accuracy_reward": [] }),
      own: true,
      scores: [{
        name: "correct (validation, sampled)",
        split: "validation",
        mode: "sampled",
        prompts: 200,
        trainSteps: [1, 15, 30],
        values: [0.57, 0.7, 0.8],
      }],
    },
    "a spike that recovers": healthyBut({
      kl: flat(0.02).map((value, i) => i === 20 ? 3 : value),
      reward: ramp(0.4, 0.4),
    }),
  },
});

Deno.test("kl_explosion says that a few tokens dominate where the largest is a thousand times the median", () => {
  const found = (largest: number) => {
    const result = DIAGNOSES.kl_explosion.check(viewOf(healthyBut({ kl: flat(2), kl_max: flat(largest) })));
    return result !== null && "message" in result ? result.message : "silent";
  };
  assert.match(found(1e5), /a few tokens dominate/);
  assert.equal(found(100), "silent");
});

Deno.test("kl_explosion is from the train step on at which its own series jumps, and shows that step", () => {
  const kl = ramp(0.01, 0.02, 40, 0.001).map((value, i) => i < 5 ? value : 2 + value);
  const own = { ...healthyBut({ kl, reward: flat(0.4, 40), "reward.accuracy_reward": [] }), own: true };
  const result = DIAGNOSES.kl_explosion.check(viewOf(own));
  assert(result !== null && "message" in result);
  assert.equal(result.trainSteps[0], 6);
  assert.equal(result.trainSteps.at(-1), 40);
  assert.deepEqual(result.evidence.filter(({ name }) => name === "kl").map((row) => row.train_step), [1, 6, 40]);
});

Deno.test("kl_explosion is silent on sixty healthy long runs", () => {
  for (const run of healthyRuns()) assert.equal(DIAGNOSES.kl_explosion.check(viewOf(run)), null);
});

const checkLong = (columns: Record<string, readonly number[]>) =>
  DIAGNOSES.kl_explosion.check(viewOf(longRun(columns)));

Deno.test("kl_explosion is silent where the distance buys what is paid, though the goal stands still", () => {
  const goal = {
    "reward.accuracy_reward": noisy(() => 0.3, 0.02, { seed: 4 }),
    "reward.format_reward": noisy(between(0.1, 0.7), 0.02, { seed: 5 }),
  };
  const paid = noisy(between(0.3, 0.9), 0.03), unpaid = noisy(between(0.3, 0.6, 0, 0.5), 0.03);
  // To a nat, and to a quarter of one: the two ways in which a long run is named.
  for (const power of [7.2, 5.9]) {
    const kl = noisy((at) => 1e-3 * Math.exp(power * at), 1e-4).map(Math.abs);
    assert.equal(checkLong({ ...goal, reward: paid, kl }), null, `${power}, paid`);
    assert.notEqual(checkLong({ ...goal, reward: unpaid, kl }), null, `${power}, for nothing`);
  }
});

Deno.test("kl_explosion judges growth by factors in the logarithm, where values scatter as widely as they are large", () => {
  const still = { reward: noisy(between(0.3, 0.6, 0, 0.15), 0.03), "reward.accuracy_reward": [] };
  const swings = (from: number) =>
    noisy((at) => Math.log(from) + Math.log(0.4 / from) * Math.min(1, at / 0.25), 0.5, { memory: 0.9, seed: 3 })
      .map(Math.exp);
  const columns = (kl: readonly number[]) => ({ ...still, kl });
  assert.match(JSON.stringify(checkLong(columns(swings(0.001)))), /The KL went from 0\.001\d* to 0\.3/);
  assert.equal(checkLong(columns(swings(0.2))), null, "as rough, and as far away from the first on");
  // Where the reference was renewed: the scatter of what was large before is none of the growth since.
  const renewed = (to: number) =>
    noisy(() => 1, 0.05).map((rough, i) => {
      const at = i / 299;
      return at < 0.7 ? 5 * rough : 0.04 * (to / 0.04) ** ((at - 0.7) / 0.3) * (1 + (rough - 1) / 5);
    });
  assert.match(JSON.stringify(checkLong(columns(renewed(0.23)))), /The KL has grown from 0\.06\d* to 0\.18/);
  assert.equal(checkLong(columns(renewed(0.1))), null, "by so little");
});

Deno.test("kl_explosion of a long run is a trend, of a short one the records that show it", () => {
  const found = (records: number) => {
    const result = DIAGNOSES.kl_explosion.check(viewOf(healthyBut({
      kl: Array.from({ length: records }, (_, i) => 0.001 * 8000 ** (i / (records - 1))),
      reward: ramp(0.5, 0.3, records),
      "reward.accuracy_reward": [],
    })));
    assert(result !== null && "message" in result);
    return result.trend;
  };
  assert.deepEqual([found(12), found(30)], [undefined, true]);
});

/** The train step with which a long run's finding begins. */
const since = (columns: Record<string, readonly number[]>) =>
  begins("kl_explosion", longRun({ "reward.accuracy_reward": [], ...columns }));

Deno.test("kl_explosion begins where the growth buys nothing more, not with the first growth that every run has", () => {
  const reward = noisy(() => 0.5, 0.03);
  // A tenth of a nat as a healthy run has it for half of the run; beyond a half from train step 165 on.
  const late = (at: number) => at < 0.5 ? 0.08 * Math.min(1, at / 0.05) : 0.08 + 8 * (at - 0.5);
  const error = since({ reward, kl: noisy(late, 0.002).map(Math.abs) });
  assert(error > 155 && error < 180, String(error));
  // The growth is paid for until train step 180, and falls away from there on.
  const paid = noisy((at) => at < 0.6 ? 0.2 + at : 0.8 - 2 * (at - 0.6), 0.03);
  const spent = since({ reward: paid, kl: noisy((at) => 4 * at, 0.01).map(Math.abs) });
  assert(spent > 130 && spent < 200, String(spent));
});

Deno.test("kl_explosion by factors begins as soon as nothing rises beside it, though it is large only late", () => {
  const kl = noisy((at) => 1e-3 * Math.exp(8 * at), 1e-4).map(Math.abs);
  const reward = noisy((at) => at < 0.5 ? 0.3 + at / 2 : 0.55 - 0.15 * (at - 0.5), 0.01);
  const first = since({ reward, kl });
  // A tenth of a nat is reached at train step 173; a fifth of its end at 240.
  assert(first > 165 && first < 195, String(first));
});

Deno.test("kl_explosion is named in the last train steps of a run that goes on, without its course", () => {
  const run = healthyBut({ kl: ramp(0.01, 4), reward: flat(0.4), "reward.accuracy_reward": [] });
  const { columns } = viewOf(run), trainSteps = ramp(1, 30, 30, 0);
  const part = new RunView({ imported: false, algorithm: "grpo", trainSteps, columns, isWhole: false });
  assert.notEqual(DIAGNOSES.kl_explosion.check(part), null);
});

Deno.test("kl_explosion before it is large wants growth beyond what stretches scatter, in nats or in factors", () => {
  const still = { reward: noisy(between(0.3, 0.6, 0, 0.15), 0.03), "reward.accuracy_reward": [] };
  const of = (level: (stretch: number) => number) =>
    checkLong({ ...still, kl: noisy(() => 1, 0.02).map((rough, i) => rough * level(Math.floor(24 * i / 300))) });
  // As large before, in turn: that the last two are is chance.
  assert.equal(of((stretch) => stretch > 21 || stretch % 2 === 1 ? 0.2 : 0.05), null);
  // What flickers by factors near 0 shows no growth by factors; in nats it is one.
  const flicker = (stretch: number) => stretch < 18 ? (stretch % 2 === 0 ? 2e-4 : 8e-3) : 0.01 + 0.04 * (stretch - 18);
  assert.match(JSON.stringify(of(flicker)), /The KL has grown from/);
});

Deno.test("kl_explosion before it is large is of a KL at risk: a seventh of a nat per token", () => {
  const still = { reward: noisy(between(0.3, 0.6, 0, 0.15), 0.03), "reward.accuracy_reward": [] };
  const check = (a: number) =>
    checkLong({
      ...still,
      kl: noisy(() => 1, 0.02).map((rough, i) => rough * (0.02 + a * Math.max(0, Math.floor(24 * i / 300) - 17))),
    });
  // Three times what it was six stretches ago, to 0.12 and to 0.21.
  assert.deepEqual([0.018, 0.035].map((a) => check(a) !== null), [false, true]);
});
