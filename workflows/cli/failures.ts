/** Which errors are a person's to mend, and the exit code of each. @module */
import { UsageError } from "./command.ts";

/** Exit codes, as documented in the README. */
export const EXIT = { ok: 0, failed: 1, usage: 2, finding: 3, locked: 75, interrupted: 130, terminated: 143 } as const;

const BY_NAME: Record<string, number> = {
  WorkflowError: EXIT.usage,
  UsageError: EXIT.usage,
  DriftError: EXIT.usage,
  DeviceError: EXIT.usage,
  LockHeldError: EXIT.locked,
};

/**
 * The exit code of an error that is not our bug: a named class with its own code; messages of our grammar ("Cannot …",
 * "file:line:column: …") are input errors. Everything else is undefined: a bug, shown with its stack.
 */
export function exitCodeOf(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error instanceof UsageError) return EXIT.usage;
  const named = BY_NAME[error.name];
  if (named !== undefined) return named;
  if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.PermissionDenied) return EXIT.usage;
  return /^Cannot |^[^\n]*:\d+:\d+: /.test(error.message) ? EXIT.failed : undefined;
}

/** The message without a stack trace. */
export function oneLine(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
