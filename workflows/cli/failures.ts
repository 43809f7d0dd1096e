/** Which errors are a person's to mend, the exit code of each, and the one line that says it. @module */
import { printable } from "../../data/printable.ts";
import { NotCachedError } from "../../data/hub/remote/hub_folder.ts";
import { toldMessage } from "../terminal/told.ts";
import { shownPath } from "../terminal/caller.ts";
import { UsageError } from "../terminal/usage_error.ts";

/** Exit codes, as documented in the README. */
export const EXIT = { ok: 0, failed: 1, usage: 2, finding: 3, locked: 75, interrupted: 130, terminated: 143 } as const;

/** What each says, as the help and the README have it. */
export const EXIT_TEXT = "0 ok · 1 a step failed · 2 usage or invalid file · 3 stopped by a finding · " +
  "75 the run is locked · 130 interrupted (SIGINT) · 143 terminated (SIGTERM)";

const BY_NAME: Record<string, number> = {
  WorkflowError: EXIT.usage,
  UsageError: EXIT.usage,
  DriftError: EXIT.usage,
  NoCheckpointError: EXIT.usage,
  DeviceError: EXIT.usage,
  PullError: EXIT.failed,
  LockHeldError: EXIT.locked,
};

/**
 * The exit code of an error that is not our bug: a named class with its own code; messages of our grammar ("Cannot …",
 * "file:line:column: …") and what the system says of a path are input errors, a full disk a failure. Everything else is
 * undefined: a bug, shown with its stack. (What a step of a run throws does not come here: it is the run's result.)
 */
export function exitCodeOf(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error instanceof UsageError) return EXIT.usage;
  const named = BY_NAME[error.name];
  if (named !== undefined) return named;
  if (systemReason(error) !== null) return /os error (?:28|122)\b/.test(error.message) ? EXIT.failed : EXIT.usage;
  return /^Cannot |^[^\n]*:\d+:\d+: /.test(error.message) ? EXIT.usage : undefined;
}

/**
 * The message without a stack trace, and without what moves a terminal: some of it may be a stranger's text. What was
 * `typed`, which may be a name that a stranger gave a file, makes no line in it.
 */
export function withoutStack(error: unknown, typed: readonly string[] = []): string {
  const message = typed.filter((word) => word.includes("\n"))
    .reduce((text, word) => text.replaceAll(word, () => printable(word)), inOurWords(error));
  return message.split("\n").map(printable).join("\n");
}

/** What the system says of a path is put into our words. */
function inOurWords(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof UsageError) return error.message;
  if (error instanceof NotCachedError) return toldMessage(error);
  const reason = systemReason(error);
  if (reason === null || error.message.startsWith("Cannot ")) return error.message;
  const path = /'([^']*)'/.exec(error.message)?.[1] ?? /access to "([^"]*)"/.exec(error.message)?.[1];
  return path === undefined ? `Cannot go on: ${reason}` : `Cannot use "${shownPath(path)}": ${reason}`;
}

/** What the classes of Deno's errors mean of a path. */
const SAID: readonly (readonly [kind: new () => Error, text: string])[] = [
  [Deno.errors.NotCapable, "programs may not go there"],
  [Deno.errors.NotFound, "there is no such file or folder"],
  [Deno.errors.AlreadyExists, "a file has that name"],
  [Deno.errors.NotADirectory, "a part of the path is a file"],
  [Deno.errors.IsADirectory, "it is a folder"],
];

/**
 * What the operating system, or the permissions of this program, say of a path: without our flags, the number of the
 * error and the call. Null for other errors.
 */
export function systemReason(error: Error): string | null {
  const said = SAID.find(([kind]) => error instanceof kind);
  if (said !== undefined) return said[1];
  if (!/\(os error \d+\)/.test(error.message)) return null;
  const text = error.message.replace(/^Cannot [^:]*: /, "").replace(/\s*\(os error \d+\).*$/s, "");
  return text.charAt(0).toLowerCase() + text.slice(1);
}
