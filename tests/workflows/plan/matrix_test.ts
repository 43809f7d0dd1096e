import assert from "node:assert/strict";
import { cellName, expandMatrix } from "../../../workflows/plan/matrix.ts";

Deno.test("expandMatrix() without a matrix is one empty combination", () => {
  assert.deepEqual(expandMatrix(undefined), { combinations: [{}], problems: [] });
});

Deno.test("expandMatrix() multiplies the axes, the last one fastest", () => {
  assert.deepEqual(expandMatrix({ a: [1, 2], b: ["x", "y"] }).combinations, [
    { a: 1, b: "x" },
    { a: 1, b: "y" },
    { a: 2, b: "x" },
    { a: 2, b: "y" },
  ]);
});

Deno.test("expandMatrix() excludes by partial agreement", () => {
  const { combinations } = expandMatrix({ a: [1, 2], b: [3, 4], exclude: [{ a: 1, b: 3 }, { a: 2 }] });
  assert.deepEqual(combinations, [{ a: 1, b: 4 }]);
});

Deno.test("expandMatrix() includes as the GitHub documentation's example does", () => {
  // docs.github.com, "Expanding or adding matrix configurations"
  const { combinations } = expandMatrix({
    fruit: ["apple", "pear"],
    animal: ["cat", "dog"],
    include: [
      { color: "green" },
      { color: "pink", animal: "cat" },
      { fruit: "apple", shape: "circle" },
      { fruit: "banana" },
      { fruit: "banana", animal: "cat" },
    ],
  });
  assert.deepEqual(combinations, [
    { fruit: "apple", animal: "cat", color: "pink", shape: "circle" },
    { fruit: "apple", animal: "dog", color: "green", shape: "circle" },
    { fruit: "pear", animal: "cat", color: "pink" },
    { fruit: "pear", animal: "dog", color: "green" },
    { fruit: "banana" },
    { fruit: "banana", animal: "cat" },
  ]);
});

Deno.test("expandMatrix() with include alone", () => {
  assert.deepEqual(expandMatrix({ include: [{ a: 1 }, { a: 2 }] }).combinations, [{ a: 1 }, { a: 2 }]);
});

Deno.test("expandMatrix() refuses an unknown axis in exclude, an empty rest and too many runs", () => {
  assert.match(
    expandMatrix({ seed: [1], exclude: [{ sed: 1 }] }).problems[0]!.message,
    /unknown matrix axis "sed"; did you mean "seed"/,
  );
  assert.match(expandMatrix({ a: [1], exclude: [{ a: 1 }] }).problems[0]!.message, /no combination left/);
  const many = Array.from({ length: 17 }, (_, index) => index);
  assert.match(expandMatrix({ a: many, b: many }).problems[0]!.message, /has 289 combinations, want at most 256/);
  assert.deepEqual(expandMatrix({ a: many.slice(1), b: many.slice(1) }).problems, []);
});

Deno.test("cellName() is the combination of a matrix", () => {
  assert.equal(cellName({ learning_rate: 1e-3, task: "addition" }), "learning_rate=0.001 task=addition");
  assert.equal(cellName({}), "");
});
