/** The error of what a person typed. @module */

/** What a person typed cannot be used: printed in one line, exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
