/** What float results depend on besides the workflow: device, backend, threads, CPU class, versions. @module */
import { chooseRuntime } from "../../gpu/ort/choose_device.ts";
import type { StepContext } from "../../steps/step.ts";
import type { RunSettings } from "../plan/plan.ts";

export interface RunEnvironment extends Pick<StepContext, "device" | "backend" | "threads"> {
  /** Architecture and the vector extensions that kernels choose by. */
  readonly cpuClass: string;
  readonly versions: Readonly<Record<string, string>>;
}

/** The environment given, or the one of this machine with a line for each thing that "auto" could not have. */
export function findEnvironment(
  settings: RunSettings,
  given?: RunEnvironment,
): { readonly environment: RunEnvironment; readonly notes: readonly string[] } {
  if (given !== undefined) return { environment: given, notes: [] };
  const { device, backend, notes } = chooseRuntime(settings);
  const threads = settings.threads ?? (settings.deterministic ? 1 : navigator.hardwareConcurrency);
  return { environment: { device, backend, threads, cpuClass: cpuClass(), versions: VERSIONS }, notes };
}

const project = JSON.parse(Deno.readTextFileSync(new URL("../../deno.json", import.meta.url)));

const VERSIONS = {
  nonzero: project.version,
  deno: Deno.version.deno,
  onnxruntime: /@([\d.]+)$/.exec(project.imports["onnxruntime-node"])?.[1] ?? "unknown",
};

const EXTENSIONS = "avx avx2 fma avx512f avx512bw avx512_vnni avx512_bf16 amx_tile asimd sve".split(" ");

/** For example `x86_64 avx avx2 fma`; the bare architecture where the system does not tell. */
export function cpuClass(cpuinfo: string | null = readCpuinfo()): string {
  const flags = new Set(/^(?:flags|Features)\s*:\s*(.*)$/m.exec(cpuinfo ?? "")?.[1]?.split(" "));
  return [Deno.build.arch, ...EXTENSIONS.filter((name) => flags.has(name))].join(" ");
}

/** Deno keeps /proc for --allow-all, so another program reads it; a system without one just has no extensions listed. */
function readCpuinfo(): string | null {
  if (Deno.build.os !== "linux") return null;
  const { success, stdout } = new Deno.Command("grep", {
    args: ["-m1", "-E", "^(flags|Features)", "/proc/cpuinfo"],
    stderr: "null",
  }).outputSync();
  return success ? new TextDecoder().decode(stdout) : null;
}
