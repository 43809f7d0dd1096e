/** When each number of a clause is told of. */
import assert from "node:assert/strict";
import { timeOf } from "../../../../../data/adapters/post/numbers/value_spans.ts";
import { readPost } from "../read_post.ts";

for (
  const [text, spans] of [
    ["The entropy fell to 0.006 by step 180 and the reward to 0.19 at step 300.", [
      "entropy 180-",
      "reward 300-",
    ]],
    ["The entropy dropped from 0.42 to 0.006 by step 180.", ["entropy -180", "entropy 180-180"]],
    ["Die Entropie fiel von 0,42 auf 0,006 bei Schritt 180.", ["entropy -180", "entropy 180-180"]],
    ["From step 40 on the entropy fell from 0.4 to 0.1.", ["entropy 40-"]],
    ["At step 300 the loss is 0.5 and the reward is 0.1.", ["loss 300-", "reward 300-"]],
    ["The loss is 0.5 and the reward is 0.1 at step 300.", ["loss 300-", "reward 300-"]],
    ["Reward went up from 0.21 to 0.48 in the first 120 steps.", ["reward 1-120"]],
  ] as const
) {
  Deno.test(`withSpans() knows when each number of "${text}" is told of`, async () => {
    const { told } = await readPost(`TRL, GRPO, why is it so?\n\n${text}`);
    const found = told.map(({ name, from, to }) => `${name} ${from ?? ""}-${to ?? ""}`);
    assert.deepEqual([...new Set(found)], spans);
  });
}

Deno.test("timeOf() leaves out what is no time, and an end that nobody speaks of", () => {
  const told = { from: 1, to: null, throughout: false, line: 3, name: "loss" };
  assert.deepEqual(timeOf(told), { from: 1, to: null, throughout: false });
  assert.deepEqual(timeOf({ ...told, atEnd: true }), { from: 1, to: null, throughout: false, atEnd: true });
});
