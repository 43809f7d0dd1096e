import assert from "node:assert/strict";
import { mentionsIn } from "../../../../../data/adapters/post/mentions.ts";
import { numbersIn } from "../../../../../data/adapters/post/numbers/numbers.ts";
import { isElseCase, withoutScheme } from "../../../../../data/adapters/post/stance/reward_scheme.ts";

for (
  const [text, ...wanted] of [
    ["The reward function returns 1.0 for correct and 0 for wrong answers"],
    ["The reward is 1 if correct and 0 otherwise"],
    ["Reward: -1 for a wrong answer, 1.0 for a right one"],
    ["reward if correct 1, else 0"],
    ["La récompense est 1 si correcte et 0 sinon"],
    ["Belohnung 1 für richtig und 0 für falsch"],
    ["La recompensa es 1 si es correcta y 0 si no"],
    ["Награда 1 за правильный ответ и 0 иначе"],
    ["奖励：正确给 1 分，错误给 0 分"],
    ["報酬は正解なら 1、不正解なら 0"],
    ["보상은 정답이면 1, 오답이면 0"],
    ["奖励对了给 1，不对给 0"],
    ["奖励是答案匹配就给1分，其他情况为 0"],
    ["奖励：做对记 1，其余都是 0"],
    ["報酬は正解の場合 1、そうでなければ 0"],
    ["보상은 맞으면 1, 그 외에는 0"],
    ["Wrong answers get a reward of 0, right ones get 1"],
    ["За неправильный ответ награда 0, за правильный 1"],
    ["Right answers get a reward of 0, wrong ones get 1", 0, 1],
    ["所有奖励都是 0", 0],
    ["The reward maxes at 1.0"],
    ["reward max 1.0, min 0.0, mean 0.45, std 0.3", 0.45],
    ["the reward is 0 for correct answers", 0],
    ["the reward reaches a max of 0.8", 0.8],
    ["the reward is 0.5 for all prompts, right from the start", 0.5],
    ["the KL maxes at 40", 40],
  ] as const
) {
  Deno.test(`withoutScheme() leaves ${wanted.join(", ") || "nothing"} of "${text}"`, () => {
    const left = withoutScheme(text, text, mentionsIn(text), numbersIn(text));
    assert.deepEqual(left.filter(({ kind }) => kind === "value").map(({ value }) => value), wanted);
  });
}

Deno.test("isElseCase() knows what is given in all other cases, and no state of the run", () => {
  for (
    const text of [
      "否则 0 分",
      "其他情况为 0",
      "不对给 0",
      "错误得 0 分",
      "それ以外は0点です",
      "아니면 0점",
      "otherwise 0 points",
      "or else zero",
      "sonst 0",
      "sinon 0",
      "en caso contrario 0",
      "caso contrário 0",
      "иначе 0",
    ]
  ) assert.ok(isElseCase(text), text);
  for (
    const text of ["奖励为 0", "回答都不对", "否则奖励一直是 0", "otherwise the reward stays at 0", "报酬是 0", "KL 0"]
  ) assert.ok(!isElseCase(text), text);
});

Deno.test("withoutScheme() is done soon on a long sentence of its own words", () => {
  for (const part of ["1 for correct ", "reward 1 if ", "if correct 1 ", "正确给 1 分 "]) {
    const text = `reward ${part.repeat(2000)}`;
    assert(Array.isArray(withoutScheme(text, text, mentionsIn("reward 1"), numbersIn(text))));
  }
});
