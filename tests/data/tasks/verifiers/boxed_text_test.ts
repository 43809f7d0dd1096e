import assert from "node:assert/strict";
import { lastBox } from "../../../../data/tasks/verifiers/boxed_text.ts";

Deno.test("lastBox() is what the last box holds, with its braces matched", () => {
  const cases: [string, string | null][] = [
    ["\\boxed{1} \\boxed{\\frac{1}{2}}.", "\\frac{1}{2}"],
    ["\\boxed{\\{1\\}}", "\\{1\\}"],
    ["\\boxed 42.", "42"],
    ["\\fbox {x}", "x"],
    ["\\boxed{1", null],
    ["\\boxedx{1}", null],
    ["boxed{1}", null],
  ];
  for (const [text, want] of cases) assert.equal(lastBox(text)?.inside ?? null, want, text);
  assert.deepEqual(lastBox("a \\boxed{7} b"), { inside: "7", start: 2, end: 11 });
});
