import assert from "node:assert/strict";
import { start } from "../../../workflows/cli/start.ts";
import { inProcess } from "./in_process.ts";

Deno.test("start is the run of first_run.yaml, with the options of run", async () => {
  const { code, out, err } = await inProcess(["start", "--dry-run", "-p", "train_steps=5"]);
  assert.equal(code, 0, err);
  assert.match(out, /^first_run {2}/);
  assert.match(out, /repeat 5 times/);
  assert.deepEqual(start.words, [0, 0]);
});

Deno.test("start takes no file", async () => {
  const { code, err } = await inProcess(["start", "mine.yaml"]);
  assert.equal(code, 2);
  assert.match(err, /^Cannot run "start": it got 1 word, want none; usage: start \[options\]$/m);
});
