/**
 * The sandboxes of the runs of this program: each lives from its first batch to the end of its run.
 * @module
 */
import { Sandbox, type SandboxLimits } from "./sandbox.ts";

interface Held {
  readonly runId: string;
  readonly sandbox: Sandbox;
  busy: boolean;
}

/** Processes are outside of any run's rows: they are found again by run, step, file and limits. */
const HELD = new Map<string, Held>();

/** What a sandbox is asked for. */
export interface SandboxRequest {
  readonly runId: string;
  readonly stepId: string;
  readonly path: string;
  readonly limits: SandboxLimits;
  readonly signal: AbortSignal;
  readonly print: (text: string) => void;
}

/**
 * Calls `use` with the sandbox of a file, started if there is none or the last one died. It stays for the next batch;
 * once the run's signal is aborted it ends as soon as it is idle.
 */
export async function withSandbox<Result>(
  request: SandboxRequest,
  use: (sandbox: Sandbox) => Promise<Result>,
): Promise<Result> {
  const { runId, path, limits, signal, print } = request;
  const key = keyOf(request);
  let held = HELD.get(key);
  if (!held) {
    if (HELD.size === 0) globalThis.addEventListener("unload", killAll);
    held = { runId, sandbox: await Sandbox.start(path, limits, print), busy: false };
    HELD.set(key, held);
    signal.addEventListener("abort", () => void closeIdle(key), { once: true });
  }
  held.busy = true;
  held.sandbox.print = print;
  try {
    return await use(held.sandbox);
  } finally {
    held.busy = false;
    if (!held.sandbox.alive || signal.aborted) await close(key);
  }
}

/** Ends the sandboxes of a run, or all of them, and waits until their processes are gone. */
export async function closeSandboxes(runId?: string): Promise<void> {
  const keys = [...HELD].filter(([, held]) => runId === undefined || held.runId === runId).map(([key]) => key);
  await Promise.all(keys.map(close));
}

/** Ends the sandbox of a file, if there is one. */
export function closeSandbox(request: SandboxRequest): Promise<void> {
  return close(keyOf(request));
}

function keyOf({ runId, stepId, path, limits }: SandboxRequest): string {
  return JSON.stringify([runId, stepId, path, limits]);
}

async function close(key: string): Promise<void> {
  const held = HELD.get(key);
  HELD.delete(key);
  if (HELD.size === 0) globalThis.removeEventListener("unload", killAll);
  await held?.sandbox.close();
}

async function closeIdle(key: string): Promise<void> {
  if (HELD.get(key)?.busy === false) await close(key);
}

/** A child in an endless loop does not notice that its parent is gone. */
function killAll(): void {
  for (const { sandbox } of HELD.values()) sandbox.kill();
}
