import assert from "node:assert/strict";
import { sameMath } from "../../../../data/tasks/verifiers/same_math.ts";

Deno.test("sameMath() compares values, and lists member by member", () => {
  const same = [["1/2", "0.5"], ["(1/2,3)", "(0.5,3.0)"], ["\\{3,1/2\\}", "\\{0.5,3\\}"], ["2,1", "1,2"], [
    "3 cm",
    "3",
  ]];
  const other = [
    ["(1,234)", "(1234)"],
    ["1234", "(1,234)"],
    ["(1,2)", "(2,1)"],
    ["(1,2)", "[1,2]"],
    ["7x", "7"],
    ["7pi", "7"],
    ["7 or 8", "7"],
    ["", ""],
    [
      "4e2",
      "4",
    ],
  ];
  for (const [a, b] of same) assert(sameMath(a!, b!), `${a} ${b}`);
  for (const [a, b] of other) assert(!sameMath(a!, b!), `${a} ${b}`);
});
