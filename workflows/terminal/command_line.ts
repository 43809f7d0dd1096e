/** Command lines for people to paste: they work where the person stands and as the program was started. @module */
import { existsSync } from "node:fs";
import { basename, delimiter, dirname, join, resolve } from "node:path";
import { callerFolder, PROJECT, shownPath } from "./caller.ts";

/** What the way of starting the program is told from. */
export interface Start {
  /** Path of the launcher that started it, as it was called; absent for `deno task` and npx. */
  readonly launcher?: string | undefined;
  /** Folders in which commands are looked up, as in PATH. */
  readonly path?: string | undefined;
  /** `npm_lifecycle_event`: "npx" for a program that npx started. */
  readonly npm?: string | undefined;
  /** Where the person stands. */
  readonly here: string;
  readonly project: string;
}

/** The environment variable in which the launcher says its path. */
export const LAUNCHER = "NONZERO_LAUNCHER";

/** The version that everything is tested with; npx fetches it. */
export const DENO_PACKAGE = "deno@2.9.6";

/** One command line of the words, each quoted where the shell asks for it: `deno task run "my file.yaml"`. */
export function commandLine(words: readonly string[], start: Start = currentStart()): string {
  return [...programOf(start), ...words].map(quoted).join(" ");
}

/** An option with a value: in one word where the value would be taken for an option. */
export function optionWords(name: string, value: string): string[] {
  return value.startsWith("-") ? [`--${name}=${value}`] : [`--${name}`, value];
}

/** `--runs DIR` for runs that do not lie in the project's own folder; `runs` is absolute. */
export function runsWords(runs: string): string[] {
  return resolve(runs) === join(PROJECT, "runs") ? [] : optionWords("runs", shownPath(runs));
}

/** The command that continues the run in a folder, absolute. */
export function resumeCommand(folder: string): string {
  return commandLine(["run", "--resume", basename(folder), ...runsWords(dirname(folder))]);
}

/** The words before the command's name. */
export function programOf({ launcher, path, npm, here, project }: Start): string[] {
  if (launcher) {
    const name = basename(launcher);
    const first = (path ?? "").split(delimiter).find((folder) => folder && existsSync(join(folder, name)));
    return [first !== undefined && resolve(here, first) === resolve(here, dirname(launcher)) ? name : launcher];
  }
  const deno = npm === "npx" ? ["npx", "-y", DENO_PACKAGE] : ["deno"];
  return [...deno, "task", ...(isFoundFrom(here, project) ? [] : ["--config", join(project, "deno.json")])];
}

/** Whether `deno task` finds the project's tasks from a folder: the nearest configuration upwards is the project's. */
function isFoundFrom(here: string, project: string): boolean {
  for (let folder = resolve(here);; folder = dirname(folder)) {
    if (["deno.json", "deno.jsonc", "package.json"].some((name) => existsSync(join(folder, name)))) {
      return folder === resolve(project);
    }
    if (folder === dirname(folder)) return false;
  }
}

function currentStart(): Start {
  return {
    launcher: Deno.env.get(LAUNCHER),
    path: Deno.env.get("PATH"),
    npm: Deno.env.get("npm_lifecycle_event"),
    here: callerFolder(),
    project: PROJECT,
  };
}

/** A word as a POSIX shell reads it back; on Windows in double quotes. */
export function quoted(word: string): string {
  if (/^[\p{L}\p{N}_./:=,@%+-]+$/u.test(word) && !word.startsWith("=")) return word;
  if (Deno.build.os === "windows") return `"${word.replaceAll('"', '\\"')}"`;
  return /["$`\\!\n]/.test(word) || word.includes("'") ? `'${word.replaceAll("'", `'\\''`)}'` : `"${word}"`;
}
