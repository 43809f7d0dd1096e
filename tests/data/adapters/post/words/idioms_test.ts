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
  [
    "completions.identical",
    ["It gives me eight copies.", "像复制粘贴的一样。"],
    "It gives me eight texts.",
  ],
  [
    "completions.same_everywhere",
    ["Every prompt gets one single answer.", "不管输入什么都一样。"],
    "Every prompt gets an answer of its own.",
  ],
  ["completions.garbled", ["The answers make no sense.", "输出一堆垃圾。"], "The answers make sense."],
  ["completions.token_zero", ["It prints 0000000000.", "token ids 全是 0。"], "It prints 2026."],
  ["completions.empty", ["It returns an empty string.", "返回空串。"], "It returns a string."],
  [
    "completions.readable",
    ["The answers read well.", "文字读起来挺通顺。"],
    "The answers are many.",
  ],
  ["completions.correct", ["It solves all of the tasks.", "答对了，没有问题。"], "It sees all of the tasks."],
  [
    "completions.truncated",
    ["It breaks off in the middle of a word.", "还没写完就被截断。"],
    "It ends with a full stop.",
  ],
  [
    "logprobs.differs",
    ["The rollout log_probs diff is 0.4.", "训推不一致。"],
    "The rollout log_probs are those of the trainer.",
  ],
  ["parameters.frozen", ["The projector is still frozen.", "视觉编码器被冻结。"], "The projector is trained."],
  [
    "training.overflows",
    ["It cannot be converted to type at::Half without overflow.", "超出 fp16 范围。"],
    "It stays in its range.",
  ],
  ["loss_scale.low", ["The loss scale is at its minimum.", "loss scale 降到了 1。"], "The loss scale is 65536."],
  ["training.killed", ["It exits with code 137.", "进程被系统杀掉了。"], "It exits with code 0."],
  ["training.hangs", ["The job is stuck at step 3.", "卡在第 3 步。"], "The job is at step 3."],
  [
    "policy.forgets",
    ["MMLU dropped by 20 points.", "通用能力退化了。"],
    "MMLU is what it was.",
  ],
  ["training.cheats", ["It learned to game the judge.", "它学会了讨好 judge。"], "It learned to add."],
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
