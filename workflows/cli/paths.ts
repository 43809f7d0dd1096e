/** Every path a person types goes through here. @module */
import { isAbsolute, join, normalize, resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** The project's folder, where deno.json lies. */
export const PROJECT: string = normalize(fileURLToPath(new URL("../../", import.meta.url)));

/** The folder the caller stood in: `deno task` moves to the project and leaves it in INIT_CWD. */
export function callerFolder(): string {
  return Deno.env.get("INIT_CWD") ?? Deno.cwd();
}

/** Absolute path of what was typed, relative to the caller's folder. "-" stays as it is (standard input). */
export function pathArgument(typed: string): string {
  return typed === "-" || isAbsolute(typed) ? typed : resolve(callerFolder(), typed);
}

/** The folder of all runs: `--runs DIR`, or `runs/` in the project. */
export function runsFolder(typed?: string): string {
  return typed === undefined ? join(PROJECT, "runs") : pathArgument(typed);
}

/** A path as a person wants to read it: relative to where they stand when that is shorter. */
export function shownPath(path: string): string {
  const here = callerFolder().replace(/[\\/]$/, "");
  return path.startsWith(here + "/") ? path.slice(here.length + 1) : path;
}
