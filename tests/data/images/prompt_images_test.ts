import assert from "node:assert/strict";
import { imagesIn, promptWithImages, textOfPrompt } from "../../../data/images/prompt_images.ts";

const [ONE, TWO] = [`${"1".repeat(32)}-4x4.png`, `${"2".repeat(32)}-640x480.jpg`];

Deno.test("promptWithImages() puts images before the text, and they are found again in order", () => {
  const prompt = promptWithImages('Find "7".\nAll.', [TWO, ONE, TWO]);
  assert.deepEqual(imagesIn(prompt), [TWO, ONE, TWO]);
  assert.equal(textOfPrompt(prompt), 'Find "7".\nAll.');
  assert.deepEqual(JSON.parse(prompt), [{
    role: "user",
    content: [
      { type: "image", image: TWO },
      { type: "image", image: ONE },
      { type: "image", image: TWO },
      { type: "text", text: 'Find "7".\nAll.' },
    ],
  }]);
});

Deno.test("imagesIn() looks through all messages, and finds none in what has none", () => {
  const system = { role: "system", content: "Be brief." };
  const user = {
    role: "user",
    content: [{ type: "text", text: "A" }, { type: "image", image: ONE }, { type: "text", text: "B" }],
  };
  const prompt = JSON.stringify([system, user, { role: "user", content: [{ type: "image", image: TWO }] }]);
  assert.deepEqual(imagesIn(prompt), [ONE, TWO]);
  assert.equal(textOfPrompt(prompt), "Be brief.\nA\nB");
  const blank = { role: "user", content: [{ type: "image", image: ONE }, { type: "text", text: " \n" }] };
  assert.equal(textOfPrompt(JSON.stringify([system, blank, user])), "Be brief.\nA\nB");
  const plain = [
    "",
    "3+5=",
    ONE,
    '[{"role":"user"',
    '[{"role":"user","content":"hi"}]',
    '[{"role":"user","content":null}, null, 3]',
    '[{"role":"user","content":[null, 1, "a", {"type":"image"}, {"type":"image","image":7}]}]',
    '[{"role":"user","content":[{"type":"image","image":"cat.png"}]}]',
    // What chat templates do not take for messages shows no image either.
    `[{"role":"user","content":[{"type":"image","image":"${ONE}"}]}, 5]`,
    `[{"role":"user","content":[{"type":"image","image":"${ONE}"}, {"type":"video"}]}]`,
    `[{"role":"user","content":[{"type":"image","image":"${ONE}"}]}, {"role":"assistant","content":"A"}]`,
    `[{"role":"user","content":"{\\"type\\":\\"image\\",\\"image\\":\\"${ONE}\\"}"}]`,
  ];
  for (const text of plain) {
    assert.deepEqual(imagesIn(text), [], text);
    assert.equal(textOfPrompt(text), text);
  }
});
