import assert from "node:assert/strict";
import { boundOf, withoutBounds } from "../../../../../data/adapters/post/numbers/bounds.ts";
import { mentionsIn } from "../../../../../data/adapters/post/mentions.ts";
import { numbersIn } from "../../../../../data/adapters/post/numbers/numbers.ts";

for (
  const [bound, ...texts] of [
    [
      "upper",
      ...["KL has never exceeded 12", "KL stays below 0.05", "KL is at most 12", "KL ≤ 1", "KL never above 0.05"],
      ...["the reward never reaches 0.5", "KL does not exceed 12", "KL is no more than 12"],
      ...["KL bleibt unter 0,05", "KL war nie über 12", "la KL n'a jamais dépassé 12", "KL inférieure à 0,05"],
      ...["La KL nunca superó 12", "KL menor que 0,05", "O KL nunca passou de 12", "KL abaixo de 0,05"],
      ...[
        "KL не превышает 12",
        "KL не более 12",
        "KL 从未超过 12",
        "KL 低于 0.05",
        "KLは12を超えたことがない",
        "KL は 0.05 以下",
      ],
      ...["KL은 12를 넘은 적이 없다", "KL 0.05 이하"],
    ],
    [
      "lower",
      ...["KL exceeds 12", "the reward never fell below 0.3", "entropy at least 0.4", "KL > 12", "KL over about 12"],
      ...["KL über 12", "KL supérieure à 12", "KL más de 12", "KL acima de 12", "KL выше 12", "奖励不低于 0.3"],
      ...["報酬は 0.3 以上", "보상은 0.3 이상", "it does not move and KL is above 12"],
    ],
    [
      null,
      ...["KL is 12", "KL reaches 12", "KL goes from 0.1 to 12", "la KL passe de 0,1", "KL около 12", "KL 达到 12"],
      ...["the reward is not as I hoped, it is 0.5", "KL is 12 now"],
    ],
  ] as const
) {
  for (const text of texts) {
    Deno.test(`boundOf() says ${bound} of "${text}"`, () => {
      assert.equal(boundOf(text, numbersIn(text).at(-1)!), bound);
    });
  }
}

for (
  const [text, ...wanted] of [
    ["KL above 50", 50],
    ["KL below 50"],
    ["entropy below 0.05", 0.05],
    ["entropy above 0.05"],
    ["reward below 0.1 and KL never above 3", 0.1],
    ["reward below 0"],
    ["reward above 0.9 at step 40", 40],
    ["clipped_ratio above 0.9", 0.9],
    ["clipped_ratio below 0.9"],
    ["the time is over 12"],
    ["KL < 0.1 with 6.5 in all"],
    ["reward 0.31 -> 0.57", 0.31, 0.57],
  ] as const
) {
  Deno.test(`withoutBounds() leaves ${wanted.join(", ") || "nothing"} of "${text}"`, () => {
    const { numbers, isBound } = withoutBounds(text, mentionsIn(text), numbersIn(text));
    assert.deepEqual(numbers.map(({ value }) => value), wanted);
    assert.equal(isBound, wanted.length === 1 && wanted[0] !== 40);
  });
}
