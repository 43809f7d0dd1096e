/** Finds out whether a folder can be written before anything is computed for it. @module */
import { UsageError } from "../terminal/usage_error.ts";
import { systemReason } from "./failures.ts";
import { shownPath } from "../terminal/paths.ts";

/** Makes the folder of an option and writes into it once. Throws a UsageError of one line. */
export function requireWritable(folder: string, what = "runs", option = "--runs"): void {
  try {
    Deno.mkdirSync(folder, { recursive: true });
    Deno.removeSync(Deno.makeTempFileSync({ dir: folder, prefix: ".tmp-" }));
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const reason = systemReason(error);
    if (reason === null) throw error;
    throw new UsageError(`Cannot write ${what} into "${shownPath(folder)}": ${reason}; want ${option} DIR`, {
      cause: error,
    });
  }
}
