import assert from "node:assert/strict";
import { pythonTokens } from "../../../workflows/translate/python_tokens.ts";

Deno.test("pythonTokens() reads names, numbers, texts of every kind and operators, with their lines", () => {
  const tokens = pythonTokens('a = 1e-6 # note\nb = f"x{a}" r\'\\n\' """two\nlines"""\n(c,\n d) **= 2');
  assert.deepEqual(tokens.filter(({ kind }) => kind !== "newline").map(({ text }) => text), [
    "a",
    "=",
    "1e-6",
    "b",
    "=",
    "x{a}",
    "\\n",
    "two\nlines",
    "(",
    "c",
    ",",
    "d",
    ")",
    "**=",
    "2",
  ]);
  assert.deepEqual(tokens.filter(({ text }) => text === "c" || text === "d").map(({ line }) => line), [4, 5]);
  assert.deepEqual(tokens.filter(({ formatted }) => formatted).map(({ text }) => text), ["x{a}"]);
});

Deno.test("pythonTokens() ends on what is broken", () => {
  for (const text of ['"open', '"""open', "(((", "'\\", "\u0000", "é = §"]) assert(pythonTokens(text).length > 0);
});
