import assert from "node:assert/strict";
import { labelOf } from "../../../../../data/adapters/post/told_runs/run_labels.ts";

const shown = (text: string) => {
  const label = labelOf(text, null);
  return label === null ? null : `${label.kind} ${label.value}${label.isFurther ? " further" : ""}`;
};

Deno.test("labelOf() reads what a clause calls its run by", () => {
  for (
    const [text, wanted] of [
      ["Seed 2", "seed 2"],
      ["but seeds 0 and 1 converge", "seed 0 and 1"],
      ["种子2 每次都", "seed 2"],
      ["Run B", "run b"],
      ["On the H100 box grad_norm is NaN", "machine h100"],
      ["The other one collapsed", "run 2 further"],
      ["One of them is fine", "run 1"],
      ["with lr=1e-4 it diverges", "setting lr 1e-4"],
      ["Mit fp16 wird der Loss NaN", "precision fp16"],
      ["Qwen2.5-7B", "model qwen2.5-7b"],
      ["A: the reward rises", "letter a"],
      ["Orange has NaN", "line orange"],
      ["第二次跑到 200 步", "run 2 further"],
    ] as const
  ) assert.equal(shown(text), wanted, text);
});

Deno.test("labelOf() takes no count of steps and no word within a sentence for a run", () => {
  for (
    const text of [
      "The first 100 steps are fine",
      "Model 3 epochs long",
      "I use seed 42 everywhere",
      "A reward of 0",
      "the loss is flat",
    ]
  ) assert.equal(shown(text), null, text);
});

Deno.test("labelOf() reads a value alone behind a setting", () => {
  const first = labelOf("with lr 1e-4 it diverges", null);
  assert.equal(labelOf("with 1e-5 it trains well", first)?.value, "1e-5");
  assert.equal(labelOf("with 8 gpus it trains well", first), null);
  assert.equal(labelOf("with 1e-5 it trains well", null), null);
});

Deno.test("labelOf() reads long clauses in time that grows with them", () => {
  for (const part of ["with lr ", "seed 1 and ", "Qwen-", "in trl 1."]) labelOf(part.repeat(20_000), null);
});
