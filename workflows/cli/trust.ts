/** Asks once before a workflow does more than compute: on a terminal, or by --trust. @module */
import { createHash } from "node:crypto";
import { join } from "node:path";
import type { Plan } from "../plan/plan.ts";
import { grantsOf } from "../plan/grants.ts";
import { UsageError } from "../terminal/usage_error.ts";
import { systemReason } from "./failures.ts";
import { printable, stderr } from "../terminal/terminal.ts";

interface TrustOptions {
  /** `--trust`. */
  readonly given: boolean;
  /** Where the answer is kept; null where there is no such place. */
  readonly folder: string | null;
  /** Asks a person; null where nobody can be asked. */
  readonly ask: (() => boolean) | null;
  /** What is asked about besides what the plans' steps may do. */
  readonly also?: readonly { readonly place: string; readonly text: string }[];
}

/** The folder of what this program remembers of a person. */
export function stateFolder(env: (name: string) => string | undefined = Deno.env.get): string | null {
  const home = env("HOME"),
    base = env("XDG_STATE_HOME") ?? (home && join(home, ".local", "state")) ?? env("LOCALAPPDATA");
  return base ? join(base, "nonzero") : null;
}

/** A question on the terminal, where there is one. */
export function asker(question = "Run it?"): (() => boolean) | null {
  return Deno.stdin.isTerminal() && stderr.live ? () => confirm(question) : null;
}

/**
 * Says what the plans may do and goes on when a person agrees, did so before, or said --trust. The answer holds for a
 * folder of workflows and exactly these things. Throws UsageError otherwise.
 */
export function requireTrust(plans: readonly Plan[], { given, folder, ask, also = [] }: TrustOptions): void {
  const all = [...plans.flatMap(grantsOf), ...also];
  const grants = [...new Map(all.map((grant) => [grant.text, grant])).values()];
  if (grants.length === 0) return;
  const asked = JSON.stringify([plans[0]!.folder, grants.map(({ text }) => text).sort()]);
  const key = createHash("sha256").update(asked).digest("hex");
  const file = folder === null ? null : join(folder, "trusted");
  if (file !== null && remembered(file).includes(key)) return;
  const lines = grants.map(({ place, text }) => `  ${printable(place)}: it ${printable(text)}`);
  for (const line of [`${plans[0]!.name} may do more than compute:`, ...lines]) stderr.line(line);
  if (!given) {
    if (ask === null) {
      throw new UsageError(
        `Cannot run ${plans[0]!.file}: it ${printable(grants[0]!.text)}, and nobody can be asked here; ` +
          "read the files it names, then add --trust",
      );
    }
    if (!ask()) throw new UsageError(`Cannot run ${plans[0]!.file}: what it may do was refused`);
  }
  if (file !== null) remember(folder!, file, key);
}

function remembered(file: string): string[] {
  try {
    return Deno.readTextFileSync(file).split("\n");
  } catch (error) {
    if (error instanceof Error && systemReason(error) !== null) return [];
    throw error;
  }
}

/** A folder that cannot be written only means that the question comes again. */
function remember(folder: string, file: string, key: string): void {
  try {
    Deno.mkdirSync(folder, { recursive: true, mode: 0o700 });
    Deno.writeTextFileSync(file, `${key}\n`, { append: true, mode: 0o600 });
  } catch (error) {
    if (!(error instanceof Error) || systemReason(error) === null) throw error;
    stderr.line(`  (not remembered: ${systemReason(error)})`);
  }
}
