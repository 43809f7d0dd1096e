/** The rule flat_reward_no_learning: its fault and its look-alikes. */
import assert from "node:assert/strict";
import rule from "../../../steps/diagnoses/flat_reward_no_learning.ts";
import { flat, healthyBut, ramp, testRule, viewOf } from "./synthetic.ts";
import { noisy } from "./long_run.ts";
import { series } from "../../bench/false_alarms/simulated.ts";

/** A reward that stands still, beside other columns. */
const still = (columns: Record<string, (number | null)[]>) => ({
  reward: ramp(0.3, 0.3, 400, 0.05),
  group_reward_std: flat(0.4, 400),
  kl: flat(0.005, 400),
  ...columns,
});

testRule("flat_reward_no_learning", {
  fires: {
    "400 steps without a trend": (() => {
      const long = (value: number) => ramp(value, value, 400, 0.05);
      return {
        scope: "group" as const,
        columns: {
          reward: long(0.3),
          group_reward_std: long(0.4),
          grad_norm: long(0.3),
          kl: flat(0.005, 400),
          loss: long(0.1),
          entropy: long(1.2),
          learning_rate: flat(1e-6, 400),
        },
      };
    })(),
    "a policy that moves without getting anywhere": { columns: still({ kl: ramp(0, 0.2, 400) }), scope: "group" },
  },
  silent: {
    "thirty steps": healthyBut({ reward: ramp(0.4, 0.4) }),
    "a reward that rose": {
      columns: { reward: ramp(0.2, 0.5, 400), group_reward_std: flat(0.4, 400), kl: flat(0.005, 400) },
    },
    "a policy far from its reference": { columns: still({ kl: ramp(0.001, 0.8, 400) }), scope: "group" },
    "a goal that rises under a flat reward": {
      columns: still({ accuracy: ramp(0.2, 0.5, 400, 0.05) }),
      scope: "group",
    },
  },
});

Deno.test("flat_reward_no_learning is open where the log begins in mid-run", () => {
  const columns = { reward: ramp(0.3, 0.3, 400, 0.05), group_reward_std: flat(0.4, 400), kl: flat(0.005, 400) };
  const from = (first: number) =>
    rule.check(viewOf({ columns, scope: "group", steps: columns.reward.map((_, record) => first + record) }));
  assert("message" in from(1)!);
  assert.deepEqual((from(801) as { missing: readonly string[] }).missing, ["the records before train step 801"]);
});

Deno.test("flat_reward_no_learning is silent where the reward scatters too widely to be flat, unless a score is", () => {
  const reward = noisy(() => 0, 1, { records: 240, memory: 0 }).map((draw) => draw > 0 ? 0.9 : 0.1),
    group_reward_std = flat(0.4, 240);
  const columns = { reward, group_reward_std, kl: flat(0.005, 240) };
  assert.equal(rule.check(viewOf({ columns, scope: "group" })), null);
  const evaluationSteps = Array.from({ length: 24 }, (_, i) => 10 * (i + 1));
  const evaluations = { accuracy: evaluationSteps.map((_, i) => 0.4 + 0.001 * (i % 2)) };
  assert.notEqual(rule.check(viewOf({ columns, scope: "group", evaluationSteps, evaluations })), null);
});

Deno.test("flat_reward_no_learning wants quarters, and a slope, within their standard errors", () => {
  // Noise of 0.05: the mean of a quarter of 400 records has an error of 0.005, the distance of two 0.007.
  const check = (curve: (at: number) => number) =>
    rule.check(viewOf({ columns: still({ reward: noisy(curve, 0.05, { records: 400, memory: 0 }) }), scope: "group" }));
  const hump = (by: number) => check((at) => 0.3 + (at > 0.25 && at < 0.75 ? by : 0));
  assert.notEqual(hump(0.005), null);
  assert.equal(hump(0.05), null, "a hump has no slope");
  const rise = (by: number) => check((at) => 0.3 + by * at);
  assert.notEqual(rise(0.002), null);
  assert.equal(rise(0.06), null);
});

/** Share of 200 runs called flat: so many records, a noise of deviation 0.05 and this memory, a reward that gains so much. */
function calledFlat(records: number, memory: number, gain = 0): number {
  const called = Array.from({ length: 200 }, (_, seed) => {
    const reward = series({ kind: "normal", memory }, records, seed + 1, "flat").map((draw, at) =>
      0.45 + gain * (at / (records - 1) - 0.5) + 0.05 * draw
    );
    const columns = { reward, group_reward_std: flat(0.4, records), kl: flat(0.005, records) };
    const found = rule.check(viewOf({ columns, scope: "group" }));
    return found !== null && "message" in found;
  });
  return called.filter((isCalled) => isCalled).length / called.length;
}

/** The least share of flat runs that are called so, by memory, of these lengths: what a mean of 0.9 wanders hides a gain. */
const LENGTHS = [150, 200, 300, 500];
const DETECTED = {
  0: [0.95, 0.95, 0.95, 0.95],
  0.5: [0.75, 0.9, 0.95, 0.95],
  0.7: [0.25, 0.45, 0.9, 0.95],
  0.9: [0, 0.03, 0.1, 0.35],
} as const;

Deno.test("flat_reward_no_learning sees flat runs whatever the memory of their noise, and none that learns slowly", () => {
  for (const [memory, least] of Object.entries(DETECTED)) {
    LENGTHS.forEach((records, i) => {
      const share = calledFlat(records, Number(memory)), learning = calledFlat(records, Number(memory), 0.15);
      assert(share >= least[i]!, `${share} of ${records} records, memory ${memory}`);
      assert(learning <= 0.01, `${learning} of ${records} records that learn, memory ${memory}`);
    });
  }
});

Deno.test("flat_reward_no_learning is silent on less than a hundred updates, however flat", () => {
  assert.equal(calledFlat(99, 0), 0);
  assert(calledFlat(120, 0) > 0.95);
});

Deno.test("flat_reward_no_learning tells no larger steps where the policy moves, or at the usual rate", () => {
  const found = (kl: number, learning_rate: number) =>
    rule.check(
      viewOf({ scope: "group", columns: still({ kl: flat(kl, 400), learning_rate: flat(learning_rate, 400) }) }),
    );
  const moves = found(0.1, 1e-6), stays = found(0.005, 1e-8);
  assert(moves !== null && "message" in moves && stays !== null && "message" in stays);
  assert.deepEqual(moves.remedy, []);
  assert.match(moves.hint!, /Score right and wrong answers by hand/);
  assert.deepEqual([stays.remedy, stays.hint], [undefined, undefined]);
});
