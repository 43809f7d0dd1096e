import assert from "node:assert/strict";
import { plainProse, plainRow } from "../../../../../data/adapters/post/text/plain_prose.ts";

for (
  const [written, plain] of [
    ["- the **reward** is `0.5`", "the reward is 0.5"],
    ["2) see [the log](a/b.txt)", "see the log"],
    ["it says `if x == 0: return 1` here", "it says   here"],
    ["an accuracy of _68,00%_ here", "an accuracy of 68,00% here"],
    ["grad_norm and reward_std_mean", "grad_norm and reward_std_mean"],
    ["a<br/>b", "ab"],
    ["* the gr0ups tie", "the groups tie"],
  ] as const
) Deno.test(`plainProse() reads "${written}"`, () => assert.equal(plainProse(written), plain));

Deno.test("plainRow() reads a row of two cells as one statement, of more as several", () => {
  assert.equal(plainRow("| **reward** | 0.5 |"), "reward 0.5");
  assert.equal(
    plainRow("| seed 1 | :---: | the outputs are garbage | 输出全是乱码了 |"),
    "seed 1；the outputs are garbage；输出全是乱码了",
  );
  assert.equal(plainRow("| variant | ROUGE-1 | bigram repetition |"), "ROUGE-1", "a name is no statement");
});
