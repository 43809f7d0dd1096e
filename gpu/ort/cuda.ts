/** Looks whether CUDA can be used, and says which file, driver or capability is missing. @module */

import { entries } from "./library.ts";

/** What the CUDA provider of ONNX Runtime 1.30 wants (reference: NEEDED list and code objects of that file). */
export const CUDA = {
  version: "1.30.0",
  provider: "libonnxruntime_providers_cuda.so",
  shared: "libonnxruntime_providers_shared.so",
  core: ["libonnxruntime.so.1", "libonnxruntime.so.1.30.0"],
  /** In load order: a library found by name later resolves to these. */
  needed: ["libcudart.so.13", "libcublasLt.so.13", "libcublas.so.13", "libcurand.so.10"],
  optional: ["libcudnn.so.9", "libcufft.so.12", "libnvrtc.so.13"],
  driver: [
    "libcuda.so.1",
    "/usr/local/nvidia/lib64/libcuda.so.1",
    "/usr/lib/wsl/lib/libcuda.so.1",
    "/run/opengl-driver/lib/libcuda.so.1",
  ],
  /** cudaDriverGetVersion of the oldest driver that runs CUDA 13 (580). */
  driverVersion: 13000,
  /** Compute capabilities with code in the provider; it carries no PTX. */
  capabilities: [75, 80, 86, 89, 90, 120],
} as const;

/** What a person can do where the provider is not found. */
const INSTALL =
  `pip install onnxruntime-gpu==${CUDA.version} in an active Python environment, or put the folder that ` +
  "holds it on LD_LIBRARY_PATH; device cpu needs nothing";

export interface CudaFound {
  readonly ok: true;
  readonly library: string;
  readonly cudart: string;
  readonly lines: readonly string[];
}
export interface CudaMissing {
  readonly ok: false;
  /** What is missing, one line. */
  readonly missing: string;
  readonly fix: string;
  readonly lines: readonly string[];
}

/** What the CUDA runtime says of the machine; a test puts its own in place. */
export interface CudaProbe {
  /** 0, or the CUDA error of counting devices. */
  readonly code: number;
  readonly error: string;
  readonly devices: number;
  /** 13000 = 13.0. */
  readonly driver: number;
  readonly runtime: number;
  /** 90 = 9.0. */
  readonly capability: number;
}
export interface CudaAccess {
  exists(path: string): boolean;
  /** Loads a library for the whole process; false if the loader refuses. */
  load(path: string): boolean;
  probe(cudart: string): CudaProbe;
}

/** Something that CUDA needs is not there; never leaves this file. */
class Gap extends Error {
  constructor(readonly what: string, readonly fix: string) {
    super(what);
  }
}

/** Checks files, driver, libraries, device and capability, in that order; stops at the first gap. Never throws. */
export function cudaPreflight(folders: readonly string[] = [], access: CudaAccess = SYSTEM): CudaFound | CudaMissing {
  const lines: string[] = [];
  try {
    if (Deno.build.os !== "linux") throw new Gap("CUDA for this system", "CUDA is supported on Linux only; use cpu");
    const places = [...folders.flatMap(layouts), ...systemFolders()];
    const { home, library } = findProvider(places, access);
    lines.push(`found: ONNX Runtime with CUDA in ${home}`);
    const { cudart, optional } = loadLibraries(places, access);
    lines.push(`found: CUDA libraries; optional: ${optional.join(", ") || "none (ops that need cuDNN will fail)"}`);
    lines.push(checkDevice(access.probe(cudart)));
    return { ok: true, library, cudart, lines };
  } catch (error) {
    if (!(error instanceof Gap)) throw error;
    const { what, fix } = error;
    return { ok: false, missing: `${what} is missing`, fix, lines: [...lines, `missing: ${what}`, `fix: ${fix}`] };
  }
}

function find(name: string, places: readonly string[], access: CudaAccess): string | undefined {
  return places.map((folder) => `${folder}/${name}`).find((path) => access.exists(path));
}

/** The folder of ONNX Runtime with its CUDA provider, and the library in it. */
function findProvider(places: readonly string[], access: CudaAccess): { home: string; library: string } {
  const home = find(CUDA.provider, places, access)?.slice(0, -CUDA.provider.length - 1);
  if (!home) throw new Gap(CUDA.provider, INSTALL);
  if (!access.exists(`${home}/${CUDA.shared}`)) {
    throw new Gap(`${home}/${CUDA.shared}`, `put it beside ${CUDA.provider}`);
  }
  const library = CUDA.core.map((name) => `${home}/${name}`).find((path) => access.exists(path));
  if (library) return { home, library };
  throw new Gap(`${CUDA.core.join(" or ")} in ${home}`, "link it there: same version and build as the provider");
}

