/** Decides what "auto" means on this machine before a run starts, so that its record says what it computes with. @module */
import { cudaPreflight } from "./cuda.ts";
import { FfiRuntime } from "./ffi.ts";
import { libraryPath } from "./library.ts";

export interface RuntimeWish {
  /** Null = ffi where it loads, else napi. */
  readonly backend: "ffi" | "napi" | null;
  readonly device: "auto" | "cpu" | "cuda" | "webgpu";
}

export interface RuntimeChoice {
  readonly backend: "ffi" | "napi";
  readonly device: "cpu" | "cuda" | "webgpu";
  /** One line for each thing that could not be had. */
  readonly notes: readonly string[];
}

/** What the machine has; each says null, or in one line what is missing. */
export interface Machine {
  readonly ffi: () => string | null;
  readonly cuda: () => string | null;
}

const THIS_MACHINE: Machine = {
  ffi() {
    try {
      FfiRuntime.load(libraryPath());
      return null;
    } catch (error) {
      return (error instanceof Error ? error.message : String(error)).split("\n")[0]!;
    }
  },
  cuda() {
    const found = cudaPreflight();
    return found.ok ? null : found.missing;
  },
};

/** What is asked for is taken as it is: whether it works, the first session says. */
export function chooseRuntime({ backend, device }: RuntimeWish, machine: Machine = THIS_MACHINE): RuntimeChoice {
  const notes: string[] = [];
  const noFfi = backend === null ? machine.ffi() : null;
  if (noFfi !== null) notes.push(`backend: napi (ffi not used: ${noFfi})`);
  const chosen = backend ?? (noFfi === null ? "ffi" : "napi");
  if (device !== "auto") return { backend: chosen, device, notes };
  const noCuda = chosen === "napi" ? "the napi backend has no device memory" : machine.cuda();
  if (noCuda !== null) notes.push(`device: cpu (cuda not used: ${noCuda})`);
  return { backend: chosen, device: noCuda === null ? "cuda" : "cpu", notes };
}
