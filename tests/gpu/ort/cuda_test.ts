/** The CUDA preflight, stage by stage, on machines that are made up. */
import assert from "node:assert/strict";
import { CUDA, type CudaAccess, cudaPreflight, type CudaProbe } from "../../../gpu/ort/cuda.ts";

const WORKING: CudaProbe = { code: 0, error: "", devices: 1, driver: 13000, runtime: 13000, capability: 90 };
const ORT_FILES = [CUDA.provider, CUDA.shared, "libonnxruntime.so.1"], ALL = [...ORT_FILES, ...CUDA.needed];

/** A machine with these files in /cuda, libraries that all load except some, and that probe. */
function machine(
  files: readonly string[],
  probe: Partial<CudaProbe> = {},
  refused: readonly string[] = [],
): CudaAccess {
  return {
    exists: (path) => files.some((name) => path === `/cuda/${name}`),
    load: (path) => !refused.some((name) => path.endsWith(name)),
    probe: () => ({ ...WORKING, ...probe }),
  };
}
const without = (...names: string[]) => ALL.filter((name) => !names.includes(name));

const STAGES: readonly [string, CudaAccess, RegExp, RegExp][] = [
  ["no provider", machine([]), /^libonnxruntime_providers_cuda\.so is missing$/, /onnxruntime-gpu==1\.30\.0/],
  ["no shared part", machine(without(CUDA.shared)), /\/cuda\/libonnxruntime_providers_shared\.so is missing/, /beside/],
  [
    "no core",
    machine(without("libonnxruntime.so.1")),
    /libonnxruntime\.so\.1 or .* in \/cuda is missing/,
    /same version/,
  ],
  ["no driver", machine(ALL, {}, ["libcuda.so.1"]), /libcuda\.so\.1 \(the NVIDIA driver\) is missing/, /580/],
  [
    "no libraries",
    machine(without("libcublas.so.13", "libcurand.so.10")),
    /^libcublas\.so\.13, libcurand\.so\.10 is missing$/,
    /CUDA 13/,
  ],
  [
    "a broken library",
    machine(ALL, {}, ["libcudart.so.13"]),
    /a loadable libcudart\.so\.13 \(\/cuda\/libcudart/,
    /reinstall/,
  ],
  [
    "an old driver",
    machine(ALL, { code: 35, driver: 12040 }),
    /a driver for CUDA 13 \(this one supports 12\.4\)/,
    /580/,
  ],
  [
    "no device",
    machine(ALL, { code: 100, error: "no device", devices: 0 }),
    /a CUDA device \(CUDA answers 100: no device\)/,
    /nvidia-smi/,
  ],
  [
    "an unknown capability",
    machine(ALL, { capability: 100 }),
    /code for compute capability 10 \(the provider has 7\.5 8/,
    /use device cpu/,
  ],
];
for (const [name, access, missing, fix] of STAGES) {
  Deno.test({
    name: `cudaPreflight() names ${name}`,
    ignore: Deno.build.os !== "linux",
    fn() {
      const result = cudaPreflight(["/cuda"], access);
      assert(!result.ok);
      assert.match(result.missing, missing);
      assert.match(result.fix, fix);
      assert.deepEqual(result.lines.slice(-2).map((line) => line.split(":")[0]), ["missing", "fix"]);
    },
  });
}

Deno.test({
  name: "cudaPreflight() passes a complete machine and gives the files to load",
  ignore: Deno.build.os !== "linux",
  fn() {
    const result = cudaPreflight(["/cuda"], machine(ALL));
    assert(result.ok);
    assert.deepEqual([result.library, result.cudart], ["/cuda/libonnxruntime.so.1", "/cuda/libcudart.so.13"]);
  },
});

Deno.test({
  name: "cudaPreflight() finds files where Python wheels put them",
  ignore: Deno.build.os !== "linux",
  fn() {
    const root = Deno.makeTempDirSync(), capi = `${root}/onnxruntime/capi`;
    try {
      Deno.mkdirSync(capi, { recursive: true });
      Deno.writeTextFileSync(`${capi}/${CUDA.provider}`, "");
      const result = cudaPreflight([root]);
      assert(!result.ok);
      assert.equal(result.missing, `${capi}/${CUDA.shared} is missing`);
    } finally {
      Deno.removeSync(root, { recursive: true });
    }
  },
});
