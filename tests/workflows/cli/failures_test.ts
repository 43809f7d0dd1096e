import assert from "node:assert/strict";
import { join } from "node:path";
import { UsageError } from "../../../workflows/terminal/usage_error.ts";
import { exitCodeOf, systemReason, withoutStack } from "../../../workflows/cli/failures.ts";
import { WorkflowError } from "../../../workflows/language/problems.ts";
import { DriftError, LockHeldError } from "../../../workflows/engine/run_plan.ts";

Deno.test("exitCodeOf() knows a person's mistakes from our bugs", () => {
  assert.equal(exitCodeOf(new UsageError("x")), 2);
  assert.equal(exitCodeOf(new WorkflowError([])), 2);
  assert.equal(exitCodeOf(new DriftError("r", ["seed is 2, was 1"])), 2);
  assert.equal(exitCodeOf(new LockHeldError("lock", null)), 75);
  assert.equal(exitCodeOf(new RangeError("Cannot load model")), 2);
  assert.equal(exitCodeOf(new TypeError("undefined is not a function")), undefined);
  assert.equal(exitCodeOf("text"), undefined);
});

Deno.test("what the system says of a path is one line in our words, and a full disk is no mistake of the person", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const file = join(folder, "file");
    Deno.writeTextFileSync(file, "");
    const said = (action: () => unknown) => {
      try {
        action();
      } catch (error) {
        assert.equal(exitCodeOf(error), 2);
        const line = withoutStack(error);
        assert.doesNotMatch(line, /os error|allow-|\n/);
        return line.replaceAll(folder, "~");
      }
      assert.fail("nothing was thrown");
    };
    assert.equal(
      said(() => Deno.readTextFileSync(join(folder, "none"))),
      'Cannot use "~/none": there is no such file or folder',
    );
    assert.equal(said(() => Deno.readTextFileSync(folder)), 'Cannot use "~": it is a folder');
    assert.equal(said(() => Deno.mkdirSync(file)), 'Cannot use "~/file": a file has that name');
    assert.equal(
      said(() => Deno.readDirSync(file)[Symbol.iterator]().next()),
      'Cannot use "~/file": a part of the path is a file',
    );
    assert.equal(
      said(() => {
        throw new Deno.errors.NotCapable('Requires all access to "/proc/x", run again with the --allow-all flag');
      }),
      'Cannot use "/proc/x": programs may not go there',
    );
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
  assert.equal(exitCodeOf(new Error("No space left on device (os error 28): write '/x'")), 1);
  assert.equal(systemReason(new Error("No space left on device (os error 28): write '/x'")), "no space left on device");
  assert.equal(systemReason(new Error("other")), null);
  assert.equal(withoutStack("text"), "text");
});

Deno.test("withoutStack() moves no terminal with a stranger's text", () => {
  assert.equal(withoutStack(new RangeError("Cannot read x:\n\x1b[2J\u202e")), "Cannot read x:\n\ufffd[2J\ufffd");
});

Deno.test("withoutStack() lets a file's name on the command line make no line of its own", () => {
  const name = "a\nok  b.yaml", error = new UsageError(`Cannot check "${name}": it is a folder\nwant a file`);
  assert.equal(withoutStack(error, ["check", name]), 'Cannot check "a⏎ok  b.yaml": it is a folder\nwant a file');
});
