/** The sandboxes of the runs of this program: each lives from its first batch to the end of its run. @module */
import { Sandbox, type SandboxLimits } from "./sandbox.ts";

/** Processes are outside of any run's rows: they are found again by run, step, file and limits. */
const HELD = new Map<string, Sandbox>();

/** Characters that the code of a run has printed, by the same key: kept for as long as the run lasts. */
const PRINTED = new Map<string, number>();
/** What is kept of them, so that no code fills the disk by its console. */
const MAX_PRINTED = 2 ** 18;
const PRINT_COST = 256; // What one print costs at least: its event.

/** What a sandbox is asked for. */
interface SandboxRequest {
  readonly runId: string;
  readonly stepId: string;
  readonly path: string;
  readonly limits: SandboxLimits;
  /** Time to load the file, if not the usual. */
  readonly loadMs?: number;
  readonly signal: AbortSignal;
  readonly print: (text: string) => void;
}

/**
 * Calls `use` with the sandbox of a file, started if there is none or the last one died. It stays for the next batch.
 * Once the run's signal is aborted it ends at once, also in the middle of a batch, and the signal's reason is thrown.
 */
export async function withSandbox<Result>(
  request: SandboxRequest,
  use: (sandbox: Sandbox) => Promise<Result>,
): Promise<Result> {
  const { path, limits, loadMs, signal } = request;
  signal.throwIfAborted();
  const key = keyOf(request);
  const print = printer(key, request.print);
  let sandbox = HELD.get(key);
  try {
    if (!sandbox) {
      if (HELD.size === 0) globalThis.addEventListener("unload", killAll);
      sandbox = await Sandbox.start(path, limits, print, { signal, ...(loadMs === undefined ? {} : { loadMs }) });
      HELD.set(key, sandbox);
      signal.addEventListener("abort", () => void close(key), { once: true });
    }
    sandbox.print = print;
    return await use(sandbox);
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  } finally {
    if (sandbox && !sandbox.alive) await close(key);
  }
}

/** Ends the sandboxes of a run, or all of them, and waits until their processes are gone. */
export async function closeSandboxes(runId?: string): Promise<void> {
  const isOf = (key: string) => runId === undefined || JSON.parse(key)[0] === runId;
  const keys = [...new Set([...HELD.keys(), ...PRINTED.keys()])].filter(isOf);
  await Promise.all(keys.map(close));
  for (const key of keys) PRINTED.delete(key);
}

/** Ends the sandbox of a file, if there is one. */
export function closeSandbox(request: SandboxRequest): Promise<void> {
  return close(keyOf(request));
}

/** Hands on what is printed until it is too much, and says so once. */
function printer(key: string, print: (text: string) => void): (text: string) => void {
  return (text) => {
    const before = PRINTED.get(key) ?? 0;
    if (before > MAX_PRINTED) return;
    PRINTED.set(key, before + Math.max(text.length, PRINT_COST));
    print(text.slice(0, MAX_PRINTED - before));
    if (PRINTED.get(key)! > MAX_PRINTED) {
      print(`\n… the rest is not kept: it printed more than ${MAX_PRINTED} characters`);
    }
  };
}

function keyOf({ runId, stepId, path, limits }: SandboxRequest): string {
  return JSON.stringify([runId, stepId, path, limits]);
}

async function close(key: string): Promise<void> {
  const sandbox = HELD.get(key);
  HELD.delete(key);
  if (HELD.size === 0) globalThis.removeEventListener("unload", killAll);
  await sandbox?.close();
}

/** At the end of the program. Children whose parent is killed end by themselves. */
function killAll(): void {
  for (const sandbox of HELD.values()) sandbox.kill();
}
