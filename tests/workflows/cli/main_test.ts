import assert from "node:assert/strict";
import { commandLine } from "./command_line.ts";
import { COMMANDS } from "../../../workflows/cli/mod.ts";
import { helpText } from "../../../workflows/cli/command.ts";

Deno.test("every command has its own name, one line about it, and a help that fits 100 columns", async () => {
  for (const [name, load] of Object.entries(COMMANDS)) {
    const command = await load();
    assert.equal(command.name, name);
    assert(!command.about.includes("\n"));
    for (const line of helpText(command).split("\n")) assert(line.length <= 100, `${name}: ${line}`);
  }
});

Deno.test("main suggests the command that was meant, exit 2", async () => {
  const { code, out, err } = await commandLine(["rnu"]);
  assert.equal(code, 2);
  assert.equal(out, "");
  assert.match(err, /^Cannot run "rnu": it is no command; did you mean "run"\?/);
});

Deno.test("main prints the list of commands", async () => {
  const { code, out } = await commandLine(["--help"]);
  assert.equal(code, 0);
  for (const name of Object.keys(COMMANDS)) assert.match(out, new RegExp(`^  ${name} `, "m"));
});
