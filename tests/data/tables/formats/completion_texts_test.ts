import assert from "node:assert/strict";
import { completionTexts } from "../../../../data/tables/formats/completion_texts.ts";
import { onePiece, tableOf } from "../../../../data/tables/mod.ts";

const table = (rows: number, perStep: number) =>
  onePiece(
    "completions",
    tableOf("completions", {
      train_step: Array.from({ length: rows }, (_, i) => 1 + Math.floor(i / perStep)),
      prompt_id: Array.from({ length: rows }, (_, i) => Math.floor(i % perStep / 4)),
      sample: Array.from({ length: rows }, (_, i) => i % 4),
      prompt: Array.from({ length: rows }, () => "1+1="),
      text: Array.from({ length: rows }, () => "a ```` <b>\n2"),
      reward: Array.from({ length: rows }, () => 1 / 3),
    }),
  );

Deno.test("completionTexts() shows some completions of an even choice of train steps, two of a prompt", () => {
  const texts = [...completionTexts(table(100 * 8, 8))];
  assert.deepEqual([texts.length, texts[0]!.trainStep, texts.at(-1)!.trainStep], [40, 1, 100]);
  assert.equal(texts[0]!.text.split("reward **0.3333**").length - 1, 4, "two prompts, two of each");
});

Deno.test("completionTexts() fences a text so that nothing in it is Markdown", () => {
  const { text } = [...completionTexts(table(1, 1))][0]!;
  assert.match(text, /`````\na ```` <b>\n2\n`````/);
});

Deno.test("completionTexts() of a table without texts says nothing", () => {
  assert.deepEqual([...completionTexts(onePiece("completions", tableOf("completions", { train_step: [1] })))], []);
});
