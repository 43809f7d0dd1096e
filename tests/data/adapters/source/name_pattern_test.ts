import assert from "node:assert/strict";
import { namePattern } from "../../../../data/adapters/source/name_pattern.ts";

const CASES: readonly (readonly [pattern: string, fits: readonly string[], not: readonly string[]])[] = [
  ["*.log", ["a.log", ".log"], ["a.logs", "a-log"]],
  ["r?n", ["run", "r💥n"], ["rn", "ruun"]],
  ["run[0-9a]", ["run1", "runa"], ["runb", "run10"]],
  ["run[!0-9]", ["runa"], ["run1"]],
  ["run[^0-9]", ["runa"], ["run1"]],
  ["[]x]", ["]", "x"], ["["]],
  ["[a-]", ["a", "-"], ["b"]],
  ["run[1.md", ["run[1.md"], ["run1.md"]],
  ["run[z-a]*", [], ["run", "runm", "runz"]],
  ["a]*(b|c)+$", ["a](b|c)+$", "a]x(b|c)+$"], ["a]b"]],
  ["[]", ["[]"], [""]],
  ["**a**b*", ["ab", "xaxbx"], ["ba"]],
  ["[\\d]", ["d", "\\"], ["1"]],
];
for (const [pattern, yes, no] of CASES) {
  Deno.test(`namePattern() of ${pattern}`, () => {
    for (const name of yes) assert(namePattern(pattern)(name), name);
    for (const name of no) assert(!namePattern(pattern)(name), name);
  });
}

Deno.test("namePattern() of many stars ends on a long name", () => {
  assert(!namePattern(`${"*a".repeat(60)}b`)("a".repeat(250)));
});
