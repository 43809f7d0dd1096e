import assert from "node:assert/strict";
import { plainCharacters } from "../../../../../data/adapters/post/text/plain_characters.ts";

for (
  const [name, written, meant] of [
    ["spaces of no width", "re\u200bward is\u2060 0\ufeff", "reward is 0"],
    ["spaces that do not break", "loss\u00a0is\u3000nan", "loss is nan"],
    ["a thousand's space", "1\u202f000 steps", "1\u202f000 steps"],
    ["apostrophes", "it doesn\u2019t move, the runs\u2019 end", "it doesn't move, the runs\u2019 end"],
    ["full-width figures", "第１２步 ０．２５ 和 －３", "第12步 0.25 和 -3"],
    ["full-width letters", "ＫＬ ｌｏｓｓ", "KL loss"],
    ["the minus of a typesetter", "loss: −0.5, lr １e−６", "loss: -0.5, lr 1e-6"],
    ["a full stop that is no point", "奖励是０．", "奖励是0．"],
  ] as const
) Deno.test(`plainCharacters() gives what is meant by ${name}`, () => assert.equal(plainCharacters(written), meant));

Deno.test("plainCharacters() leaves marks of sentences as they are", () => {
  for (const text of ["奖励一直是零，为什么？（八个回答）", "“same” → 5 %", "loss – 0.5"]) {
    assert.equal(plainCharacters(text), text);
  }
});
