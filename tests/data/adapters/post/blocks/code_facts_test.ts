import assert from "node:assert/strict";
import { claimsOf, readPost } from "../read_post.ts";

for (
  const [line, ...wanted] of [
    ["(labels != -100).sum() gives 0", "3 labels.zero"],
    ["`(labels == -100).all()` prints True", "3 labels.zero"],
    ["set(labels) is {-100}", "3 labels.zero"],
    ["lora_B.abs().sum() == 0.0 after 100 steps", "3 adapter.zero"],
    ["torch.equal(before, after) -> True", "3 adapter.constant"],
    ["torch.isfinite(w).all() is False", "3 parameters.not_finite"],
    ["(labels != -100).sum() gives 120"],
    ["torch.isfinite(w).all() is True"],
  ] as const
) {
  Deno.test(`readCodeFacts() takes ${wanted.join(", ") || "nothing"} of ${line}`, async () => {
    const found = claimsOf(await readPost(`Hello all, I have a question.\n\n${line}\n`));
    const facts = found.filter((one) => /\.(?:zero|constant|not_finite)$/.test(one) && !/policy|reward/.test(one));
    assert.deepEqual(facts, wanted);
  });
}

Deno.test("readCodeFacts() knows a reward function that a sentence quotes", async () => {
  const { messages } = await readPost("GRPO: due to a bug it was `return [1.0] * len(completions)`. Why?");
  assert(messages.some(({ kind, value }) => kind === "constant_reward_function" && value === 1));
});
