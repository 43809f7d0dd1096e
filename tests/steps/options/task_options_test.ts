import assert from "node:assert/strict";
import { sourceIssues, taskOptions } from "../../../steps/options/task_options.ts";

const OWN = { task: null, file: null, limit: null };
const issues = (given: Record<string, unknown>) => {
  const found: string[] = [];
  sourceIssues(given, OWN, (path, message) => found.push(`${path.join(".")}: ${message}`));
  return found;
};

Deno.test("taskOptions() are the keys that the step has not", () => {
  assert.deepEqual(taskOptions({ task: "addition", digits: 2, limit: 5 }, OWN), { digits: 2 });
});

Deno.test("sourceIssues() wants one source and options that it has", () => {
  assert.deepEqual(issues({ task: "addition", digits: 2 }), []);
  assert.deepEqual(issues({ file: "a.jsonl" }), []);
  assert.match(issues({})[0]!, /neither a task nor a file/);
  assert.match(issues({ task: "addition", file: "a" })[0]!, /both a task and a file/);
  assert.match(
    issues({ task: "addition", digit: 2 })[0]!,
    /^digit: unknown key "digit" of task "addition"; did you mean "digits"/,
  );
  assert.match(issues({ task: "addition", digits: 99 })[0]!, /^digits: /);
  assert.deepEqual(issues({ fil: "a.jsonl" }).map((text) => text.slice(0, 40)), [
    'fil: unknown key "fil"; did you mean "file"?'.slice(0, 40),
  ]);
  assert.match(issues({ file: "a", limits: 2 })[0]!, /^limits: unknown key "limits"; did you mean "limit"/);
});
