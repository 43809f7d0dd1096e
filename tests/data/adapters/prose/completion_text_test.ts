import assert from "node:assert/strict";
import { readFiles } from "../read_text.ts";

const texts = async (text: string) => (await readFiles({ "completions.txt": text })).completions.map((one) => one.text);

Deno.test("CompletionText takes one completion per line where nothing parts them", async () => {
  assert.deepEqual(await texts("one\ntwo\nthree\n"), ["one", "two", "three"]);
});

Deno.test("CompletionText parts completions at empty lines or at rules", async () => {
  assert.deepEqual(await texts("first\nsecond line\n\nother\n"), ["first\nsecond line", "other"]);
  assert.deepEqual(await texts("--- step 1 ---\na\nb\n--- step 2 ---\nc\n"), ["a\nb", "c"]);
});

Deno.test("CompletionText reads prompts, gold answers and rewards by their words; nan stays NaN", async () => {
  const { completions } = await readFiles({
    "completions.txt":
      "Prompt: 1+1=\nCompletion: the answer\nis 2\nSolution: 2\nReward: 1.0\nPrompt: 2+2=\nCompletion: no\nReward: nan\n",
  });
  assert.deepEqual(completions.map(({ prompt, text, answer, reward }) => [prompt, text, answer, reward]), [
    ["1+1=", "the answer\nis 2", "2", 1],
    ["2+2=", "no", null, NaN],
  ]);
});
