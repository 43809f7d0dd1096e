import assert from "node:assert/strict";
import { isNumberDenied } from "../../../../../data/adapters/post/numbers/denied_numbers.ts";
import { numbersIn } from "../../../../../data/adapters/post/numbers/numbers.ts";
import { claimsOf, readPost, toldOf } from "../read_post.ts";

/** Is the 0 denied, of the metric that stands in brackets? */
const denied = (marked: string) => {
  const at = marked.indexOf("["), end = marked.indexOf("]") - 1, text = marked.replace(/[[\]]/g, "");
  return isNumberDenied(text, { at, end }, numbersIn(text).find(({ value }) => value === 0)!);
};

for (
  const text of [
    "the [reward] does not stay at 0",
    "[the reward] is not always 0",
    "der [Reward] bleibt nicht bei 0",
    "la [récompense] n'est pas restée à 0",
    "la [recompensa] no se quedó en 0",
    "a [recompensa] não ficou em 0",
    "[награда] не застревала на 0",
    "[奖励]也不是一直为 0",
    "[報酬]は0のままではなく",
    "[보상]이 계속 0인 것도 아닙니다",
    "at no point was the [reward] 0",
  ]
) Deno.test(`isNumberDenied() is true of "${text}"`, () => assert(denied(text)));

for (
  const text of [
    "the [reward] stays at 0",
    "the [reward] never rises above 0",
    "der [Reward] kommt nicht über 0",
    "la [récompense] ne dépasse pas 0",
    "[награда] не поднимается выше 0",
    "[奖励]没有超过 0",
    "[報酬]は0から動かない",
    "[보상]이 0에서 오르지 않습니다",
    "I have never seen the [reward] above 0",
    "prompts whose [group has no spread] are 0",
  ]
) Deno.test(`isNumberDenied() is false of "${text}"`, () => assert(!denied(text)));

Deno.test("a number that is denied is neither told nor claimed", async () => {
  const intake = await readPost("Hi, why so slow?\n\nThe reward does not stay at 0 and the KL is 0.02.\n");
  assert.deepEqual([claimsOf(intake), toldOf(intake)], [[], ["3 kl is 0.02"]]);
});
