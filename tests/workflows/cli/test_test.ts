import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { PROJECT } from "../../../workflows/terminal/caller.ts";
import { LONG, runTests, TEST_FLAGS, testArguments, testPrograms } from "../../../workflows/cli/test.ts";
import { commandLine } from "./command_line.ts";
import { captured } from "./in_process.ts";

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

/** What runTests() starts, without flags of every run and files of tests, and its exit code. */
async function started(words: readonly string[], codes: { test: number; check: number }) {
  const calls: string[][] = [];
  const deno = ([command, ...args]: readonly string[]) => {
    calls.push([command!, ...args.filter((word) => !TEST_FLAGS.includes(word as never) && !word.endsWith("_test.ts"))]);
    return Promise.resolve(codes[command as "test" | "check"]);
  };
  const { code, err } = await captured(() => runTests(words, deno));
  return { code, calls, err };
}

const CHECK = ["check", "tests/"];
const GOOD = { test: 0, check: 0 };

Deno.test("runTests() checks types once beside all tests, unless the caller says whether, or leaves some out", async () => {
  for (
    const [words, calls] of [
      [[], [CHECK, ["test", "--no-check"]]],
      [["-L", "debug"], [CHECK, ["test", "--no-check", "-L", "debug"]]],
      [["--no-check"], [["test", "--no-check"]]],
      [["--check"], [["test", "--check"]]],
      [["--ignore=x"], [["test", "--ignore=x", "tests/"]]],
      [["--ignore", "x"], [["test", "--ignore", "x", "tests/"]]],
    ] as const
  ) {
    assert.deepEqual(await started(words, GOOD), { code: 0, calls, err: "" });
  }
});

Deno.test("runTests() fails when a test fails, and when the types are wrong", async () => {
  const wrong = await started([], { test: 0, check: 1 });
  assert.deepEqual([wrong.code, wrong.err], [1, "The types of the tests are wrong: see above\n"]);
  assert.equal((await started([], { test: 2, check: 0 })).code, 2);
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
