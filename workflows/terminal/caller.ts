/** Where the person stands who started the program, and how paths are read and shown from there. @module */
import { isAbsolute, normalize, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { printable } from "../../data/printable.ts";

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

/** A path as a person wants to read it: relative to where they stand if it lies below, in one line whatever its name. */
export function shownPath(path: string): string {
  const below = isAbsolute(path) ? relative(callerFolder(), path) : path;
  return printable(below === "" ? "." : isAbsolute(below) || /^\.\.(?:[\\/]|$)/.test(below) ? path : below);
}
