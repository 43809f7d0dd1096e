import assert from "node:assert/strict";
import { BROKEN_TEXT, FALLS, mayBeReinforcement } from "../../../../steps/diagnoses/told/pattern.ts";
import { seen } from "./diagnosed.ts";
import { viewOfPost } from "./view_of_post.ts";

Deno.test("mayBeReinforcement() is true unless a run says that it is something else", async () => {
  const of = async (text: string) => mayBeReinforcement(await viewOfPost(text));
  assert.equal(await of("I run GRPO. The reward is stuck. Why?"), true);
  assert.equal(await of("The reward of my run is stuck and the KL explodes. Why?"), true);
  assert.equal(await of("I train with DPO. The margin is stuck. Why?"), false);
  assert.equal(await of("I train with SFT. The loss is stuck. Why?"), false);
});

Deno.test("BROKEN_TEXT are symptoms of texts that no longer say anything, FALLS of scores that fall", async () => {
  const broken = [
      "GRPO: the outputs are gibberish. Why?",
      "GRPO: the outputs repeat the same phrase over and over. Why?",
      "GRPO: the outputs are only exclamation marks. Why?",
      "GRPO: the model gives the same answer for every prompt. Why?",
      "GRPO: the completions are empty. Why?",
    ],
    falls = ["GRPO: the reward falls. Why?", "GRPO: the eval accuracy falls. Why?"];
  for (const [i, post] of broken.entries()) assert((await seen(post)).includes(BROKEN_TEXT[i]!), post);
  for (const [i, post] of falls.entries()) assert((await seen(post)).includes(FALLS[i]!), post);
  assert.deepEqual([BROKEN_TEXT.length, FALLS.length], [broken.length, falls.length]);
});
