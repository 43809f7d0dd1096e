import assert from "node:assert/strict";
import { clausesOf } from "../../../../../data/adapters/post/clauses.ts";
import { readClause } from "../../../../../data/adapters/post/read_clause.ts";
import { IDIOMS } from "../../../../../data/adapters/post/words/idioms.ts";

const sayings = (text: string) =>
  clausesOf([{ text, number: 1, ended: true }]).flatMap((clause) =>
    readClause(clause, "author", []).claims.map(({ subject, predicate }) => `${subject}.${predicate}`)
  );

const CASES = [
  [
    "labels.zero",
    ["All labels are -100.", "标签全是 -100。", "todas las etiquetas son -100."],
    "Some labels are -100.",
  ],
  [
    "adapter.constant",
    ["The adapter is byte-identical to the first one.", "适配器没有任何变化。", "Веса не изменились."],
    "The adapter changed a little.",
  ],
  [
    "parameters.not_finite",
    ["There are NaNs in the weights.", "权重里有 NaN。", "重みに NaN。"],
    "No NaNs in the weights.",
  ],
  ["logprobs.not_finite", ["The logits are NaN.", "logits 全为 nan。"], "The logits are large."],
  [
    "adapter.empty",
    ["adapter_model.bin is only 443 bytes.", "adapter_model.bin 只有 443 字节。"],
    "adapter_model.bin is 160 MB.",
  ],
  [
    "completion_length.high",
    ["The responses are exceptionally long.", "回复特别长。", "応答が長すぎる。"],
    "The responses are fine.",
  ],
  [
    "completion_length.rises",
    ["The answers are three times as long.", "Its lengths have doubled.", "长度翻了四倍。"],
    "The answers are as long as before.",
  ],
  [
    "completions.repeats",
    ["It keeps saying the same sentence.", "Всё идёт по кругу.", "一句话反复说。"],
    "It says another sentence.",
  ],
  [
    "policy.memorised",
    ["It gives back the training answers word for word.", "训练集一字不差地背。"],
    "It gives training answers.",
  ],
  [
    "evaluation.low",
    ["It fails on anything new.", "没见过的题都不会。", "新しい質問に答えられない。"],
    "It does well on anything new.",
  ],
  ["parameters.zero", ["There are 0 trainable parameters.", "可训练参数：0。"], "There are 12 trainable parameters."],
  [
    "training.slows",
    ["Each step is slower than the step before.", "It went from 3 s to 40 s per step."],
    "Each step takes as long as the step before.",
  ],
] as const;

for (const [saying, texts, silent] of CASES) {
  Deno.test(`IDIOMS say ${saying} without another subject, and not "${silent}"`, () => {
    for (const text of texts) assert(sayings(text).includes(saying), `${text} says ${sayings(text)}`);
    assert(!sayings(silent).includes(saying), silent);
  });
}

Deno.test("each idiom is tried above, and nothing else", () => {
  const idioms = new Set(IDIOMS.map(({ subject, predicate }) => `${subject}.${predicate}`));
  assert.deepEqual(CASES.map(([saying]) => saying).toSorted(), [...idioms].toSorted());
});
