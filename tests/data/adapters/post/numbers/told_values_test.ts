import assert from "node:assert/strict";
import { mentionsIn } from "../../../../../data/adapters/post/mentions.ts";
import { numbersIn } from "../../../../../data/adapters/post/numbers/numbers.ts";
import { valuesOf } from "../../../../../data/adapters/post/numbers/told_values.ts";

const told = (text: string) =>
  valuesOf(text, mentionsIn(text), numbersIn(text)).map(({ name, relation, values }) =>
    `${name} ${relation} ${values.join(" ")}`
  );

const VALUES: readonly [text: string, ...values: string[]][] = [
  ["the loss is 0.69", "loss is 0.69"],
  ["grad_norm = 0.0", "grad_norm is 0"],
  ["the reward went from 0.8 to 0.1", "reward course 0.8 0.1"],
  ["reward 0.2, 0.5, 0.9", "reward series 0.2 0.5 0.9"],
  ["loss and grad_norm are 0", "loss is 0", "grad_norm is 0"],
  ["kl 11.6 entropy is high", "kl is 11.6"],
  ["reward 0.4855  kl 11.6  entropy n/a", "reward is 0.4855", "kl is 11.6"],
  ["0.1 reward and 0.3 accuracy", "reward is 0.1", "rewards/accuracy is 0.3"],
  ["accuracy goes from 50 to 61 %", "rewards/accuracy course 0.5 0.61"],
  ["accuracy goes from 50 % to 61 %", "rewards/accuracy course 0.5 0.61"],
  ["accuracy goes from 0.5 to 61 %", "rewards/accuracy course 0.5 0.61"],
  ["the loss is not 0", ...[]],
  ["the reward rises", ...[]],
];

for (const [text, ...values] of VALUES) {
  Deno.test(`valuesOf() reads "${text}"`, () => assert.deepEqual(told(text), values));
}
