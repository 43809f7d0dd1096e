/** Runs the program as a person does and gives what it printed. @module */
import { fileURLToPath } from "node:url";
import { join } from "node:path";

export const PROJECT = fileURLToPath(new URL("../../../", import.meta.url));

/** How tests start a program of ours: what is installed is there, for it runs the tests, so that nobody needs to look. */
export const DENO_RUN = ["run", "-q", "-A", "--no-check", "--node-modules-dir=manual"] as const;

export interface Printed {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** `nonzero ARGS…` from the folder `from`, with further variables of the environment. */
export async function commandLine(
  args: readonly string[],
  from: string = PROJECT,
  env: Readonly<Record<string, string>> = {},
): Promise<Printed> {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [...DENO_RUN, join(PROJECT, "workflows/cli/main.ts"), ...args],
    env: { INIT_CWD: from, NO_COLOR: "1", ...env },
    cwd: PROJECT,
  }).output();
  const decoder = new TextDecoder();
  return { code, out: decoder.decode(stdout), err: decoder.decode(stderr) };
}
