/** Which verifier accepts what the one in force rejects. */
import assert from "node:assert/strict";
import { readerOf } from "../../../../steps/diagnoses/view/readers.ts";
import { flat, group, viewOf } from "../synthetic.ts";

const rejected = (verifier: string, texts: readonly string[], more: object = {}) =>
  readerOf(viewOf({
    own: true,
    verifier,
    completions: group("q", texts, flat(0, texts.length), {
      answer: "42",
      correct: false,
      rewards: { verifier: 0 },
      ...more,
    }),
  }));
const SAID = ["It is 42.", "The answer is 42.", "so 42", "no idea", "It is 41."];

Deno.test("readerOf() names the verifier that accepts a large share, with one that it accepts", () => {
  const reader = rejected("exact", SAID);
  assert.deepEqual([reader?.name, reader?.share, reader?.known, reader?.example.text], [
    "numeric",
    0.6,
    5,
    "It is 42.",
  ]);
});

Deno.test("readerOf() is silent where little is accepted, few are known, or the verifier is not what is rewarded", () => {
  assert.equal(rejected("exact", ["no", "41", "40", "39", "38", "It is 42."]), null);
  assert.equal(rejected("exact", SAID.slice(0, 3)), null);
  assert.equal(rejected("exact", SAID, { rewards: { mine: 0 } }), null);
  assert.equal(rejected("exact", SAID, { answer: null }), null);
  assert.equal(rejected("addition", SAID), null);
});
