import assert from "node:assert/strict";
import type { Command } from "../../../workflows/cli/command.ts";
import { helpText } from "../../../workflows/cli/help_text.ts";
import { COMMANDS } from "../../../workflows/cli/mod.ts";
import { commandLine } from "../../../workflows/terminal/command_line.ts";
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

Deno.test("helpText() of every command fits into 80 columns, but for examples, which are pasted whole", async () => {
  for (const load of Object.values<() => Promise<Command>>(COMMANDS)) {
    const command = await load(), lines = helpText(command, 80).split("\n");
    const text = lines.slice(0, lines.includes("Examples:") ? lines.indexOf("Examples:") : undefined);
    // A program that was started from elsewhere has a long name.
    const room = 80 + Math.max(0, commandLine([]).length - "deno task".length);
    for (const line of text) assert(line.length <= (line.includes(commandLine([command.name])) ? room : 80), line);
  }
});

Deno.test("helpText() of no command leaves a sign alone on the last line of what it does", async () => {
  for (const load of Object.values<() => Promise<Command>>(COMMANDS)) {
    const text = helpText(await load(), 80), about = text.slice(0, text.indexOf("\n\n")).split("\n");
    assert(about.at(-1)!.length > 3, about.join("\n"));
  }
});
