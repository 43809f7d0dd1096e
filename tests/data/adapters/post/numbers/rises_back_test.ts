import assert from "node:assert/strict";
import { risesBack, withRise } from "../../../../../data/adapters/post/numbers/rises_back.ts";
import { claimsOf, readPost, toldOf } from "../read_post.ts";

for (
  const [sentence, subject, ...values] of [
    ["The loss starts at 5, goes down to 4, then rises from step 1700 on to 7", "loss", 5, 4, 7],
    ["eval_loss fell from 1.31 to 1.12 and then climbed to 1.63", "eval_loss", 1.31, 1.12, 1.63],
    ["Best eval loss was 1.05 at epoch 3, by epoch 10 it is at 1.4", "eval_loss", 1.05, 1.4],
    ["Loss sinkt erst von 3,2 auf 2,1 und steigt ab Schritt 900 auf 6,5", "loss", 3.2, 2.1, 6.5],
    ["Das Minimum der Loss lag bei 1,9 (Schritt 2000), am Ende bei 8,2", "loss", 1.9, 8.2],
    ["Perte : de 3,2 à 2,1, puis elle remonte à 6,5", "loss", 3.2, 2.1, 6.5],
    ["La pérdida baja de 2,8 a 1,9 y luego sube a 7,4", "loss", 2.8, 1.9, 7.4],
    ["loss 一开始是 2.8，降到 1.9，然后从 1200 步开始涨到 7.4", "loss", 2.8, 1.9, 7.4],
    ["検証損失は 1.8 から 1.2 に下がり、その後 2.4 まで上がりました", "eval_loss", 1.8, 1.2, 2.4],
  ] as const
) {
  Deno.test(`risesBack() hears "${sentence.slice(0, 48)}"`, () => {
    const found = risesBack(sentence);
    assert.equal(found?.subject, subject);
    assert.deepEqual(found?.values, values);
  });
}
for (
  const sentence of [
    "The loss fell from 3.1 to 2.2",
    "The loss rises from 2.2 to 3.1",
    "Loss fell from 2.1 to 1.4 and the scale has gone back up to 16384",
    "Loss goes from 3.1 to 2.2, then the reward rises to 5",
    "The eval loss fell from 2.0 to 1.5 then rose slightly to 1.52",
    "The reward fell from 0.6 to 0.1 and rises to 0.5",
    "loss 从 2.8 降到 1.9，学习率升到 3",
  ]
) {
  Deno.test(`risesBack() is null of "${sentence.slice(0, 48)}"`, () => assert.equal(risesBack(sentence), null));
}

Deno.test("withRise() sets the whole course in the first clause, in place of its parts", async () => {
  const intake = await readPost(
    "Hi, SFT, why? The loss starts at 5, goes down to 4, then rises from step 1700 on to 7.",
  );
  assert.deepEqual(toldOf(intake), ["1 loss series 5 4 7"]);
  assert.equal(claimsOf(intake).at(-1), "1 loss.rises");
  assert.deepEqual(withRise([], null, { isFirst: true, line: 1, text: "" }), []);
});

Deno.test("risesBack() reads in time that grows with the text", () => {
  for (const part of ["loss rises to 0.1 ", "0.6 ", "then it goes up to ", "best "]) risesBack(part.repeat(5000));
});
