/** Each predicate in English, Chinese and one language more, and a sentence in which it is not said of the run. */
import assert from "node:assert/strict";
import { PREDICATES } from "../../../../../data/adapters/post/words/predicates.ts";
import type { PredicateName } from "../../../../../data/adapters/post/words/predicates.ts";
import { clausesOf } from "../../../../../data/adapters/post/clauses.ts";
import { readClause } from "../../../../../data/adapters/post/read_clause.ts";

interface Case {
  /** Of what it is said in all three. */
  readonly of: string;
  readonly said: readonly [english: string, chinese: string, other: string];
  /** Denied, supposed, or of another run. */
  readonly unsaid: string;
}

const CASES: Readonly<Record<PredicateName, Case>> = {
  not_finite: {
    of: "loss",
    said: ["The loss becomes NaN at step 3.", "第三步开始损失变成 NaN。", "La perte devient NaN."],
    unsaid: "The loss is never NaN.",
  },
  zero: {
    of: "reward",
    said: ["The reward is zero.", "奖励一直为零。", "報酬はずっとゼロです。"],
    unsaid: "The reward is not zero.",
  },
  constant: {
    of: "reward",
    said: ["The reward does not move at all.", "奖励完全没有变化。", "보상이 전혀 오르지 않습니다."],
    unsaid: "If the reward is stuck, what then?",
  },
  noisy: {
    of: "reward",
    said: ["The reward goes up and down.", "奖励一直在波动。", "Die Belohnung schwankt stark."],
    unsaid: "The reward might fluctuate.",
  },
  explodes: {
    of: "kl",
    said: ["The KL explodes.", "KL 散度爆炸了。", "KL が爆発しました。"],
    unsaid: "Without the flag the KL explodes.",
  },
  collapses: {
    of: "entropy",
    said: ["The entropy collapses.", "熵崩溃了。", "La entropía colapsa."],
    unsaid: "I suspect the entropy collapses.",
  },
  worsens: {
    of: "evaluation",
    said: ["The validation accuracy gets worse.", "测试集准确率越来越差。", "検証スコアが悪化します。"],
    unsaid: "The validation accuracy did not get worse.",
  },
  falls: {
    of: "reward",
    said: ["The reward drops after step 40.", "奖励下降。", "La récompense baisse."],
    unsaid: "The reward should drop.",
  },
  rises: {
    of: "reward",
    said: ["The reward rises.", "奖励上升了。", "Награда растёт."],
    unsaid: "I expected that the reward rises.",
  },
  negative: {
    of: "kl",
    said: ["The KL is negative.", "KL 为负。", "KL は負の値です。"],
    unsaid: "Can it be? The KL is not negative.",
  },
  differs: {
    of: "logprobs",
    said: ["The logprobs do not match.", "logprobs 不一致。", "Les logprobs diffèrent."],
    unsaid: "The logprobs would differ.",
  },
  slows: {
    of: "training",
    said: ["Training gets slower and slower.", "训练越来越慢。", "学習がどんどん遅くなります。"],
    unsaid: "Training would get slower and slower.",
  },
  killed: {
    of: "training",
    said: ["Training was killed.", "训练被系统杀掉了。", "学習が強制終了されました。"],
    unsaid: "Training was never killed.",
  },
  overflows: {
    of: "grad_norm",
    said: ["The gradients overflow.", "梯度溢出。", "勾配がオーバーフローします。"],
    unsaid: "The gradients would overflow.",
  },
  frozen: {
    of: "parameters",
    said: ["I froze the parameters.", "参数冻结了。", "Die Gewichte sind eingefroren."],
    unsaid: "The parameters are not frozen.",
  },
  memorised: {
    of: "policy",
    said: ["The model memorised the training set.", "模型死记硬背。", "Модель заучила ответы наизусть."],
    unsaid: "Perhaps the model memorised the training set.",
  },
  forgets: {
    of: "policy",
    said: ["The model forgets everything.", "模型灾难性遗忘。", "モデルが忘却しています。"],
    unsaid: "The model could have forgotten, I wonder.",
  },
  hangs: {
    of: "training",
    said: ["Training hangs.", "训练卡死。", "학습이 멈춥니다."],
    unsaid: "Training never hangs.",
  },
  cheats: {
    of: "policy",
    said: ["The model cheats.", "模型在作弊。", "El modelo hace trampa."],
    unsaid: "The model does not cheat.",
  },
  same_everywhere: {
    of: "completions",
    said: [
      "It gives the same answer for every prompt.",
      "不管输入什么问题都是这个。",
      "どの質問でも返答が変わりません。",
    ],
    unsaid: "Maybe it gives the same answer for every prompt.",
  },
  identical: {
    of: "completions",
    said: ["The completions are identical.", "回答完全相同。", "Les réponses sont identiques."],
    unsaid: "The completions are not identical.",
  },
  garbled: {
    of: "completions",
    said: ["The outputs are gibberish.", "输出全是乱码。", "Ответы бессвязные."],
    unsaid: "The outputs are not gibberish.",
  },
  token_zero: {
    of: "completions",
    said: ["The outputs are only exclamation marks.", "输出全是感叹号。", "Die Ausgaben sind Ausrufezeichen."],
    unsaid: "Could the outputs be wrong? If the outputs are only exclamation marks I stop.",
  },
  empty: {
    of: "completions",
    said: ["The completions are empty.", "回答为空。", "Las respuestas están vacías."],
    unsaid: "The completions are not empty.",
  },
  repeats: {
    of: "completions",
    said: ["The completions repeat a phrase.", "回答一直在重复。", "出力がループします。"],
    unsaid: "The completions do not repeat.",
  },
  truncated: {
    of: "completions",
    said: ["The completions are truncated.", "回答被截断。", "Las respuestas están truncadas."],
    unsaid: "The completions are never truncated.",
  },
  correct: {
    of: "completions",
    said: ["The answers are correct.", "回答正确。", "Las respuestas son correctas."],
    unsaid: "The answers are not correct.",
  },
  wrong: {
    of: "completions",
    said: ["The answers are wrong.", "回答是错的。", "Die Antworten sind falsch."],
    unsaid: "The answers are not wrong.",
  },
  readable: {
    of: "completions",
    said: ["The completions are readable.", "输出通顺。", "出力は読めます。"],
    unsaid: "The completions are not readable.",
  },
  high: {
    of: "kl",
    said: ["The KL is very high.", "KL 过大。", "KL muy alta."],
    unsaid: "The KL might be too high.",
  },
  low: {
    of: "grad_norm",
    said: ["The gradient norm is tiny.", "梯度很小。", "勾配が非常に小さいです。"],
    unsaid: "The gradient norm should be tiny.",
  },
  at_maximum: {
    of: "reward",
    said: ["The reward is saturated.", "奖励一直是满分。", "La récompense est à son maximum."],
    unsaid: "The reward is not at its maximum.",
  },
};

