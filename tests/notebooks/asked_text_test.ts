import assert from "node:assert/strict";
import { promptWithImages } from "../../data/datasets/prompt_images.ts";
import { askedText } from "../../notebooks/asked_text.ts";

Deno.test("askedText() is the text beside the images, messages with their roles, and a plain prompt as it is", () => {
  const id = `${"0".repeat(32)}-56x56.png`;
  assert.equal(askedText(promptWithImages("Find all 7s.", [id])), "Find all 7s.");
  const content = [{ type: "text", text: "Is " }, { type: "image", image: id }, { type: "text", text: " a 7?" }];
  assert.equal(askedText(JSON.stringify([{ role: "user", content }])), "Is [image] a 7?");
  assert.equal(askedText(JSON.stringify([{ role: "user", content: "2+2?" }])), "user: 2+2?");
  assert.equal(askedText("1+1="), "1+1=");
});
