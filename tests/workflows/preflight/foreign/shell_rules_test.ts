/** Scripts that the shell refuses or breaks at every line, beside those of other kinds. */
import assert from "node:assert/strict";
import { launchesOf } from "../../../../workflows/preflight/foreign/read_launch.ts";
import { FOREIGN_RULES } from "../../../../workflows/preflight/foreign/mod.ts";
import type { Hit } from "../../../../workflows/preflight/foreign/rule.ts";
import { SHELL_RULES } from "../../../../workflows/preflight/foreign/shell_rules.ts";
import { testRules } from "./cases.ts";

testRules(SHELL_RULES);

const SCRIPT = "python grpo.py \\\n  --learning_rate 1e-6 \\\n  --num_generations 8\n";

/** The hits of a rule on a text of that name: severity and line. */
function hits(rule: string, text: string, path = "run.sh"): string[] {
  const entry = FOREIGN_RULES[rule]!;
  return launchesOf(path, text).flatMap((launch) => {
    const found = "check" in entry ? entry.check(launch) : null;
    return [found ?? []].flat().map((one) => `${(one as Hit).severity ?? entry.severity} ${(one as Hit).at}`);
  });
}

Deno.test("windows_line_ends is an error where a backslash goes on, else a warning, and none in a batch file", () => {
  const windows = SCRIPT.replaceAll("\n", "\r\n");
  assert.deepEqual(hits("windows_line_ends", windows), ["error 1"]);
  assert.deepEqual(hits("windows_line_ends", windows.replaceAll("\\\r\n", " ")), ["warning 1"]);
  assert.deepEqual(hits("windows_line_ends", windows, "run.cmd"), []);
  assert.deepEqual(hits("windows_line_ends", SCRIPT), []);
});

Deno.test("quote_left_open is an error in a script, and nothing in a text that people write", () => {
  const open = SCRIPT.replace("1e-6", '"1e-6');
  assert.deepEqual(hits("quote_left_open", open), ["error 2"]);
  assert.deepEqual(hits("quote_left_open", open, "notes.txt"), []);
  assert.deepEqual(hits("quote_left_open", SCRIPT), []);
});

const LOOK_ALIKES: readonly (readonly [rule: string, from: string, to: string])[] = [
  ["space_after_backslash", "1e-6 \\", "1e-6 \\\u00a0"],
  ["space_after_backslash", "1e-6 \\", "1e-6 \\\u3000"],
  ["typographic_characters", "--learning_rate", "\uff0d\uff0dlearning_rate"],
  ["typographic_characters", "--learning_rate", "\u2212\u2212learning_rate"],
  ["typographic_characters", "rate 1e", "rate\uff1d1e"],
  ["typographic_characters", "rate 1e", "rate\u00a01e"],
];

for (const [rule, from, to] of LOOK_ALIKES) {
  Deno.test(`${rule} takes ${JSON.stringify(to)} for what it is, outside of quotes and comments`, () => {
    const text = SCRIPT.replace(from, to);
    assert.deepEqual(hits(rule, text), ["error 2"]);
    assert.deepEqual(hits(rule, SCRIPT), []);
    assert.deepEqual(hits(rule, `# ${to}\n${SCRIPT}`), []);
  });
}

Deno.test("typographic_characters leaves blanks and signs in a quoted text alone", () => {
  assert.deepEqual(hits("typographic_characters", `${SCRIPT.trimEnd()} --system "a\u00a0b \uff0d\uff0dc"\n`), []);
});
