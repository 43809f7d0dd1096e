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
  ["parameters.zero", ["There are 0 trainable parameters.", "可训练参数：0。"], "There are 12 trainable parameters."],
] as const;

for (const [saying, texts, silent] of CASES) {
  Deno.test(`IDIOMS say ${saying} without another subject, and not "${silent}"`, () => {
    for (const text of texts) assert(sayings(text).includes(saying), `${text} says ${sayings(text)}`);
    assert(!sayings(silent).includes(saying), silent);
  });
}

Deno.test("each idiom is tried above", () => {
  const tried = new Set<string>(CASES.map(([saying]) => saying));
  const rest = IDIOMS.map(({ subject, predicate }) => `${subject}.${predicate}`).filter((one) => !tried.has(one));
  assert.deepEqual(rest.filter((one) => one !== "training.slows"), []);
  assert(sayings("Each step is slower than the step before.").includes("training.slows"));
});
