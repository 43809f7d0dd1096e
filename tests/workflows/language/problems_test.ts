import assert from "node:assert/strict";
import {
  formatIssue,
  formatPath,
  refuse,
  toIssues,
  WorkflowError,
  type WorkflowSource,
} from "../../../workflows/language/problems.ts";

const SOURCE: WorkflowSource = {
  file: "a.yaml",
  text: "one: 1\n\ttwo: 2\nthree: 3",
  locate: ({ path }) => ({ one: { line: 1, column: 6 }, two: { line: 2, column: 2 } })[String(path[0])] ?? null,
};

Deno.test("toIssues() sorts by place and drops repetitions", () => {
  const problems = [{ path: ["two"], message: "b" }, { path: ["one"], message: "a" }, { path: ["two"], message: "b" }];
  assert.deepEqual(toIssues(problems, SOURCE).map(({ message }) => message), ["a", "b"]);
});

Deno.test("WorkflowError prints file:line:column, the line and a caret under the column", () => {
  const error = new WorkflowError(toIssues([{ path: ["one"], message: "wrong" }], SOURCE));
  assert.equal(error.message, "a.yaml:1:6: wrong\n    1 | one: 1\n      |      ^");
  assert(error instanceof SyntaxError);
  assert.equal(error.name, "WorkflowError");
});

Deno.test("formatIssue() keeps tabs before the caret, so that it stands under its column", () => {
  const [issue] = toIssues([{ path: ["two"], message: "wrong" }], SOURCE);
  assert.equal(formatIssue(issue!), "a.yaml:2:2: wrong\n    2 | \ttwo: 2\n      | \t^");
});

Deno.test("formatIssue() cuts a long line around the caret", () => {
  const text = `${"x".repeat(300)}Y${"z".repeat(300)}`;
  const source = { file: "a.yaml", text, locate: () => ({ line: 1, column: 301 }) };
  const lines = formatIssue(toIssues([{ path: [], message: "wrong" }], source)[0]!).split("\n");
  assert.equal(lines[1]![lines[2]!.indexOf("^")], "Y");
  assert(lines[1]!.length < 140);
});

Deno.test("formatIssue() lets a file's own text write no line of its own and move nothing", () => {
  const source = { ...SOURCE, file: "a\nb.yaml", text: "one: 1\x1b[2J\u009b1m" };
  const [issue] = toIssues([{ path: ["one"], message: "wrong\nok  a.yaml\x1b[2J" }], source);
  assert.equal(
    formatIssue(issue!),
    "a⏎b.yaml:1:6: wrong⏎ok  a.yaml\ufffd[2J\n    1 | one: 1\ufffd[2J\ufffd1m\n      |      ^",
  );
});

Deno.test("formatIssue() names the path where there is no file text", () => {
  const source = { file: "a.ts", text: null, locate: () => null };
  const [issue] = toIssues([{ path: ["steps", 4, "with", "x"], message: "wrong" }], source);
  assert.equal(formatIssue(issue!), "a.ts: steps[4].with.x: wrong");
});

Deno.test("formatPath() writes indices in brackets", () => {
  assert.equal(formatPath(["steps", 0, "steps", 12, "if"]), "steps[0].steps[12].if");
});

Deno.test("refuse() throws only when there is a problem", () => {
  refuse([], SOURCE);
  assert.throws(() => refuse([{ path: ["one"], message: "m" }], SOURCE), WorkflowError);
});
