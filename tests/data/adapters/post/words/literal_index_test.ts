import assert from "node:assert/strict";
import { LiteralIndex } from "../../../../../data/adapters/post/words/literal_index.ts";

Deno.test("LiteralIndex.in() gives what a text holds one text of each need of, in the order of its owner", () => {
  const index = new LiteralIndex<string>();
  index.add("loss", 2, [["zero"], ["loss", "perte"]]);
  index.add("loss", 0, [["loss"]]);
  index.add("loss", 1, [["zeros", "z"]]);
  index.add("kl", 0, [["散度"]]);
  index.add("any", 0, []);
  const found = (text: string) => Object.fromEntries(index.in(text));
  assert.deepEqual(found("the perte is zero"), { any: [0], loss: [1, 2] });
  assert.deepEqual(found("zero is the loss"), { any: [0], loss: [0, 1, 2] });
  assert.deepEqual(found("KL散度"), { any: [0], kl: [0] });
  assert.deepEqual(found("los"), { any: [0] }, "a text that is cut is none");
  assert.deepEqual(found(""), { any: [0] });
});

Deno.test("LiteralIndex.in() tells texts with the same first letters apart, of any length", () => {
  const index = new LiteralIndex<string>(), texts = ["a", "ab", "abc", "abcd", "abcde", "abcdf", "bcdf", "𝒜b", "b"];
  for (const text of texts) index.add(text, 0, [[text]]);
  for (const text of [...texts, "xabcdfx", "a b c", "𝒜"]) {
    const wanted = texts.filter((one) => text.includes(one)).sort();
    assert.deepEqual([...index.in(text).keys()].sort(), wanted, text);
  }
});

Deno.test("LiteralIndex.in() forgets the text before", () => {
  const index = new LiteralIndex<string>();
  index.add("both", 0, [["reward"], ["zero"]]);
  assert.equal(index.in("reward zero").size, 1);
  assert.equal(index.in("reward").size, 0);
  assert.equal(index.in("zero").size, 0);
});
