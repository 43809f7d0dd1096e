import assert from "node:assert/strict";
import { isOnlyDefinition } from "../../../workflows/translate/python_definitions.ts";
import { pythonTokens } from "../../../workflows/translate/python_tokens.ts";

const isOnly = (text: string, line = 1) => isOnlyDefinition(pythonTokens(text), "f", line);

Deno.test("isOnlyDefinition() knows the definition of a line, and what reads its name", () => {
  assert(isOnly("def f(a):\n  return a\nprint(f, [f])\ng = f\nf(1)\nf.name = 2\na.f = 3\nh(f=f)\n"));
  assert(isOnly("async def f(a):\n  return a\n"));
  assert(isOnly("from a import *\ndef f(a):\n  return a\n", 2));
});

Deno.test("isOnlyDefinition() is false where the name may be something else", () => {
  for (
    const after of [
      ...[
        "def f(): pass",
        "f = 1",
        "f += 1",
        "f, a = b",
        "(f, a) = b",
        "f: int = 1",
        "if x:\n  f = 1",
        "del f",
        "global f",
      ],
      ...["import f", "from f import a", "from a import f", "import a as f", "from a import *", "class f: pass"],
      ...["def g(f): pass", "def g(a=f): pass", "lambda f: 1", "for f in a: pass", "print(f := 2)"],
    ]
  ) assert(!isOnly(`def f(a):\n  return a\n${after}\n`), after);
  assert(!isOnly("class A:\n  def f(a):\n    return a\n", 2));
  assert(!isOnly("@cached\ndef f(a):\n  return a\n", 2));
  assert(!isOnly('"""\ndef f(a):\n  return a\n"""\n', 2));
});
