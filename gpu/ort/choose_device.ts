/** Decides what a run computes with: what "auto" means on this machine, and whether what is asked for by name is there. @module */
import type { Provider } from "../onnx/lowering.ts";
import { type CudaFound, type CudaMissing, cudaPreflight } from "./cuda.ts";
import { FfiRuntime } from "./ffi.ts";
import { libraryPath } from "./library.ts";
import { oneLine } from "./one_line.ts";
import type { BackendName } from "./runtime.ts";

interface RuntimeWish {
  /** Null = ffi where it loads, else napi. */
  readonly backend: BackendName | null;
  /** "auto" = cuda where its preflight passes, else cpu. */
  readonly device: Provider | "auto";
}

interface RuntimeChoice {
  readonly backend: BackendName;
  readonly device: Provider;
  /** One line for each thing that could not be had. */
  readonly notes: readonly string[];
}

/** What the machine has; a test puts its own in place. */
interface Machine {
  /** Null, or in one line why the library does not load. */
  readonly ffi: () => string | null;
  readonly cuda: () => CudaFound | CudaMissing;
}

const THIS_MACHINE: Machine = {
  ffi() {
    try {
      FfiRuntime.load(libraryPath());
      return null;
    } catch (error) {
      return oneLine(error);
    }
  },
  cuda: cudaPreflight,
};

/** What is asked for by name is taken as it is: `requireDevice` says whether it works. */
export function chooseRuntime({ backend, device }: RuntimeWish, machine: Machine = THIS_MACHINE): RuntimeChoice {
  const notes: string[] = [];
  const noFfi = backend === null ? machine.ffi() : null;
  if (noFfi !== null) notes.push(`backend: napi (ffi not used: ${noFfi})`);
  const chosen = backend ?? (noFfi === null ? "ffi" : "napi");
  if (device !== "auto") return { backend: chosen, device, notes };
  const noCuda = chosen === "napi" ? "the napi backend has no device memory" : missing(machine.cuda());
  if (noCuda !== null) notes.push(`device: cpu (cuda not used: ${noCuda})`);
  return { backend: chosen, device: noCuda === null ? "cuda" : "cpu", notes };
}

function missing(cuda: CudaFound | CudaMissing): string | null {
  return cuda.ok ? null : cuda.missing;
}

/** A device that was asked for by name cannot be used; the command line exits 2. */
export class DeviceError extends Error {
  override readonly name = "DeviceError";
}

/**
 * The files of CUDA where that is asked for by name, null for auto and cpu. Throws a DeviceError that says in one line
 * what such a device lacks.
 */
export function requireDevice(
  { device, backend }: RuntimeWish,
  machine: Pick<Machine, "cuda"> = THIS_MACHINE,
): CudaFound | null {
  if (device !== "cuda") return null;
  if (backend === "napi") {
    throw new DeviceError(
      `Cannot use device "${device}" with backend "napi": it has no device memory; want backend ffi`,
    );
  }
  const found = machine.cuda();
  if (!found.ok) throw new DeviceError(`Cannot use device "${device}": ${found.missing}; ${found.fix}`);
  return found;
}
