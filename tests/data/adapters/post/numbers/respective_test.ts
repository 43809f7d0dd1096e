import assert from "node:assert/strict";
import { respectivePairs } from "../../../../../data/adapters/post/numbers/respective.ts";

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
  assert.equal(pairs("The reward and KL are between 0.1 and 9"), null);
  assert.equal(pairs("The reward rose, and KL went from 0.1 to 9"), null);
});

Deno.test("respectivePairs() reads two lists with nothing but a verb between them", () => {
  assert.deepEqual(pairs("reward and KL are 0.7 and 0.03"), ["reward 0.7", "kl 0.03"]);
  assert.deepEqual(pairs("(reward, KL) = (0.7, 0.03)"), ["reward 0.7", "kl 0.03"]);
  assert.deepEqual(pairs("reward, KL and entropy are 0.7, 0.03 and 0.9"), ["reward 0.7", "kl 0.03", "entropy 0.9"]);
  assert.deepEqual(pairs("奖励和 KL 为 0.7 和 0.03"), ["reward 0.7", "kl 0.03"]);
  assert.deepEqual(pairs("reward mean and std are 0.6 and 0.2"), ["reward 0.6"]);
  const named = respectivePairs("train and eval loss are 0.1 and 1.9")!;
  assert.deepEqual(named.map(({ mention: { name }, number: { value } }) => [name, value]), [["loss", 0.1], [
    "eval_loss",
    1.9,
  ]]);
});
