import assert from "node:assert/strict";
import { join } from "node:path";
import { PROJECT } from "../../../workflows/terminal/caller.ts";
import { TEST_FLAGS, testArguments } from "../../../workflows/cli/test.ts";
import { commandLine } from "./command_line.ts";

Deno.test("test runs the named file only, from where the caller stands, with the options of deno test", async () => {
  const from = join(PROJECT, "tests/workflows/cli");
  const { code, out, err } = await commandLine(
    ["test", "last_line_test.ts", "--filter", "matrixLine", "--no-check"],
    from,
  );
  assert.equal(code, 0, out + err);
  // deno-lint-ignore no-control-regex
  const ran = out.replaceAll(/\x1b\[[0-9;]*m/g, "").split("\n").filter((line) => / \.\.\. ok/.test(line));
  assert(ran.length > 0, out);
  for (const line of ran) assert.match(line, /last_line_test\.ts => matrixLine/);
});

Deno.test("testArguments() takes all tests where no path is named, and paths from where the caller stands", () => {
  assert.deepEqual(testArguments([]), ["tests/"]);
  assert.deepEqual(testArguments(["--filter", "tests"]), ["--filter", "tests", "tests/"]);
  assert.deepEqual(testArguments(["--filter=x", "--fail-fast"]), ["--filter=x", "--fail-fast", "tests/"]);
  const folder = join(PROJECT, "tests/steps");
  assert.deepEqual(testArguments([folder, "--filter", "a b"]), [folder, "--filter", "a b"]);
  assert.throws(() => testArguments(["tests/stepz"]), /Cannot test "tests\/stepz": there is no such file or folder/);
  assert(TEST_FLAGS.includes("--no-prompt"));
});