/** What the author says of the run in a text. */
function sayings(text: string): string[] {
  return clausesOf([{ text, number: 1, ended: true }]).flatMap((clause) =>
    readClause(clause, "author", []).claims.filter(({ elsewhere }) => !elsewhere).map(({ subject, predicate }) =>
      `${subject}.${predicate}`
    )
  );
}

for (const [name, { of, said, unsaid }] of Object.entries(CASES)) {
  Deno.test(`PREDICATES.${name} is said in three languages, and not where it is denied, supposed or of another run`, () => {
    for (const sentence of said) {
      const found = sayings(sentence);
      assert(found.includes(`${of}.${name}`), `"${sentence}" says ${found.join(", ") || "nothing"}`);
    }
    assert(!sayings(unsaid).some((saying) => saying.endsWith(`.${name}`)), unsaid);
  });
}

Deno.test("a denial makes no claim the other way round, but for words that hold their own", () => {
  assert.deepEqual(sayings("The reward does not increase."), ["reward.constant"]);
  assert.deepEqual(sayings("The outputs are not gibberish."), []);
  for (
    const [name, { words, signs = "" }] of Object.entries(
      PREDICATES as Record<string, { words: string; signs?: string }>,
    )
  ) {
    assert(!/(?:^|\|)(?:\||$)/.test(words) && !/(?:^\||\|$|\|\|)/.test(signs), `an empty word in ${name}`);
  }
});
