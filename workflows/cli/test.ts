/** `test`: the tests, all of them or those in the files and folders that are named. @module */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { pathArgument, PROJECT } from "../terminal/caller.ts";
import { stderr } from "../terminal/terminal.ts";
import { defineCommand, UsageError } from "./command.ts";
import { PERMISSIONS } from "./install.ts";

/** What the tests are allowed, and how they are told. */
export const TEST_FLAGS = [...PERMISSIONS, "--no-prompt", "--quiet", "--parallel"] as const;

/** Options of `deno test` whose value is a word of its own. */
const WITH_VALUE = ["--filter", "--reporter", "--junit-path", "--ignore", "--log-level", "-L"];

export const test = defineCommand({
  about: "The tests: all of them, or those in the files and folders that are named",
  usage: "[PATH...] [--filter TEXT] [other options of deno test]",
  words: [0, Infinity],
  options: {},
  passesOn: true,
  examples: ["", "tests/steps/rewards", 'tests/steps --filter "verifier"'],
  run: runTests,
});

/** Runs what the words name: all tests folder by folder, named ones file by file. Returns the exit code. */
async function runTests(words: readonly string[]): Promise<number> {
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

async function deno(args: readonly string[]): Promise<number> {
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

/**
 * One program per folder of tests, by its name: for most files, to load the project takes longer than their tests. Those
 * of workflows, which run longest, come first.
 */
export function testPrograms(root: string): Map<string, string> {
  const programs = new Map<string, string>();
  const walk = (folder: string): void => {
    const entries = [...Deno.readDirSync(join(root, folder))].sort((a, b) => a.name < b.name ? 1 : -1);
    for (const { name } of entries.filter(({ isDirectory }) => isDirectory)) walk(`${folder}/${name}`);
    const imports = entries.filter(({ name }) => name.endsWith("_test.ts"))
      .map(({ name }) => `import ${JSON.stringify(pathToFileURL(join(root, folder, name)).href)};\n`);
    if (imports.length > 0) programs.set(folder.replaceAll("/", "."), imports.reverse().join(""));
  };
  walk("tests");
  return programs;
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
