/** What is said of an error that is ours. @module */
import { commandLine } from "../terminal/command_line.ts";

/** A bug of ours: the stack trace is for the report. */
export function bugText(error: unknown): string {
  return `This is a bug in Nonzero; please report it with the output of "${commandLine(["env"])}":\n${
    error instanceof Error ? error.stack : String(error)
  }`;
}
