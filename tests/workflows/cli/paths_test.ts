import assert from "node:assert/strict";
import { join } from "node:path";
import { callerFolder, pathArgument, PROJECT, runsFolder, shownPath } from "../../../workflows/cli/paths.ts";

Deno.test("paths are relative to the caller's folder in INIT_CWD, else to the current one", () => {
  const before = Deno.env.get("INIT_CWD");
  try {
    Deno.env.set("INIT_CWD", "/some/where");
    assert.equal(pathArgument("a/../b.yaml"), "/some/where/b.yaml");
    assert.equal(pathArgument("/abs/c"), "/abs/c");
    assert.equal(pathArgument("-"), "-");
    assert.equal(runsFolder("mine"), "/some/where/mine");
    assert.equal(runsFolder(), join(PROJECT, "runs"));
    assert.equal(shownPath("/some/where/b.yaml"), "b.yaml");
    assert.equal(shownPath("/some/wherever/b.yaml"), "/some/wherever/b.yaml");
    Deno.env.delete("INIT_CWD");
    assert.equal(callerFolder(), Deno.cwd());
  } finally {
    if (before === undefined) Deno.env.delete("INIT_CWD");
    else Deno.env.set("INIT_CWD", before);
  }
});
