/** Reads the port that a command listens at. @module */
import { UsageError } from "../terminal/usage_error.ts";

const LAST = 65_535;

/** The port as it is typed; `zero` says in the error what 0 does, where it is more than a number. Throws UsageError. */
export function readPort(typed: string, zero = ""): number {
  if (/^\d+$/.test(typed) && Number(typed) <= LAST) return Number(typed);
  throw new UsageError(`Cannot listen at port "${typed}": want a number from 0${zero} to ${LAST}`);
}
