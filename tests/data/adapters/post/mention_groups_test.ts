import assert from "node:assert/strict";
import { coordinated, headOf } from "../../../../data/adapters/post/mention_groups.ts";
import { mentionsIn } from "../../../../data/adapters/post/mentions.ts";

const last = (text: string) => mentionsIn(text).length - 1;

Deno.test("coordinated() gives the mentions of one list, and none that stand apart", () => {
  const names = (text: string) => coordinated(text, mentionsIn(text), last(text)).map(({ subject }) => subject);
  assert.deepEqual(names("loss and grad_norm are zero"), ["loss", "grad_norm"]);
  assert.deepEqual(names("loss、grad_norm 都是 0"), ["loss", "grad_norm"]);
  assert.deepEqual(names("the RM training loss"), ["loss"]);
  assert.deepEqual(names("the loss falls while the entropy"), ["entropy"]);
});

Deno.test("headOf() gives what a mention within another is said of", () => {
  assert.equal(headOf("entropy of the policy", mentionsIn("entropy of the policy"), last("entropy of the policy")), 0);
  assert.equal(headOf("loss, then entropy", mentionsIn("loss, then entropy"), 1), 1);
});
