import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { PROJECT } from "../../../workflows/terminal/caller.ts";
import { LONG, TEST_FLAGS, testArguments, testPrograms } from "../../../workflows/cli/test.ts";
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

Deno.test("testArguments() tells paths, from where the caller stands, from options and their values", () => {
  assert.deepEqual(testArguments([]), { paths: [], options: [] });
  assert.deepEqual(testArguments(["--filter", "tests"]), { paths: [], options: ["--filter", "tests"] });
  assert.deepEqual(testArguments(["--filter=x", "--fail-fast"]), { paths: [], options: ["--filter=x", "--fail-fast"] });
  const folder = join(PROJECT, "tests/steps");
  assert.deepEqual(testArguments([folder, "--filter", "a b"]), { paths: [folder], options: ["--filter", "a b"] });
  assert.throws(() => testArguments(["tests/stepz"]), /Cannot test "tests\/stepz": there is no such file or folder/);
  assert(TEST_FLAGS.includes("--no-prompt"));
});

Deno.test("testPrograms() imports every test file once, the folders that run long first, each in its own program", async () => {
  const root = await Deno.makeTempDir();
  try {
    const programs = [
      ["tests.steps", ["tests/steps/a_test.ts", "tests/steps/b_test.ts", "tests/steps/deep/c_test.ts"]],
      ["tests.steps.rewards", ["tests/steps/rewards/d_test.ts", "tests/steps/rewards/deep/e_test.ts"]],
      ["tests", ["tests/f_test.ts"]],
      ["tests.other", ["tests/other/deep/deeper/g_test.ts"]],
    ] as const;
    for (const file of [...programs.flatMap(([, files]) => files), "tests/steps/no_test_of_any.ts"]) {
      await Deno.mkdir(dirname(join(root, file)), { recursive: true });
      await Deno.writeTextFile(join(root, file), "");
    }
    const line = (file: string) => `import "${pathToFileURL(join(root, file)).href}";\n`;
    assert.deepEqual([...testPrograms(root)], programs.map(([name, files]) => [name, files.map(line).join("")]));
  } finally {
    await Deno.remove(root, { recursive: true });
  }
});

Deno.test("testPrograms() has a program for each folder that is said to run long", () => {
  const names = [...testPrograms(PROJECT).keys()];
  assert.deepEqual(names.slice(0, LONG.length), LONG.map((folder) => folder.replaceAll("/", ".")));
});
