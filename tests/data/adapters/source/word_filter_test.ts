import assert from "node:assert/strict";
import { WordFilter } from "../../../../data/adapters/source/word_filter.ts";
import { uniform } from "../../../../data/random.ts";

const WORDS = [
  "|",
  "%|",
  "nan",
  "step:",
  "out of memory",
  "No inf checks were recorded",
  "loss scale",
  "指标",
  "Mètre",
];
const PLAIN = "Saved the weights to the hub";

const groupsIn = (filter: WordFilter<string>, text: string) =>
  Object.keys(filter.bits).filter((group) => (filter.groupsIn(text) & filter.bits[group]!) !== 0);

Deno.test("WordFilter.groupsIn() misses no word, wherever it stands and in whatever case", () => {
  const filter = new WordFilter(Object.fromEntries(WORDS.map((word) => [word, [word]])));
  for (const word of WORDS) {
    for (const text of [word, `${word} ${PLAIN}`, `${PLAIN}${word}`, `${PLAIN} ${word.toUpperCase()}: ${PLAIN}`]) {
      assert(groupsIn(filter, text).includes(word), `"${word}" in "${text}"`);
    }
  }
});

Deno.test("WordFilter.groupsIn() misses no piece of a random text", () => {
  const draw = (at: number, most: number) => Math.floor(most * uniform(0, "word_filter", 0, 0, at));
  for (let round = 0; round < 300; round++) {
    const text = String.fromCharCode(...Array.from({ length: 40 }, (_, at) => 32 + draw(50 * round + at, 95)));
    const from = draw(50 * round + 41, 34), word = text.slice(from, from + 1 + draw(50 * round + 42, 6));
    assert.deepEqual(groupsIn(new WordFilter({ word: [word] }), text), ["word"], `"${word}" in "${text}"`);
  }
});

Deno.test("WordFilter.groupsIn() tells the groups of a text apart, and none of a text without their words", () => {
  const filter = new WordFilter({ death: ["out of memory", "Killed"], table: ["|"], foreign: ["指标"], empty: [] });
  assert.deepEqual(groupsIn(filter, PLAIN), []);
  assert.deepEqual(groupsIn(filter, ""), []);
  assert.deepEqual(groupsIn(filter, "CUDA out of memory"), ["death"]);
  assert.deepEqual(groupsIn(filter, "| a |"), ["table"]);
  assert.deepEqual(groupsIn(filter, "– a dash"), ["foreign"], "what is not ASCII may be any word that is not");
});

Deno.test("WordFilter.groupsIn() tells every group of a text that is too long to be looked through", () => {
  const filter = new WordFilter({ one: ["|"], two: ["loss"] });
  assert.deepEqual(groupsIn(filter, "a".repeat(1 << 17)), ["one", "two"]);
  assert.deepEqual(groupsIn(filter, "字".repeat(1 << 15)), ["one", "two"], "its bytes are more than its characters");
});

Deno.test("WordFilter refuses more groups than a number has bits", () => {
  const groups = Object.fromEntries(Array.from({ length: 33 }, (_, at) => [`g${at}`, ["a"]]));
  assert.throws(() => new WordFilter(groups), /Cannot tell 33 groups of words apart: want 32/);
});
