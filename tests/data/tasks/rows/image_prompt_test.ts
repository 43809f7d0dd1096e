import assert from "node:assert/strict";
import { imagePrompt } from "../../../../data/tasks/rows/image_prompt.ts";

const id = (source: unknown) => `${String(source).repeat(32)}-4x4.png`;
const made = (prompt: string | readonly unknown[], ...sources: string[]) => imagePrompt(prompt, { sources, read: id });
const image = (source: string) => ({ type: "image", image: id(source) });
const text = (text: string) => ({ type: "text", text });
const user = (...content: unknown[]) => ({ role: "user", content });

Deno.test("imagePrompt() puts images before a text without places, and into its places in order", () => {
  assert.deepEqual(JSON.parse(made("Which?", "a", "b")), [user(image("a"), image("b"), text("Which?"))]);
  assert.deepEqual(JSON.parse(made("<image>\nIs it <image>?", "a", "b")), [
    user(image("a"), text("\nIs it "), image("b"), text("?")),
  ]);
  assert.equal(made("Which?"), "Which?");
});

Deno.test("imagePrompt() fills the parts of messages: the row's next image, or the one that a part names", () => {
  const system = { role: "system", content: "Be brief." };
  assert.deepEqual(JSON.parse(made([system, user({ type: "image" }, text("A"), { type: "image_url" })], "a", "b")), [
    system,
    user(image("a"), text("A"), image("b")),
  ]);
  const named = [{ type: "image", image: "a" }, { type: "image_url", image_url: { url: "b" } }, {
    type: "image",
    path: "c",
  }];
  assert.deepEqual(JSON.parse(made([user(...named, text("A"))])), [
    user(image("a"), image("b"), image("c"), text("A")),
  ]);
  assert.deepEqual(JSON.parse(made([{ from: "human", value: "<image>\nA" }], "a")), [user(image("a"), text("\nA"))]);
  assert.deepEqual(JSON.parse(made([system, { role: "user", content: "A" }], "a")), [
    system,
    user(image("a"), text("A")),
  ]);
  assert.deepEqual(JSON.parse(made([user(text("A"), text("B"))])), [{ role: "user", content: "AB" }]);
});

Deno.test("imagePrompt() refuses more and fewer places than images, and what could be meant in two ways", () => {
  const cases: readonly (readonly [() => string, RegExp])[] = [
    [() => made("<image><image>", "a"), /^its prompt has 2 places for images and the row 1 image, want as many/],
    [() => made("<image>", "a", "b"), /^its prompt has 1 place for images and the row 2 images/],
    [() => made("<image>"), /^its prompt has 1 place for images and the row 0 images/],
    [() => made([user({ type: "image" })]), /^its prompt has 1 place/],
    [() => made([user({ type: "image", image: "a" })], "b"), /its messages name their images, and the row has others/],
    [
      () =>
        made(
          [{ role: "user", content: "A" }, { role: "assistant", content: "B" }, { role: "user", content: "C" }],
          "a",
        ),
      /no place for images and more than one is the user's; write <image>/,
    ],
    [() => made("is <|image_pad|> here?", "a"), /^its text holds <\|image_pad\|>, which the chat template puts/],
    [() => made([user({ type: "image" }, text("<|vision_start|>"))], "a"), /^its text holds <\|vision_start\|>/],
    [() => made([user({ type: "video", video: "a.mp4" }, { type: "image" })], "a"), /message 1 of its list is/],
  ];
  for (const [make, want] of cases) {
    assert.throws(make, (error: Error) => error instanceof RangeError && want.test(error.message));
  }
});
