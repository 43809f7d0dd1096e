import assert from "node:assert/strict";
import { CHECKS, ok } from "../../../workflows/cli/ok.ts";
import { inProcess } from "./in_process.ts";

Deno.test("ok checks format, lint and types, then runs all tests as the command test does", () => {
  assert.deepEqual(Object.values(CHECKS).map(([name]) => name), ["fmt", "lint", "check", "task"]);
  assert.deepEqual(CHECKS.tests, ["task", "--quiet", "test", "--no-check"]);
  assert.deepEqual(ok.words, [0, 0]);
});

Deno.test("ok --help explains and runs nothing", async () => {
  const { code, out, err } = await inProcess(["ok", "--help"]);
  assert.equal(code, 0);
  assert.match(out, /^Everything that CI runs/);
  assert.equal(err, "");
});
