/** Of what a predicate is said: what stands beside it, before it, or was spoken of. */
import assert from "node:assert/strict";
import { MOVES } from "../../../../data/adapters/post/spoken_of.ts";
import { claimsOf, readPost } from "./read_post.ts";

const claims = async (text: string) => claimsOf(await readPost(`Hi, why is it so?\n\n${text}\n`));

for (
  const [text, ...wanted] of [
    ["SFT: the loss goes down at first, then it starts to go up and the text is bad.", "3 loss.falls", "3 loss.rises"],
    ["Gradient norm is zero for training Llama.", "3 grad_norm.zero"],
    ["The format reward is zero during training.", "3 format_reward.zero"],
    ["The RM training loss becomes NaN.", "3 loss.not_finite"],
    ["GRPO: the loss went NaN and KL is 0.2.", "3 loss.not_finite"],
    ["loss 先降，训练到 2000 步之后越来越大。", "3 loss.rises"],
  ] as const
) {
  Deno.test(`a predicate is said of what is meant in "${text}"`, async () =>
    assert.deepEqual(await claims(text), wanted));
}

Deno.test("MOVES are predicates of what has no one number", () => {
  assert(MOVES.has("rises") && !MOVES.has("constant"));
});
