import assert from "node:assert/strict";
import { requiredParameters } from "../../../workflows/translate/python_functions.ts";
import { pythonTokens } from "../../../workflows/translate/python_tokens.ts";

const read = (text: string) => requiredParameters(pythonTokens(text), 0);

Deno.test("requiredParameters() are those without a default, whatever their types say", () => {
  const cases: [string, string, string[]][] = [
    ["def exact(completions, solution, **kw):\n  pass", "exact", ["completions", "solution"]],
    ["async def f(a: dict[str, int], *, b: int, c: float = 0.5, d=g(1, 2), e): ...", "f", ["a", "b", "e"]],
    ["def g(\n    self,\n    *args,\n    solution: list[str],\n) -> list[float]:", "g", ["self", "solution"]],
    ["def none(): ...", "none", []],
  ];
  for (const [text, name, parameters] of cases) assert.deepEqual(read(text), { name, parameters });
  assert.deepEqual([read("def f(a, b"), read("def"), read("lambda x: x")], [null, null, null]);
});
