/**
 * Ends a process with the one that started it, whatever state it is in: code in a sandbox can stop its own process
 * (SIGSTOP), which then does not hear that its standard input was closed.
 *
 * Linux tells a process of its parent's death by a signal that `setpriv` of util-linux chooses. Elsewhere nothing does.
 * @module
 */

const SETPRIV = "/usr/bin/setpriv";
const OPTIONS = ["--pdeathsig", "KILL"];

let works: boolean | null = null;

/** The program and arguments that run a command so. The process has the same number. */
export function endingWithParent(program: string, args: readonly string[]): [string, string[]] {
  works ??= isThere();
  return works ? [SETPRIV, [...OPTIONS, program, ...args]] : [program, [...args]];
}

/** Other systems, and small ones, have no such program, or one that knows less. */
function isThere(): boolean {
  if (Deno.build.os !== "linux") return false;
  try {
    return new Deno.Command(SETPRIV, { args: [...OPTIONS, "/bin/true"], stdout: "null", stderr: "null" })
      .outputSync().success;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.PermissionDenied) return false;
    throw error;
  }
}
