import assert from "node:assert/strict";
import {
  completionMessages,
  completionText,
  messagesIn,
  messagesText,
  shownMessages,
  shownPrompt,
  withoutImages,
} from "../../../data/datasets/messages.ts";

Deno.test("messagesIn() finds the list that messagesText() kept, and one written in a cell of CSV", () => {
  const messages = [{ role: "system", content: "x" }, { role: "user", content: 'a "b"\n' }];
  assert.deepEqual(messagesIn(messagesText(messages)), messages);
  assert.deepEqual(messagesIn(' [ { "content": "1+1?", "role": "user", "name": "me" } ]'), [
    { role: "user", content: "1+1?" },
  ]);
});

Deno.test("messagesIn() leaves a text alone that is none", () => {
  for (
    const text of ["1+1=", "[1, 2, 3]", '[{"role": "user"}]', '[{"role": "user", "content": ', '{"role":"user"}', ""]
  ) {
    assert.equal(messagesIn(text), null, text);
  }
});

Deno.test("completionText() keeps messages that answer a prompt, completionMessages() finds them again", () => {
  const messages = [{ role: "assistant", content: "Blue." }];
  assert.deepEqual(completionMessages(completionText(messages)), messages);
  assert.equal(completionMessages("Blue."), null);
  assert.equal(completionMessages('[{"role": "a note'), null);
  assert.throws(() => completionText([]), /its list of messages is empty/);
});

Deno.test("shownMessages() and shownPrompt() write a conversation for a person, and leave everything else", () => {
  const list = [{ role: "system", content: "Be short." }, { role: "user", content: "1+1?" }];
  const shown = "system: Be short.\nuser: 1+1?";
  assert.equal(shownMessages(list), shown);
  assert.equal(shownMessages([{ from: "human", value: "hi" }]), "user: hi");
  assert.equal(shownMessages({ role: ["user"], content: ["hi"] }), "user: hi");
  for (const value of [null, 3, "a", [], ["a"], [{ role: "user", content: 3 }], { a: 1 }]) {
    assert.equal(shownMessages(value), null);
  }
  assert.equal(shownPrompt(messagesText(list)), shown);
  for (const text of ["1+1?", '[{"role":', ""]) assert.equal(shownPrompt(text), text);
});

Deno.test("messagesText() keeps images of the store among texts, refuses others, and shownPrompt() shows where they are", () => {
  const image = `${"0".repeat(32)}-4x4.png`;
  const list = [{
    role: "user",
    content: [{ type: "image", image, detail: "high" }, { type: "text", text: "Which?" }],
  }];
  const kept = messagesText(list);
  assert.deepEqual(messagesIn(kept), [
    { role: "user", content: [{ type: "image", image }, { type: "text", text: "Which?" }] },
  ]);
  assert.equal(shownPrompt(kept), "user: [image] Which?");
  for (const part of [{ type: "image", image: "cat.png" }, { type: "image" }, { type: "video", video: image }]) {
    assert.throws(() => messagesText([{ role: "user", content: [part] }]), /message 1 of its list is/);
  }
  const broken = [{ type: "image", image }, { type: "text", text: "\ud800" }];
  assert.throws(
    () => messagesText([{ role: "user", content: broken }]),
    /message 1 of its list holds a lone surrogate/,
  );
});

Deno.test("withoutImages() leaves the texts of messages, wherever their images lie", () => {
  const content = [{ type: "image_url", image_url: { url: "https://a.b" } }, { type: "text", text: "Which?" }];
  assert.deepEqual(withoutImages([{ role: "user", content }, null, { role: "system", content: "A" }]), [
    { role: "user", content: [{ type: "text", text: "Which?" }] },
    null,
    { role: "system", content: "A" },
  ]);
});
