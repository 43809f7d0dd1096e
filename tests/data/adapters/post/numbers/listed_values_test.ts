import assert from "node:assert/strict";
import { atSteps, isSame, listedAt } from "../../../../../data/adapters/post/numbers/listed_values.ts";
import { mentionsIn } from "../../../../../data/adapters/post/mentions.ts";
import { numbersIn } from "../../../../../data/adapters/post/numbers/numbers.ts";

const MENTIONS = mentionsIn("reward");
const list = (text: string) => listedAt(text, MENTIONS, numbersIn(text), false);

for (
  const [text, ...wanted] of [
    ["0.1 at step 1,200 and 0.05 at step 2,400", "1200 0.1", "2400 0.05"],
    ["0.5 at step 2k and -0.1 at 10k", "2000 0.5", "10000 -0.1"],
    ["bei Schritt 2.000 bei 0,2", "2000 0.2"],
    ["0,5 à l'étape 1 000 et 0,2 à l'étape 2 000", "1000 0.5", "2000 0.2"],
    ["de 0,2 en el paso 10 a 0,55 en el paso 300", "10 0.2", "300 0.55"],
    ["de 0,2 no passo 10 para 0,55 no passo 300", "10 0.2", "300 0.55"],
    ["с 0,2 на шаге 10 до 0,55 на шаге 300", "10 0.2", "300 0.55"],
    ["从第10步的0.2升到第300步的0.55", "10 0.2", "300 0.55"],
    ["ステップ10の0.2からステップ300の0.55に", "10 0.2", "300 0.55"],
    ["10스텝의 0.2에서 300스텝의 0.55로", "10 0.2", "300 0.55"],
    ["10스텝에서 보상이 0.2였다가 300스텝에서 0.55가", "10 0.2", "300 0.55"],
    ["0.2 for 300 steps"],
    ["step 40 and 0.3"],
  ] as const
) {
  Deno.test(`listedAt() gives each number its train step in "${text}"`, () => {
    assert.deepEqual(list(text).map(({ from, values: [value] }) => `${from} ${value}`), wanted);
  });
}

Deno.test("atSteps() puts a number on its own train step, and leaves others", () => {
  const [listed] = list("0.2 at step 10");
  const told = { ...listed!, from: 10, to: 300, throughout: true, line: 1, text: "" },
    other = { ...told, values: [0.3] };
  assert(isSame(listed!, told) && !isSame(listed!, other));
  assert.deepEqual(atSteps([told, other], [listed!]), [{ ...told, to: 10, throughout: false }, other]);
});
