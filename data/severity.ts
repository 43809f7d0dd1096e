/** How bad a finding is. @module */

/** From the worst to a note. */
export const SEVERITIES = ["fatal", "error", "warning", "info"] as const;
/** fatal: stop now; error: repair or stop; warning: look at it; info: a note, never an alarm. */
export type Severity = (typeof SEVERITIES)[number];

/** Whether it is one that a person should look at: all but notes. What another program wrote may be no severity. */
export function isAlarm(severity: unknown): boolean {
  return severity === "warning" || isError(severity);
}

/** Whether what was trained is not to be trusted. */
export function isError(severity: unknown): boolean {
  return severity === "error" || severity === "fatal";
}
