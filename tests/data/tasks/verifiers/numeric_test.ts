import assert from "node:assert/strict";
import { numeric } from "../../../../data/tasks/verifiers/numeric.ts";
import { assertJudged, LONG } from "./judged.ts";

Deno.test("numeric.problem() names an answer without a number", () => {
  const options = numeric.params.parse({});
  assert.equal(numeric.problem("none", options, {}), "has no number that stands for itself");
  assert.equal(numeric.problem("so 1e400", options, {}), "has no number that stands for itself");
  assert.equal(numeric.problem("so 3", options, {}), null);
  for (const text of ["3/4", "10-12", "42k", "3 million"]) {
    assert.equal(numeric.problem(text, options, {}), "has no number that stands for itself", text);
  }
});

Deno.test("numeric.verify() compares relative to the larger number, also below 1", () => {
  assertJudged(numeric, [
    ["42.00001", "42", true],
    ["42.0001", "42", false],
    ["1.0000001e-7", "1e-7", true],
    ["0", "1e-7", false],
    ["9e-7", "1e-7", false],
    ["-1e-7", "1e-7", false],
    ["1e-7", "0", false],
    ["0.0", "0", true],
    ["42 1e400", "42", false],
    ["1e-400", "1e-7", false],
  ]);
});

Deno.test("numeric.verify() refuses a number that is scaled or a part of a range, a choice or a fraction", () => {
  const texts = [
    "10-12",
    "10\u201312",
    "10 to 12",
    "10 or 12",
    "12k",
    "12 K",
    "12 million",
    "12kk",
    "$12M",
    "10/12",
    "10*12",
  ];
  assertJudged(numeric, texts.flatMap((text) => ["10", "12"].map((answer) => [text, answer, false] as const)));
  for (
    const text of [
      "12\u00a0million",
      "12 grand",
      "12\u2009k",
      "10:12",
      "minus 12",
      "negative 12",
      "\u221212",
      "\u201312",
    ]
  ) {
    assertJudged(numeric, [[text, "12", false]]);
  }
  assertJudged(numeric, [["so \u221212", "-12", true], ["１２", "12", true], ["Question 3: 12", "12", true]]);
  assertJudged(numeric, [["12 kg", "12", true], ["so 10-12 is -2", "-2", true], ["12 is it", "12", true]]);
});

Deno.test("numeric.verify() takes what is near in all with absolute_tolerance", () => {
  const cases = [["0", "1e-7", true], ["9e-7", "1e-7", true], ["2e-6", "1e-7", false]] as const;
  assertJudged(numeric, cases, { tolerance: 0, absolute_tolerance: 1e-6 });
});

Deno.test("numeric.verify() ends soon on texts of 1 MB", () => {
  for (const text of [...LONG, "1 ".repeat(500_000), "1-".repeat(500_000), "1".repeat(1_000_000)]) {
    numeric.verify!(text, { answer: "7" }, numeric.params.parse({}));
  }
});
