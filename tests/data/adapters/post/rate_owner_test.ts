import assert from "node:assert/strict";
import { rateOwner } from "../../../../data/adapters/post/rate_owner.ts";

/** Whose rate it is in a text with the words for it in brackets, up to the value's end. */
function owner(marked: string) {
  const [left, rest] = marked.split("["), [words, right] = rest!.split("]");
  return rateOwner(left! + words + right, left!.length, left!.length + words!.length);
}

for (
  const [whose, ...texts] of [
    [
      "policy",
      "[lr 1e-6]",
      "actor [lr 1e-6], critic",
      "critical: [lr 1e-6]",
      "we train the policy, [lr 1e-6]",
      "rmsprop [lr 1e-6]",
    ],
    [
      "critic",
      "critic [lr 1e-3]",
      "Critic's [lr 1e-3]",
      "critic_[lr 1e-3]",
      "评论家的[学习率 1e-3]",
      "value head [lr 1e-3]",
      "[lr 1e-3] for the critic",
      "[lr 1e-3] (critic)",
    ],
    ["both", "actor/critic [lr 1e-6]/5e-6", "policy and critic [lr 1e-6]"],
    ["other", "reward model [lr 9e-6]", "RM [lr 9e-6]", "ViT [lr 2e-6]", "[lr 2e-6] for the vision tower"],
  ] as const
) {
  Deno.test(`rateOwner() says ${whose} of "${texts[0]}" and its like`, () => {
    for (const text of texts) assert.equal(owner(text), whose, text);
  });
}

Deno.test("rateOwner() reads long texts at once", () => {
  for (const text of ["critic ", "the ", " ", "actor/", "'s"]) {
    const long = text.repeat(100_000);
    assert.ok(rateOwner(long, long.length >> 1, long.length >> 1));
  }
});
