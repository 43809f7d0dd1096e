/** The paths of the command line: those of the caller, and the folder of all runs. @module */
import { join } from "node:path";
import { isFile, isThere } from "../../data/file_system.ts";
import { pathArgument, PROJECT } from "./caller.ts";

export { callerFolder, pathArgument, PROJECT, shownPath } from "./caller.ts";

/** The folder of all runs: `--runs DIR`, or `runs/` in the project. */
export function runsFolder(typed?: string): string {
  return typed === undefined ? join(PROJECT, "runs") : pathArgument(typed);
}

/** The path of a workflow: a file from where the caller stands, else one of the library by its name, as `grpo` or `failures/nan_loss`. */
export function workflowArgument(typed: string): string {
  const path = pathArgument(typed);
  return isThere(path) ? path : libraryWorkflow(typed) ?? path;
}

/** The file of a workflow of the library, null where none has that name. */
export function libraryWorkflow(name: string): string | null {
  const path = join(PROJECT, "workflows", "library", `${name}.yaml`);
  return /^[\w/]+$/.test(name) && isFile(path) ? path : null;
}
