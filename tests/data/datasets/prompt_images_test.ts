import assert from "node:assert/strict";
import { imagesIn, markedText, promptWithImages, textOfPrompt } from "../../../data/datasets/prompt_images.ts";

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

Deno.test("markedText() has a mark where an image stands within a text, and none for those before it", () => {
  const image = (image: string) => ({ type: "image", image }), text = (text: string) => ({ type: "text", text });
  const asked = (...content: unknown[]) => JSON.stringify([{ role: "user", content }]);
  // The row's first place is within what is said where another follows a text.
  const within = asked(image(ONE), text(" and "), image(TWO), text(": same?"));
  assert.equal(markedText(within), "[image 1] and [image 2]: same?");
  assert.equal(markedText(asked(text("In "), image(ONE), text(", find 7."))), "In [image], find 7.");
  assert.equal(markedText(asked(text("What is this?"), image(ONE))), "What is this?[image]");
  assert.equal(markedText(promptWithImages("Find 7.\nAll.", [ONE, TWO])), "Find 7.\nAll.");
  const before = [{ role: "system", content: "Be brief." }, { role: "user", content: [image(ONE), text("7?")] }];
  assert.equal(markedText(JSON.stringify(before)), "Be brief.\n7?");
  assert.equal(markedText(asked(image(ONE))), "");
  assert.equal(markedText("1+1="), "1+1=");
});
