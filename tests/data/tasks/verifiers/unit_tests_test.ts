import assert from "node:assert/strict";
import { unitTests } from "../../../../data/tasks/verifiers/unit_tests.ts";

const ANSWER = '{"fn_name":"add","inputs":[[1,2]],"outputs":[3]}', OPTIONS = unitTests.params.parse({});

Deno.test("unitTests.program() takes the fenced block that has the function, the last of several", () => {
  const code = (text: string) => unitTests.program!(text, { answer: ANSWER }, OPTIONS)?.code ?? null;
  const fence = (inside: string, language = "") => `\`\`\`${language}\n${inside}\n\`\`\`\n`;
  assert.equal(code("function add() {}"), "function add() {}");
  assert.equal(
    code(`${fence("let add = 1", "js")}${fence("const add = 2", "ts")}${fence("add(1)")}`),
    "const add = 2\n",
  );
  for (
    const text of ["", fence("def add(): pass", "python"), fence("function adder() {}"), "```js\nfunction add() {}"]
  ) {
    assert.equal(code(text), null, text);
  }
  assert.equal(unitTests.program!("x", { answer: ANSWER }, { ...OPTIONS, timeout_seconds: 0.5 })!.milliseconds, 500);
});

Deno.test("unitTests.problem() names tests that cannot be run", () => {
  const problem = (answer: string) => unitTests.problem(answer, OPTIONS, { answer });
  assert.equal(problem(ANSWER), null);
  const cases: [string, RegExp][] = [
    ["assert add(1, 2) == 3", /^holds no tests: it is not JSON.*; want \{"fn_name": NAME/],
    ['["assert add(1, 2) == 3"]', /^holds no tests: it is a list; want \{"fn_name": NAME, "inputs": \[\[/],
    ["3", /: it is 3; want/],
    ["{}", /fn_name/],
    [ANSWER.replace("add", "a b"), /fn_name: want the name of a function/],
    [ANSWER.replace("[3]", "[]"), /different lengths/],
    [ANSWER.replace("[[1,2]]", "[1]"), /inputs\.0/],
  ];
  for (const [answer, says] of cases) assert.match(problem(answer)!, says);
});
