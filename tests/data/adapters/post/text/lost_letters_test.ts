import assert from "node:assert/strict";
import { withoutLostLetters } from "../../../../../data/adapters/post/text/lost_letters.ts";
import { claimsOf, readPost } from "../read_post.ts";

for (
  const [text, want] of [
    ["The output is ����", "The output is ����"],
    ["caf� loss 0.5", "caf� loss 0.5"],
    ["�� TRL �� GRPO��Qwen2.5-7B���ѧ 0.5", "  TRL   GRPO Qwen2.5-7B ѧ 0.5"],
    ['it says "� � � � �" always', 'it says "� � � � �" always'],
    ["「� � � �」ばかり", "「� � � �」ばかり"],
    ["plain", "plain"],
  ] as const
) Deno.test(`withoutLostLetters() makes "${text}" "${want}"`, () => assert.equal(withoutLostLetters(text), want));

Deno.test("withoutLostLetters() keeps a text that lost its letters from being a model's output", async () => {
  const lost = await readPost("������ TRL �� GRPO��Qwen2.5-7B������ѵ�� 500 ���� reward 0.31 ���� 0.72����");
  assert.deepEqual(claimsOf(lost).filter((claim) => claim.includes("token_zero")), []);
  const output = await readPost("TRL GRPO, why? The output is �������� for every prompt.");
  assert.deepEqual(claimsOf(output).filter((claim) => claim.includes("token_zero")), ["1 completions.token_zero"]);
});
