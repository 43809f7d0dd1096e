/** Refuses a device that this machine does not have, before anything runs. @module */
import { cudaPreflight } from "../../gpu/ort/cuda.ts";
import type { RunSettings } from "../plan/plan.ts";

/** The device a workflow or a person asked for cannot be used; the command line exits 2. */
export class DeviceError extends Error {
  override readonly name = "DeviceError";
}

/** What the CUDA check answers; a test puts its own in place. */
export type CudaCheck = () => { readonly ok: true } | {
  readonly ok: false;
  readonly missing: string;
  readonly fix: string;
};

/** Passes for auto and cpu; throws a DeviceError that says in one line what a device asked for by name lacks. */
export function requireDevice(
  { device, backend }: Pick<RunSettings, "device" | "backend">,
  checkCuda: CudaCheck = cudaPreflight,
): void {
  if (device === "auto" || device === "cpu") return;
  if (device === "webgpu") {
    throw new DeviceError('Cannot use device "webgpu": it has no sessions yet; want auto, cpu or cuda');
  }
  if (backend === "napi") {
    throw new DeviceError(
      `Cannot use device "${device}" with backend "napi": it has no device memory; want backend ffi`,
    );
  }
  const found = checkCuda();
  if (!found.ok) throw new DeviceError(`Cannot use device "${device}": ${found.missing}; ${found.fix}`);
}
