/** The rule flat_reward_no_learning: its fault and its look-alikes. */
import assert from "node:assert/strict";
import rule from "../../../steps/diagnoses/flat_reward_no_learning.ts";
import { flat, healthyBut, ramp, testRule, viewOf } from "./synthetic.ts";
import { noisy } from "./long_run.ts";

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
  // The ripple of 0.05 has a deviation of 0.035: of the mean of a quarter 0.0035.
  const check = (curve: (at: number) => number) => {
    const reward = ramp(0.3, 0.3, 400, 0.05).map((value, i) => value + curve(i / 399));
    return rule.check(viewOf({ columns: still({ reward }), scope: "group" }));
  };
  // A hump has no slope: a middle half that lies 2.8 and 5.6 standard errors above the ends.
  const hump = (by: number) => check((at) => at > 0.25 && at < 0.75 ? by : 0);
  assert.notEqual(hump(0.01), null);
  assert.equal(hump(0.02), null);
  // A rise by r is 5.77 r / 0.035 standard errors of the slope, its outer quarters lie 0.75 r / 0.0035 apart: here 2.2 and
  // 2.8 of the slope, and 2.8 and 3.6 of the quarters.
  const rise = (by: number) => check((at) => by * at);
  assert.notEqual(rise(0.0132), null);
  assert.equal(rise(0.017), null);
});
