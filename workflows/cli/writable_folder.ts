/** Finds out before a run whether its folder can be written, so that nothing is lost later. @module */
import { UsageError } from "./command.ts";
import { shownPath } from "./paths.ts";

/** Makes the folder of the runs and writes into it once. Throws a UsageError of one line. */
export function requireWritable(folder: string): void {
  try {
    Deno.mkdirSync(folder, { recursive: true });
    Deno.removeSync(Deno.makeTempFileSync({ dir: folder, prefix: ".tmp-" }));
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    throw new UsageError(`Cannot write runs into "${shownPath(folder)}": ${reasonOf(error)}; want --runs DIR`, {
      cause: error,
    });
  }
}

/** What the system says, without our permission flags and the numbers of errors. */
function reasonOf(error: Error): string {
  if (error instanceof Deno.errors.NotCapable) return "programs may not write there";
  const text = error.message.replace(/\s*\(os error \d+\).*$/s, "");
  return text.charAt(0).toLowerCase() + text.slice(1);
}
