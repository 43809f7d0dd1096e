/** A run of the command line as a person starts it, with its time and its largest resident set. @module */
import { denoRun } from "../../../workflows/cli/install.ts";
import { PROJECT } from "../../../workflows/terminal/paths.ts";

const POLL_MS = 50;

export interface MeasuredRun {
  readonly code: number;
  readonly seconds: number;
  readonly peakBytes: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command with its words and waits for its end, whatever that is. */
export async function measuredRun(words: readonly string[]): Promise<MeasuredRun> {
  const began = performance.now();
  const child = new Deno.Command(Deno.execPath(), {
    args: denoRun("workflows/cli/main.ts", words),
    cwd: PROJECT,
    env: { MALLOC_ARENA_MAX: "2", DENO_NO_UPDATE_CHECK: "1" },
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  let peakBytes = 0;
  const timer = setInterval(() => peakBytes = Math.max(peakBytes, highWater(child.pid)), POLL_MS);
  const { code, stdout, stderr } = await child.output();
  clearInterval(timer);
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  return { code, seconds: (performance.now() - began) / 1000, peakBytes, stdout: text(stdout), stderr: text(stderr) };
}

/** VmHWM of a process; 0 when it has ended. Deno itself reads /proc only with every permission. */
function highWater(pid: number): number {
  const { stdout } = new Deno.Command("cat", { args: [`/proc/${pid}/status`], stderr: "null" }).outputSync();
  return 1024 * Number(/VmHWM:\s+(\d+) kB/.exec(new TextDecoder().decode(stdout))?.[1] ?? 0);
}
