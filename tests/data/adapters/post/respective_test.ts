import assert from "node:assert/strict";
import { respectivePairs } from "../../../../data/adapters/post/respective.ts";

const pairs = (text: string) =>
  respectivePairs(text)?.map(({ mention: { subject }, number: { value } }) => `${subject} ${value}`) ?? null;

for (
  const text of [
    "The reward, KL and entropy are 0.1, 9 and 0.05 respectively",
    "La récompense, la KL et l'entropie valent respectivement 0,1, 9 et 0,05",
    "Recompensa, KL y entropía: 0,1, 9 y 0,05 respectivamente",
    "Награда, KL и энтропия равны 0,1, 9 и 0,05 соответственно",
    "奖励、KL 和熵分别是 0.1、9 和 0.05",
    "報酬、KL、エントロピーはそれぞれ 0.1、9、0.05",
    "보상, KL, 엔트로피는 각각 0.1, 9, 0.05",
  ]
) {
  Deno.test(`respectivePairs() gives each metric of "${text}" its number`, () => {
    assert.deepEqual(pairs(text), ["reward 0.1", "kl 9", "entropy 0.05"]);
  });
}

Deno.test("respectivePairs() is null where the lists differ in length or stand apart", () => {
  assert.equal(pairs("The reward and KL are 0.1, 9 and 3 respectively"), null);
  assert.equal(pairs("The reward is 0.1 and KL is 9 respectively"), null);
  assert.equal(pairs("The reward and KL are 0.1 and 9"), null);
});
