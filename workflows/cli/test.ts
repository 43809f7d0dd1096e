/** `test`: the tests, all of them or those in the files and folders that are named. @module */
import { existsSync } from "node:fs";
import { pathArgument, PROJECT } from "../terminal/caller.ts";
import { defineCommand, UsageError } from "./command.ts";
import { PERMISSIONS } from "./install.ts";

/** What the tests are allowed, and how they are told. */
export const TEST_FLAGS = [...PERMISSIONS, "--no-prompt", "--quiet", "--parallel"] as const;

/** Options of `deno test` whose value is a word of its own. */
const WITH_VALUE = ["--filter", "--reporter", "--junit-path", "--ignore", "--log-level", "-L"];

export const test = defineCommand({
  name: "test",
  about: "The tests: all of them, or those in the files and folders that are named",
  usage: "[PATH...] [--filter TEXT] [other options of deno test]",
  words: [0, Infinity],
  options: {},
  passesOn: true,
  examples: ["", "tests/steps/rewards", 'tests/steps --filter "verifier"'],
  async run(words) {
    const args = ["test", ...TEST_FLAGS, ...testArguments(words)];
    return (await new Deno.Command(Deno.execPath(), { args, cwd: PROJECT }).spawn().status).code;
  },
});

/** The words with paths as the caller's folder has them; all tests where no path is named. */
export function testArguments(words: readonly string[]): string[] {
  let named = false;
  const args = words.map((word, i) => {
    if (word.startsWith("-") || WITH_VALUE.includes(words[i - 1] ?? "")) return word;
    named = true;
    const path = pathArgument(word);
    if (!word.includes("*") && !existsSync(path)) {
      throw new UsageError(`Cannot test "${word}": there is no such file or folder`);
    }
    return path;
  });
  return named ? args : [...args, "tests/"];
}
