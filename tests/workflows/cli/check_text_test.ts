import assert from "node:assert/strict";
import type { Severity } from "../../../data/severity.ts";
import { oneExamined } from "../doctor/one_examined.ts";
import { configurationLines } from "../../../workflows/cli/check_text.ts";

const problem = (severity: Severity, message: string, change: readonly string[] = []) => ({
  ...{ file: "/x/run.sh", line: 4, column: 3, cause: "x", rule: "flag_twice", severity, message, change },
});
const linesOf = (problems: readonly ReturnType<typeof problem>[], columns = 100, live = false) =>
  configurationLines(
    { examined: oneExamined({ path: "/x/run.sh" }), problems, cannotTell: [] },
    false,
    { style: (text) => text, columns, live },
  );

Deno.test("configurationLines() has the rule of each finding, and begins every message with a small letter but for names", () => {
  const [first, second, verdict] = linesOf([
    problem("warning", "The learning rate is 1"),
    problem("error", "KTO needs a micro-batch above 1"),
  ]);
  assert.match(first!, /run\.sh:4:3: warning: the learning rate is 1 \[flag_twice\]$/);
  assert.match(second!, /: error: KTO needs a micro-batch above 1 \[flag_twice\]$/);
  assert.match(verdict!, /^doubtful {2}.*, 2 problems$/);
});

Deno.test("configurationLines() counts a remark as none of the problems", () => {
  assert.match(linesOf([problem("info", "a remark")]).at(-1)!, /^ok {2}.*, no problems, 1 remark$/);
  assert.match(linesOf([problem("warning", "x"), problem("info", "y")]).at(-1)!, /^doubtful .*, 1 problem, 1 remark$/);
  assert.match(linesOf([]).at(-1)!, /^ok {2}.*, no problems$/);
});

Deno.test("configurationLines() wraps sentences to a terminal, and nothing that is copied or piped", () => {
  const long = "words that go on and on ".repeat(8).trim(), copied = `--option ${"value ".repeat(20)}`.trim();
  const all = [problem("warning", long, [copied, `${long}.`])];
  const live = linesOf(all, 60, true);
  assert(
    live.filter((line) => line.length > 60).every((line) => line.includes("--option") || line.startsWith("doubtful")),
  );
  assert.equal(
    live.slice(0, -1).join(" ").replace(/\s+/g, " "),
    linesOf(all).slice(0, -1).join(" ").replace(/\s+/g, " "),
  );
  assert.equal(linesOf(all).length, 4);
});
