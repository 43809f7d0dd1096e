import assert from "node:assert/strict";
import type { PythonValue } from "../../../workflows/translate/python_builtins.ts";
import { pythonTokens } from "../../../workflows/translate/python_tokens.ts";
import { Expressions } from "../../../workflows/translate/python_values.ts";

const names = new Map<string, PythonValue>([["LR", 1e-6], ["cfg", { a: [1, 2] }], ["flag", true]]);
const value = (text: string) => new Expressions(pythonTokens(text), 0, (name) => names.get(name)).value();

Deno.test("value() evaluates literals, arithmetic, names, look-ups and f-strings", () => {
  const texts = [
    "2**3",
    "-1e-6",
    "LR * 2",
    "(1 + 2) * 3",
    "[1, 'a', None]",
    "{'a': 1, **{'b': 2}}",
    "cfg['a'][1]",
    "f'x/{LR}/{{y}}'",
    "'a' 'b'",
    "1 if flag else 2",
    "not flag",
    "1_000",
  ];
  assert.deepEqual(texts.map(value), [
    8,
    -1e-6,
    2e-6,
    9,
    [1, "a", null],
    { a: 1, b: 2 },
    2,
    "x/0.000001/{y}",
    "ab",
    1,
    false,
    1000,
  ]);
});

Deno.test("value() keeps the text of what it cannot know", () => {
  const texts = ["torch.bfloat16", "args.beta", "x == 1", "lambda x: x", "[i for i in y]", "f(1) + 2"];
  assert.deepEqual(
    texts.map(value).map((read) => typeof read === "object" && read !== null && "unresolved" in read),
    texts.map(() => true),
  );
  assert.deepEqual(value("torch.bfloat16"), { unresolved: "torch.bfloat16" });
});

Deno.test("value() ends on what is broken or deep", () => {
  for (const text of ["(", "[1,", "{'a'", "f(", "-", "a.", "[".repeat(5000), "1 if", "**", ")"]) {
    assert(value(text) !== undefined, text);
  }
});
