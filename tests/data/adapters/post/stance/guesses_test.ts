/** Reasons that a question guesses. */
import assert from "node:assert/strict";
import { isGuess } from "../../../../../data/adapters/post/stance/guesses.ts";
import { claimsOf, readPost } from "../read_post.ts";

Deno.test("isGuess() is true of a reason that is asked, not of one whose why is asked, nor of what is seen", () => {
  assert(isGuess("wrong", "Labels flipped"));
  assert(isGuess("cheats", "Is it reward hacking"));
  assert(!isGuess("cheats", "Why does it hack the reward"));
  assert(!isGuess("cheats", "为什么会出现 reward hacking"));
  assert(!isGuess("zero", "The reward is 0"));
});

Deno.test("labels that are asked to be flipped are not said to be", async () => {
  const flipped = async (text: string) => claimsOf(await readPost(text)).some((one) => one.includes("labels.wrong"));
  assert(!await flipped("After 20 DPO steps the loss is 0.69. Labels flipped?\n"));
  assert(await flipped("After 20 DPO steps the loss is 0.69. The labels are flipped.\n"));
});
