import assert from "node:assert/strict";
import { helpText } from "../../../workflows/cli/help_text.ts";
import { commandLine } from "../../../workflows/command_line.ts";
import { BREAD } from "./bread.ts";

Deno.test("helpText() names every option with its value and choices, and commands as the program was started", () => {
  const text = helpText(BREAD);
  const bake = commandLine(["bake"]);
  assert(text.includes(`\nUsage: ${bake} FLOUR [options]\n       ${bake} --old LOAF\n`), text);
  assert.match(text, /-t, --heat DEGREES {2,}how hot/);
  assert.match(text, /--kind KIND {2,}which: rye \| wheat/);
  assert.match(text, /-h, --help/);
  assert.match(text, /--version/);
  assert(text.endsWith(`\nA note.\n\nExamples:\n  ${bake} spelt -t 200`), text);
});

Deno.test("helpText() puts what an option does below it on a narrow terminal", () => {
  const lines = helpText(BREAD, 40).split("\n");
  assert.deepEqual(lines.slice(lines.indexOf("  -t, --heat DEGREES"))[1], "      how hot");
  for (const line of lines.filter((line) => !line.includes("bake"))) assert(line.length <= 40, line);
});
