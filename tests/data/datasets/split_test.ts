import assert from "node:assert/strict";
import { contentFraction, hashOrder, splitOf } from "../../../data/datasets/split.ts";

const FRACTIONS = { train: 0.7, validation: 0.2, held_out: 0.1 };
const CONTENTS = Array.from({ length: 20_000 }, (_, i) => `${i % 100}+${Math.floor(i / 100)}`);

Deno.test("splitOf() gives each split its fraction", () => {
  const counts = { train: 0, validation: 0, held_out: 0 };
  for (const content of CONTENTS) counts[splitOf(content, FRACTIONS)]++;
  // Five standard deviations of a binomial share of 20,000.
  for (const [split, count] of Object.entries(counts)) {
    const p = FRACTIONS[split as keyof typeof FRACTIONS];
    assert(Math.abs(count / 20_000 - p) < 5 * Math.sqrt(p * (1 - p) / 20_000), `${split} ${count}`);
  }
});

Deno.test("splitOf() keeps what is held out when only the validation share changes", () => {
  for (const content of CONTENTS.slice(0, 1000)) {
    const held = splitOf(content, FRACTIONS) === "held_out";
    assert.equal(splitOf(content, { train: 0.9, validation: 0, held_out: 0.1 }) === "held_out", held);
  }
});

// From an implementation of FNV-1a and murmur3's fmix32 in Python.
Deno.test("contentFraction() is the same for ever: a changed hash would move prompts between splits", () => {
  assert.deepEqual(["", "a", "38+47", "é"].map((text) => Math.floor(contentFraction(text) * 2 ** 32)), [
    2872998923,
    444641715,
    4058057580,
    2387039943,
  ]);
});

Deno.test("hashOrder() keeps the rows and mixes them", () => {
  const mixed = hashOrder(CONTENTS, (content) => content);
  assert.deepEqual([...mixed].sort(), [...CONTENTS].sort());
  const mean = mixed.slice(0, 500).reduce((sum, content) => sum + Number(content.split("+")[1]), 0) / 500;
  assert(Math.abs(mean - 99.5) < 5 * 57.7 / Math.sqrt(500), `${mean}`);
});
