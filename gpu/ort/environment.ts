/** The one ONNX Runtime environment of this process: thread pool and CPU arena shared by all sessions. @module */
import { type CApi, cString, cStrings, type Pointer } from "./c_api.ts";

interface EnvironmentOptions {
  readonly threads: number;
  readonly spinning?: boolean;
}
export interface Environment {
  readonly pointer: Pointer;
  /** Gives up one use; the last one ends the environment and its threads. */
  release(): void;
}

const LOG_ERRORS = 3;
/** An environment ends within milliseconds; ten seconds are for a machine that swaps. */
const MAX_TRIES = 1000, PAUSE_MS = 10;
/** Ask the system for what is needed and no more: the next power of two would double the resident memory. */
const ARENA = { arena_extend_strategy: 1, initial_chunk_size_bytes: 1 << 20, initial_growth_chunk_size_bytes: 1 << 20 };

interface Shared {
  readonly api: CApi;
  readonly settings: string;
  readonly pointer: Pointer;
  uses: number;
}
let shared: Shared | null = null;

/** Starts the environment or shares the running one; RangeError if that runs with other settings. */
export function acquireEnvironment(api: CApi, { threads, spinning = false }: EnvironmentOptions): Environment {
  const settings = `threads ${threads}, spinning ${spinning}, ${api.path}`;
  if (shared && shared.settings !== settings) {
    throw new RangeError(
      `Cannot open a second runtime with ${settings}: the process has one with ${shared.settings}; release that first`,
    );
  }
  shared ??= { api, settings, pointer: start(api, threads, spinning), uses: 0 };
  const mine = shared;
  mine.uses++;
  let held = true;
  return {
    pointer: mine.pointer,
    release() {
      if (!held) return;
      held = false;
      if (--mine.uses > 0) return;
      mine.api.call("ReleaseEnv", mine.pointer);
      shared = null;
    },
  };
}

function start(api: CApi, threads: number, spinning: boolean): Pointer {
  const threading = api.create("CreateThreadingOptions");
  try {
    api.run("SetGlobalIntraOpNumThreads", threading, threads);
    api.run("SetGlobalInterOpNumThreads", threading, 1);
    api.run("SetGlobalSpinControl", threading, spinning ? 1 : 0);
    const environment = createOnceGone(api, threading);
    api.run("DisableTelemetryEvents", environment);
    shareArena(api, environment);
    return environment;
  } finally {
    api.call("ReleaseThreadingOptions", threading);
  }
}

/**
 * ONNX Runtime's environment is one for the process, but each of our threads counts its own uses. When another thread
 * gives up the last one, ONNX Runtime forgets the environment before it has ended it, and refuses a new one meanwhile.
 */
function createOnceGone(api: CApi, threading: Pointer): Pointer {
  const name = cString("nonzero"), pause = new Int32Array(new SharedArrayBuffer(4));
  for (let tries = 1;; tries++) {
    try {
      return api.create("CreateEnvWithGlobalThreadPools", LOG_ERRORS, name, threading);
    } catch (error) {
      if (tries === MAX_TRIES || !String(error).includes("Only one instance of LoggingManager")) throw error;
      Atomics.wait(pause, 0, 0, PAUSE_MS);
    }
  }
}

/** One arena for the activations of all sessions: they do not run at once, so the largest decides, not the sum. */
function shareArena(api: CApi, environment: Pointer): void {
  const keys = cStrings(Object.keys(ARENA)), values = BigUint64Array.from(Object.values(ARENA), BigInt);
  const config = api.create("CreateArenaCfgV2", keys.pointers, values, BigInt(values.length));
  const memory = api.create("CreateMemoryInfo", cString("Cpu"), 1, 0, 0); // OrtArenaAllocator
  try {
    api.run("CreateAndRegisterAllocator", environment, memory, config);
  } finally {
    api.call("ReleaseMemoryInfo", memory);
    api.call("ReleaseArenaCfg", config);
  }
}
