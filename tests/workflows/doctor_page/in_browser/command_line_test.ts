import assert from "node:assert/strict";
import { commandLine, diagnoseCommand } from "../../../../workflows/doctor_page/in_browser/command_line.ts";
import * as terminal from "../../../../workflows/terminal/command_line.ts";

Deno.test("commandLine() quotes as the terminal's does, and starts as the README has it", () => {
  const start = { here: "/p", project: "/p" };
  for (const words of [["export", "runs/a b"], ["x", "a'b", "$(rm)", "=c"], ["check", "./files"]]) {
    const [, ...want] = terminal.commandLine(words, start).split(" task ");
    assert.equal(commandLine(words), `deno task ${want.join("").replace(/^--config \S+ /, "")}`);
  }
});

Deno.test("diagnoseCommand() is what a person types where a page leaves something out", () => {
  assert.equal(diagnoseCommand("my run"), 'deno task diagnose "my run"');
});
