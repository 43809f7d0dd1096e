/** Copies of prompts, and a warm start that knows its rows. */
import assert from "node:assert/strict";
import { byHeart, copies } from "../../../../steps/diagnoses/view/by_heart.ts";
import { flat, group, ramp, viewOf } from "../synthetic.ts";

const prompts = (texts: readonly string[]) =>
  texts.flatMap((text, i) => group(text, ["4", "5"], [1, 0], { promptId: i, prompt: text }));

Deno.test("half of four prompts or more with the text of another are copies; of a foreign log the numbers are guessed", () => {
  const said = (texts: readonly string[], own = true) => copies(viewOf({ own, completions: prompts(texts) }));
  assert.match(said(["2+2", "2+2", "2+2", "1+3"])!.message, /^4 prompts of the train step have 2 different texts/);
  assert.match(said(["2+2", "2+2", "2+2", "2+2"])!.message, /1 different text$/);
  assert.equal(said(["2+2", "1+3", "2+2", "4+1"]), null);
  assert.equal(said(["2+2", "2+2", "2+2"]), null);
  assert.equal(said(["2+2", "2+2", "2+2", "1+3"], false), null);
});

Deno.test("a loss below a tenth with less than 30 % of the validation right is known by heart", () => {
  const said = (loss: number, accuracy: number) =>
    byHeart(viewOf({ own: true, algorithm: "sft", columns: { loss: ramp(2, loss, 30, 0), accuracy: flat(accuracy) } }));
  assert.match(said(0.09, 0.29)!.message, /^The loss is 0.09 and 29 % of the validation prompts are right/);
  assert.deepEqual([said(0.11, 0.29), said(0.09, 0.3)], [null, null]);
});
