import assert from "node:assert/strict";
import { join } from "node:path";
import { pathArgument, PROJECT, runsFolder } from "../../../workflows/terminal/paths.ts";

Deno.test("runsFolder() is the project's own, or what --runs says from where the caller stands", () => {
  assert.equal(runsFolder(), join(PROJECT, "runs"));
  assert.equal(runsFolder("mine"), pathArgument("mine"));
});
