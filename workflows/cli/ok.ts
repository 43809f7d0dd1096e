/** `ok`: everything that continuous integration runs, one after another. @module */
import { defineCommand } from "./command.ts";
import { PROJECT } from "../terminal/paths.ts";
import { duration, stdout } from "../terminal/terminal.ts";

/** Arguments of deno, in the order they run: `check` covers the tests, so that they need not check their types again. */
export const CHECKS = {
  format: ["fmt", "--check"],
  lint: ["lint"],
  types: ["check"],
  tests: ["task", "--quiet", "test", "--no-check"],
} as const;

export const ok = defineCommand({
  about: "Everything that CI runs: format, lint, types, tests",
  usage: "",
  words: [0, 0],
  options: {},
  async run() {
    for (const [name, args] of Object.entries(CHECKS)) {
      const started = performance.now();
      stdout.line(stdout.style(`${name} …`, "bold"));
      const child = new Deno.Command(Deno.execPath(), { args: [...args], cwd: PROJECT }).spawn();
      const { code } = await child.status;
      if (code !== 0) {
        stdout.line(stdout.style(`${name} failed`, "red"));
        return 1;
      }
      stdout.line(`${name} ok, ${duration((performance.now() - started) / 1000)}`);
    }
    return 0;
  },
});
