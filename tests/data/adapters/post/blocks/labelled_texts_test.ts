import assert from "node:assert/strict";
import { holdLabelled, labelledTexts } from "../../../../../data/adapters/post/blocks/labelled_texts.ts";
import { Intake } from "../../../../../data/adapters/intake/intake.ts";

function completions(...texts: string[]) {
  const intake = new Intake();
  intake.openSource("post.md", "post", 0);
  const taken = labelledTexts(intake, texts.map((text, i) => ({ text, number: i + 1, ended: true })));
  assert.equal(taken, intake.completions.length > 0);
  return intake.completions.map(({ line, text, prompt, cut }) => ({ line, text, prompt, cut }));
}

for (
  const [asked, told] of [
    ["Human: hello there", "Assistant: hi to you"],
    ["问题：一加一", "回答：等于二呢"],
    ["質問：何ですか", "出力：そうです"],
    ["질문: 무엇", "답변: 그것입니다"],
    ["Question : quoi", "Réponse : cela"],
    ["вопрос: что", "ответ: вот это"],
    ["> **Prompt 2**: what", "- **Output 3**: that one"],
    ["[user]: what", "[model output]: that"],
  ] as const
) {
  Deno.test(`labelledTexts() takes the completion of "${told}" with what was asked`, () => {
    const text = told.replace(/^[^:：]*[:：]\s*/, ""), prompt = asked.replace(/^[^:：]*[:：]\s*/, "");
    assert.deepEqual(completions(asked, told), [{ line: 2, text, prompt, cut: false }]);
  });
}

Deno.test("labelledTexts() goes on up to the next label or an empty line, and sees where a text is cut", () => {
  assert.deepEqual(completions("output: one", "and more ...", "", "not of it", "output: two"), [
    { line: 1, text: "one\nand more ...", prompt: null, cut: true },
    { line: 5, text: "two", prompt: null, cut: false },
  ]);
});

for (
  const gold of ["Solution", "gold", "Ground truth", "GT box", "标准答案", "答案", "正解", "정답", "Lösung", "эталон"]
) {
  Deno.test(`labelledTexts() takes what stands behind "${gold}:" for the answer that was wanted`, () => {
    const intake = new Intake();
    intake.openSource("post.md", "post", 0);
    const texts = [
      "output: [120, 45, 388, 290]",
      `${gold}: [0.21, 0.11,`,
      "0.62, 0.55]",
      "",
      `${gold}: of no completion`,
    ];
    labelledTexts(intake, texts.map((text, i) => ({ text, number: i + 1, ended: true })));
    assert.deepEqual(intake.completions.map(({ text, answer }) => [text, answer]), [
      ["[120, 45, 388, 290]", "[0.21, 0.11,\n0.62, 0.55]"],
    ]);
  });
}

Deno.test("labelledTexts() takes no answer that stands far behind a completion", () => {
  for (const [line, answer] of [[30, "twelve"], [60, null]] as const) {
    const intake = new Intake();
    intake.openSource("post.md", "post", 0);
    labelledTexts(intake, [{ text: "output: fourteen", number: 1, ended: true }]);
    labelledTexts(intake, [{ text: "Ground truth: twelve", number: line, ended: true }]);
    assert.deepEqual(intake.completions.map((completion) => completion.answer), [answer], `line ${line}`);
  }
});

Deno.test("labelledTexts() takes no figure, no single letter, and nothing without a label", () => {
  assert.deepEqual(completions("output: 0.5", "", "answer: x", "", "The output is fine"), []);
  assert.equal(holds("The output of my run: none"), false);
  assert.equal(holds(" ".repeat(30_000) + "x"), false);
});

/** Whether a completion stands behind one of the lines. */
function holds(...texts: string[]): boolean {
  return holdLabelled(texts.map((text, i) => ({ text, number: i + 1, ended: true })));
}

Deno.test("holdLabelled() takes a sentence that goes on in a second line for no label", () => {
  const broken = [
    "With that nothing happens, it trains through. I put hooks",
    "on the model: the first overflow is there",
  ];
  assert.equal(holds(...broken), false);
  assert.equal(holds(broken[0]!, "", "model: the first"), true);
  assert.equal(holds("With that nothing happens, it trains through. I put hooks.", broken[1]!), true);
  assert.equal(holds("With that nothing happens, it trains through. I put hooks on the", "model: the first"), false);
  assert.equal(holds("what is it?", "model output: the first"), true);
});

/** Completions with the answer that was wanted and what they were paid. */
const paid = (...texts: string[]) => {
  const intake = new Intake();
  intake.openSource("post.md", "post", 0);
  labelledTexts(intake, texts.map((text, i) => ({ text, number: i + 1, ended: true })));
  return intake.completions.map(({ text, answer, reward }) => ({ text, answer, reward }));
};

for (
  const [told, wanted, reward] of [
    ['Completion: "It is 42."', 'Ground truth: "42"', "Reward: 0.0"],
    ["输出：是 42。", "标准答案：42", "奖励：0"],
    ["出力：42 です。", "正解：42", "報酬：0"],
    ["출력: 42입니다.", "정답: 42", "보상: 0"],
    ["Réponse : c'est 42.", "Réponse attendue : 42", "Récompense : 0"],
    ["Ausgabe: Es ist 42.", "Richtige Antwort: 42", "Belohnung: 0,0"],
    ["Respuesta: es 42.", "Respuesta correcta: 42", "Recompensa: 0"],
    ["Resposta: é 42.", "Resposta esperada: 42", "Recompensa: 0"],
    ["Ответ: это 42.", "Правильный ответ: 42", "Награда: 0"],
  ] as const
) {
  Deno.test(`labelledTexts() keeps "${wanted}" and "${reward}" apart from the text`, () => {
    const text = told.replace(/^[^:：]*[:：]\s*/, "").replaceAll('"', "");
    assert.deepEqual(paid(told, wanted, reward), [{ text, answer: "42", reward: 0 }]);
    assert.deepEqual(paid(wanted, told), [{ text, answer: "42", reward: null }]);
  });
}

Deno.test("labelledTexts() gives each text its own answer", () => {
  assert.deepEqual(paid("output: one", "expected: uno", "output: two", "expected: due"), [
    { text: "one", answer: "uno", reward: null },
    { text: "two", answer: "due", reward: null },
  ]);
  assert.deepEqual(paid("ground truth: 42"), []);
});
