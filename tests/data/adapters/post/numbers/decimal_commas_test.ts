import assert from "node:assert/strict";
import { withDecimalPoints } from "../../../../../data/adapters/post/numbers/decimal_commas.ts";

const CASES: readonly (readonly [text: string, read: string])[] = [
  ["le KL vaut 1,250 au pas 300 et la récompense 0,450", "le KL vaut 1.250 au pas 300 et la récompense 0.450"],
  ["Margin 1,350, Genauigkeit 0,781", "Margin 1.350, Genauigkeit 0.781"],
  ["с 2,105 до 1,210", "с 2.105 до 1.210"],
  ["Länge von 1.024 auf 3.950 Tokens", "Länge von  1024 auf  3950 Tokens"],
];
for (const [text, read] of CASES) {
  Deno.test(`withDecimalPoints() reads "${text}"`, () => {
    assert.equal(withDecimalPoints(text), read);
    assert.equal(read.length, text.length);
  });
}

Deno.test("withDecimalPoints() leaves thousands, points and counts as they are", () => {
  for (
    const text of [
      "the KL is 1,250 at step 300",
      "reward 0.45, length 1,024",
      "1,024 tokens, 0,5",
      "loss 1,250",
      "the loss is 1.024",
      "3,950 Tokens und 0,45",
    ]
  ) assert.equal(withDecimalPoints(text), text);
});
