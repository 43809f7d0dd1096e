import assert from "node:assert/strict";
import { isSentence } from "../../../../data/adapters/prose/sentence.ts";

for (
  const line of [
    "The reward stays at zero and I do not know why.",
    "训练一百步以后奖励一直是零",
    "報酬がずっとゼロのままです",
    "보상이 계속 영으로 남아 있습니다",
    "La récompense reste nulle depuis le début ici.",
    "With reward=0.5 and kl=0.1 it looks fine to me, but is it right or not?",
    "मॉडल कुछ भी नहीं सीखता है और इनाम शून्य है",
  ]
) {
  Deno.test(`isSentence() is true of "${line.slice(0, 30)}…"`, () => assert(isSentence(line)));
}

for (
  const line of [
    "{'loss': 0.5, 'reward': 0.25}",
    "INFO engine one two three four five six",
    "[2025-01-01 10:00:00] one two three four five six",
    "UserWarning: one two three four five six seven",
    "Some weights of the model were not used at all here",
    "You're using a fast tokenizer. Please note that it is faster.",
    "12%|█ | 1/8 one two three four five six",
    "loss=0.5 kl=0.1 reward=0.2 entropy=0.1 all of it here now",
    "--beta 0.04 --num_generations 8 one two three four",
    "| step | reward | one two three four five six |",
    "too few words here",
    "",
  ]
) {
  Deno.test(`isSentence() is false of "${line.slice(0, 30)}…"`, () => assert(!isSentence(line)));
}

Deno.test("isSentence() takes as few words as it is told, and looks at the beginning of a line alone", () => {
  assert(isSentence("too few words here", 3));
  assert(isSentence("one two three four five six " + "x".repeat(1 << 20)));
});
