/** The paths of the command line: those of the caller, and the folder of all runs. @module */
import { join } from "node:path";
import { pathArgument, PROJECT } from "./caller.ts";

export { callerFolder, pathArgument, PROJECT, shownPath } from "./caller.ts";

/** The folder of all runs: `--runs DIR`, or `runs/` in the project. */
export function runsFolder(typed?: string): string {
  return typed === undefined ? join(PROJECT, "runs") : pathArgument(typed);
}