/** Loads the driver and CUDA's libraries, those that may be absent too. */
function loadLibraries(places: readonly string[], access: CudaAccess): { cudart: string; optional: string[] } {
  if (!CUDA.driver.some((path) => access.load(path))) {
    throw new Gap("libcuda.so.1 (the NVIDIA driver)", "install a driver from 580 on; in a container, pass the GPU in");
  }
  const needed = CUDA.needed.map((name) => [name, find(name, places, access)] as const);
  const absent = needed.filter(([, path]) => path === undefined).map(([name]) => name);
  if (absent.length) {
    throw new Gap(absent.join(", "), `install the CUDA 13 libraries (${places.length} folders searched)`);
  }
  for (const [name, path] of needed) {
    if (!access.load(path!)) throw new Gap(`a loadable ${name} (${path})`, "reinstall the CUDA 13 libraries");
  }
  const optional = CUDA.optional.filter((name) => access.load(find(name, places, access) ?? name));
  return { cudart: needed[0]![1]!, optional };
}

const INSUFFICIENT_DRIVER = 35; // cudaErrorInsufficientDriver.

/** Says what device was found. */
function checkDevice({ code, error, devices, driver, capability }: CudaProbe): string {
  if (code === INSUFFICIENT_DRIVER || driver < CUDA.driverVersion) {
    throw new Gap(
      `a driver for CUDA 13 (this one supports ${dotted(driver)})`,
      "update the NVIDIA driver to 580 or newer",
    );
  }
  if (code || !devices) {
    throw new Gap(
      `a CUDA device (CUDA answers ${code}: ${error || "none found"})`,
      "check nvidia-smi and CUDA_VISIBLE_DEVICES",
    );
  }
  if (!(CUDA.capabilities as readonly number[]).includes(capability)) {
    const has = CUDA.capabilities.map((n) => n / 10).join(" ");
    throw new Gap(`code for compute capability ${capability / 10} (the provider has ${has})`, "use device cpu");
  }
  return `found: ${devices} device(s), capability ${capability / 10}, driver for CUDA ${dotted(driver)}`;
}

function dotted(version: number): string {
  return `${Math.floor(version / 1000)}.${(version % 1000) / 10}`;
}

/** A folder itself, and where Python wheels unpacked or installed below it keep their libraries. */
function layouts(folder: string): string[] {
  const nvidia = entries(`${folder}/nvidia`).map((name) => `${folder}/nvidia/${name}/lib`);
  return [folder, `${folder}/onnxruntime/capi`, ...nvidia];
}
function systemFolders(): string[] {
  const environment = (name: string) => {
    const granted = Deno.permissions.querySync({ name: "env", variable: name }).state === "granted";
    return granted ? Deno.env.get(name) ?? "" : "";
  };
  const python = environment("VIRTUAL_ENV") || environment("CONDA_PREFIX");
  const packages = python
    ? entries(`${python}/lib`).filter((name) => name.startsWith("python3")).map((name) =>
      `${python}/lib/${name}/site-packages`
    )
    : [];
  const toolkits = entries("/usr/local").filter((name) => name.startsWith("cuda-13")).map((name) =>
    `/usr/local/${name}/lib64`
  );
  const searched = environment("LD_LIBRARY_PATH").split(":").filter((folder) => folder);
  return [...packages.flatMap(layouts), ...searched, ...toolkits, "/usr/local/cuda/lib64", "/usr/lib/x86_64-linux-gnu"];
}
/** Libraries stay loaded: later look-ups by name find them. */
const LOADED: unknown[] = [];
const CAPABILITY_MAJOR = 75, CAPABILITY_MINOR = 76; // cudaDeviceAttr

const SYSTEM: CudaAccess = {
  exists(path) {
    try {
      return Deno.statSync(path).isFile;
    } catch (error) {
      if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotCapable) return false;
      throw error;
    }
  },
  load(path) {
    try {
      LOADED.push(Deno.dlopen(path, {}));
      return true;
    } catch {
      return false; // the loader's reason is one of: no such file, wrong machine, a missing dependency
    }
  },
  probe(cudart) {
    const { symbols } = Deno.dlopen(cudart, {
      cudaDriverGetVersion: { parameters: ["buffer"], result: "i32" },
      cudaRuntimeGetVersion: { parameters: ["buffer"], result: "i32" },
      cudaGetDeviceCount: { parameters: ["buffer"], result: "i32" },
      cudaDeviceGetAttribute: { parameters: ["buffer", "i32", "i32"], result: "i32" },
      cudaGetErrorString: { parameters: ["i32"], result: "pointer" },
    });
    const out = new Int32Array(new ArrayBuffer(4));
    const read = (call: () => number) => {
      out[0] = 0;
      const code = call();
      return { code, value: out[0]! };
    };
    const driver = read(() => symbols.cudaDriverGetVersion(out)).value;
    const runtime = read(() => symbols.cudaRuntimeGetVersion(out)).value;
    const { code, value: devices } = read(() => symbols.cudaGetDeviceCount(out));
    const attribute = (which: number) => read(() => symbols.cudaDeviceGetAttribute(out, which, 0)).value;
    const capability = devices ? attribute(CAPABILITY_MAJOR) * 10 + attribute(CAPABILITY_MINOR) : 0;
    const error = code ? Deno.UnsafePointerView.getCString(symbols.cudaGetErrorString(code)!) : "";
    return { code, error, devices, driver, runtime, capability };
  },
};
