/** `test`: the tests, all of them or those in the files and folders that are named. @module */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { pathArgument, PROJECT } from "../terminal/caller.ts";
import { stderr } from "../terminal/terminal.ts";
import { defineCommand } from "./command.ts";
import { UsageError } from "../terminal/usage_error.ts";
import { PERMISSIONS } from "./install.ts";

/** What the tests are allowed, and how they are told; servers of their own stand in for the Hub. */
export const TEST_FLAGS = [...PERMISSIONS, "--allow-net=127.0.0.1", "--no-prompt", "--quiet", "--parallel"] as const;

/** Options of `deno test` whose value is a word of its own. */
const WITH_VALUE = ["--filter", "--reporter", "--junit-path", "--ignore", "--log-level", "-L"];

export const test = defineCommand({
  about: "The tests: all of them, or those in the files and folders that are named",
  usage: "[PATH...] [--filter TEXT] [other options of deno test]",
  words: [0, Infinity],
  options: {},
  passesOn: true,
  examples: ["", "tests/steps/rewards", 'tests/steps --filter "verifier"'],
  run: (words) => runTests(words),
});

/** Runs what the words name: all tests folder by folder, named ones file by file. Returns the exit code. */
export async function runTests(words: readonly string[], deno = runDeno): Promise<number> {
  const { paths, options } = testArguments(words);
  if (paths.length > 0) return await deno(["test", ...TEST_FLAGS, ...options, ...paths]);
  if (options.some((word) => word.startsWith("--ignore"))) {
    return await deno(["test", ...TEST_FLAGS, ...options, "tests/"]);
  }
  // Deno remembers which files it has checked, by their paths, and those of the programs are new ones each time.
  const checks = !options.some((word) => /^--(?:no-)?check(?:=|$)/.test(word));
  const types = checks ? deno(["check", "--quiet", "tests/"]) : 0;
  const programs = writePrograms();
  try {
    const tests = await deno(["test", ...TEST_FLAGS, ...(checks ? ["--no-check"] : []), ...options, ...programs.paths]);
    if (await types !== 0) stderr.line(stderr.style("The types of the tests are wrong: see above", "red"));
    return tests || await types;
  } finally {
    await Deno.remove(programs.folder, { recursive: true });
  }
}

async function runDeno(args: readonly string[]): Promise<number> {
  return (await new Deno.Command(Deno.execPath(), { args: [...args], cwd: PROJECT }).spawn().status).code;
}

/** The paths among the words, as the caller's folder has them, and the other words. */
export function testArguments(words: readonly string[]): { paths: string[]; options: string[] } {
  const paths: string[] = [], options: string[] = [];
  words.forEach((word, i) => {
    if (word.startsWith("-") || WITH_VALUE.includes(words[i - 1] ?? "")) return options.push(word);
    const path = pathArgument(word);
    if (!word.includes("*") && !existsSync(path)) {
      throw new UsageError(`Cannot test "${word}": there is no such file or folder`);
    }
    paths.push(path);
  });
  return { paths, options };
}

/** Folders of tests that run long, with what is in them and has no program of its own: the longest first. */
export const LONG = [
  "tests/workflows/end_to_end",
  "tests/workflows/cli",
  "tests/steps",
  "tests/bench",
  "tests/workflows/engine",
  "tests/data",
  "tests/gpu",
  "tests/workflows/cli/scaffold",
  "tests/steps/rewards",
  "tests/workflows/repair",
  "tests/workflows/library",
  "tests/workflows/preflight",
  "tests/gpu/ort", // short, but opens runtimes of other settings than those that other tests keep open
] as const;

/**
 * The programs by their names, the longest first: one per folder that runs long, and one for what remains of each folder
 * of tests. For most files, to load the project takes longer than their tests.
 */
export function testPrograms(root: string): Map<string, string> {
  const programs = new Map<string, string>(LONG.map((folder) => [folder, ""]));
  const walk = (folder: string, program: string): void => {
    const entries = [...Deno.readDirSync(join(root, folder))].sort((a, b) => a.name < b.name ? -1 : 1);
    for (const { name } of entries.filter(({ name }) => name.endsWith("_test.ts"))) {
      const line = `import ${JSON.stringify(pathToFileURL(join(root, folder, name)).href)};\n`;
      programs.set(program, (programs.get(program) ?? "") + line);
    }
    for (const { name } of entries.filter(({ isDirectory }) => isDirectory)) {
      const inner = `${folder}/${name}`, own = folder === "tests" || programs.has(inner);
      walk(inner, own ? inner : program);
    }
  };
  walk("tests", "tests");
  return new Map(
    [...programs].filter(([, text]) => text !== "").map(([name, text]) => [name.replaceAll("/", "."), text]),
  );
}

function writePrograms(): { folder: string; paths: string[] } {
  const folder = Deno.makeTempDirSync();
  const paths = Array.from(testPrograms(PROJECT), ([name, text]) => {
    const path = join(folder, `${name}_test.ts`);
    Deno.writeTextFileSync(path, text);
    return path;
  });
  return { folder, paths };
}
