import assert from "node:assert/strict";
import { withoutChanges } from "../../../../../data/adapters/post/numbers/number_changes.ts";
import { numbersIn } from "../../../../../data/adapters/post/numbers/numbers.ts";

for (
  const [text, ...wanted] of [
    ["the reward dropped by 0.1"],
    ["the reward rose by about 0.5"],
    ["the reward increased 0.3"],
    ["accuracy went up 8 points from 41 to 49", 41, 49],
    ["la récompense a baissé de 0,1"],
    ["die Belohnung ist um 0,5 gestiegen"],
    ["la recompensa subió 0,5"],
    ["a recompensa caiu 0,5"],
    ["награда выросла на 0,5"],
    ["奖励上升了 0.5"],
    ["報酬は0.5上がった"],
    ["보상이 0.5 올랐다"],
    ["loss from 0.7 to nan"],
    ["loss 从 0.7 变成 nan"],
    ["the reward increased to 0.3", 0.3],
    ["the reward rose 0.1 → 0.5", 0.1, 0.5],
    ["la récompense chute de 0,8 à 0,1", 0.8, 0.1],
    ["grad_norm um 0,3", 0.3],
    ["награда на шаге, на 0,5", 0.5],
    ["奖励降到 0.1", 0.1],
    ["reward of 8", 8],
    ["loss from 0.7 to 0.5", 0.7, 0.5],
  ] as const
) {
  Deno.test(`withoutChanges() leaves ${wanted.join(", ") || "nothing"} of "${text}"`, () => {
    assert.deepEqual(withoutChanges(text, numbersIn(text)).map(({ value }) => value), wanted);
  });
}
