import assert from "node:assert/strict";
import { mentionsIn } from "../../../../../data/adapters/post/mentions.ts";
import { shareAtCap } from "../../../../../data/adapters/post/numbers/share_at_cap.ts";

const subjectsOf = (sentence: string, text: string) =>
  shareAtCap(mentionsIn(text), text, sentence).map((one) => one.subject);

Deno.test("shareAtCap() reads a clip_ratio right behind a length as the share of completions that are cut", () => {
  const sentence = "response_length 从 400 一路涨到 4096，clip_ratio 1.0，reward 掉到 0.02";
  assert.deepEqual(subjectsOf(sentence, "clip_ratio 1.0"), ["truncation"]);
  assert.deepEqual(subjectsOf("the length is 4096, clip_ratio 1.0", " clip_ratio 1.0"), ["truncation"]);
});

Deno.test("shareAtCap() leaves one that stands beside a KL, or first", () => {
  assert.deepEqual(subjectsOf("ppo_kl 3.2, clip_ratio 1.0", " clip_ratio 1.0"), ["clip_fraction"]);
  assert.deepEqual(subjectsOf("clip_ratio 1.0, response_length 400", "clip_ratio 1.0"), ["clip_fraction"]);
});
