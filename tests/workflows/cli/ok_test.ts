import assert from "node:assert/strict";
import { CHECKS, ok } from "../../../workflows/cli/ok.ts";
import { PROJECT } from "../../../workflows/cli/paths.ts";

Deno.test("ok runs what the task of that name in deno.json runs, tests last", async () => {
  const { tasks } = JSON.parse(await Deno.readTextFile(`${PROJECT}/deno.json`));
  const commands = Object.values(CHECKS).map(([name]) => name);
  assert.deepEqual(commands, ["fmt", "lint", "check", "test"]);
  for (const command of commands) assert(tasks.ok.command.includes(command), command);
  for (const flag of CHECKS.tests.filter((arg) => arg.startsWith("--allow"))) {
    assert(tasks.test.command.includes(flag), flag);
  }
  assert.deepEqual(ok.words, [0, 0]);
});
