import assert from "node:assert/strict";
import { isSmallDifference } from "../../../../../data/adapters/post/numbers/small_difference.ts";
import { claimsOf, readPost } from "../read_post.ts";

const differs = async (text: string) =>
  claimsOf(await readPost(`Hi, GRPO, a question?\n\n${text}\n`)).some((claim) => claim.includes("differs"));

for (
  const text of [
    "Compared rollout and trainer log-probs, and the difference is tiny.",
    "The log-probs of vLLM and the trainer differ only slightly.",
    "The log-probs do not match, but the gap is negligible.",
    "The log-probs of vLLM and the trainer differ a bit.",
    "Die Logprobs von vLLM und Trainer unterscheiden sich nur minimal.",
    "Les logprobs de vLLM et du trainer diffèrent, mais l'écart est négligeable.",
    "Los logprobs de vLLM y del trainer difieren, pero la diferencia es pequeña.",
    "Os logprobs do vLLM e do trainer diferem, mas a diferença é desprezível.",
    "Логпробы vLLM и тренера отличаются незначительно.",
    "rollout 和训练的 logprob 差异很小，可以忽略。",
    "vLLM と学習側の logprob の差はごくわずかです。",
    "vLLM과 학습 쪽의 logprob 차이는 미미합니다.",
  ]
) Deno.test(`a small difference is none: "${text}"`, async () => assert(!await differs(text)));

for (
  const text of [
    "The log-probs of vLLM and the trainer differ a lot.",
    "The log-probs of vLLM and the trainer differ, and not only slightly.",
    "The log-probs do not match, the mismatch is not small.",
    "rollout 和训练的 logprob 差异很大。",
  ]
) Deno.test(`another one is: "${text}"`, async () => assert(await differs(text)));

Deno.test("isSmallDifference() knows what is large beside it, and reads in time that grows with the text", () => {
  assert(isSmallDifference("a tiny gap") && !isSmallDifference("a tiny gap that grows"));
  assert(!isSmallDifference("not tiny") && !isSmallDifference("a gap"));
  for (const part of ["tiny ", "not ", "小"]) isSmallDifference(part.repeat(20_000));
});
