/** Gold answers in completions. */
import assert from "node:assert/strict";
import { goldAmongZero, goldOf, holdsGold } from "../../../../steps/diagnoses/view/gold.ts";
import { group, viewOf } from "../synthetic.ts";

Deno.test("goldOf() reads the answer column or computes the sum of the prompt", () => {
  const [row] = group("17+25=", ["x"], [0]);
  assert.equal(goldOf(row!), "42");
  assert.equal(goldOf({ ...row!, prompt: "What is 7*8?" }), "56");
  assert.equal(goldOf({ ...row!, answer: "so #### 12" }), "12");
  assert.equal(goldOf({ ...row!, prompt: "Name a fruit" }), null);
});

Deno.test("holdsGold() accepts the answer tag, the box and the last number only", () => {
  const [row] = group("17+25=", ["x"], [0]);
  const holds = (text: string) => holdsGold({ ...row!, text });
  assert.equal(holds("<answer> 42 </answer>"), true);
  assert.equal(holds("\\boxed{42}"), true);
  assert.equal(holds("17+25 is 42"), true);
  assert.equal(holds("42 or rather 43"), false);
  assert.equal(holdsGold({ ...row!, prompt: null }), null);
});

Deno.test("goldAmongZero() leaves out what scores and what lacks the wanted format", () => {
  const rows = group("1+2=", ["<answer>3</answer>", "3", "<answer>4</answer>", "<answer>3</answer>"], [0, 0, 0, 1]);
  const view = viewOf({
    completions: rows.map((row, i) => ({ ...row, rewards: { accuracy: row.reward, format: i === 1 ? 0 : 1 } })),
  });
  const { known, share, scored } = goldAmongZero(view);
  assert.deepEqual([known, share, scored], [2, 0.5, 1]);
});

Deno.test("holdsGold() takes a completion that is the gold answer, however short", () => {
  const of = (text: string) => holdsGold(group("?", [text], [0], { answer: "no" })[0]!);
  assert.deepEqual(["no", " No. ", "not so", "nothing"].map(of), [true, true, false, false]);
});

Deno.test("holdsGold() looks for no word of two letters in a text: any text has it", () => {
  const of = (answer: string) => holdsGold(group("?", ["it is a cat"], [0], { answer })[0]!);
  assert.deepEqual(["at", "cat"].map(of), [false, true]);
});
