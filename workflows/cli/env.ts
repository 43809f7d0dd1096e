/** `env`: what this machine has, as one block for a bug report. @module */
import { byteText } from "../../data/byte_text.ts";
import { cpus, freemem, loadavg, totalmem } from "node:os";
import { messageOf } from "../../data/error_text.ts";
import { defineCommand } from "./command.ts";
import { PROJECT } from "../terminal/paths.ts";
import { stdout } from "../terminal/terminal.ts";

export const env = defineCommand({
  about: "Versions, backend, device, why not CUDA, load, disk: the block for a bug report",
  usage: "[--json]",
  words: [0, 0],
  options: { json: { about: "one JSON object" } },
  async run(_words, { json }) {
    const facts = await environmentFacts();
    if (json) stdout.json(JSON.stringify(facts));
    else {
      const width = Math.max(...Object.keys(facts).map((k) => k.length)) + 2;
      for (const [key, value] of Object.entries(facts)) {
        const lines = Array.isArray(value) ? value : [value];
        lines.forEach((line, i) => stdout.line(`${(i ? "" : key).padEnd(width)}${line}`));
      }
    }
    return 0;
  },
});

/** The facts, in the order they are printed. */
export async function environmentFacts(): Promise<Record<string, string | readonly string[]>> {
  const { describeRuntime } = await import("../../gpu/session.ts");
  const config = JSON.parse(await Deno.readTextFile(`${PROJECT}/deno.json`)) as {
    version: string;
    imports: Record<string, string>;
  };
  const processors = cpus();
  return {
    nonzero: config.version,
    deno: `${Deno.version.deno}, V8 ${Deno.version.v8}, TypeScript ${Deno.version.typescript}`,
    system: `${Deno.build.os} ${Deno.build.arch} ${Deno.osRelease()}`,
    processor: `${processors.length} × ${processors[0]?.model ?? "unknown"}`,
    load: loadavg().map((x) => x.toFixed(2)).join(" "),
    memory: `${byteText(freemem())} free of ${byteText(totalmem())}`,
    disk: await freeDisk(),
    ...runtimeFacts(describeRuntime),
    packages: Object.entries(config.imports).filter(([, v]) => v.startsWith("npm:"))
      .map(([, v]) => v.replace(/^npm:\/?/, "").replace(/\/$/, "")).join(", "),
  };
}

function runtimeFacts(
  describe: typeof import("../../gpu/session.ts").describeRuntime,
): Record<string, string | readonly string[]> {
  try {
    const { version, build, providers, cuda } = describe();
    return {
      onnxruntime: `${version} (${build.replace(/^ORT Build Info: /, "")})`,
      backend: "ffi",
      providers: providers.join(", "),
      cuda: [cuda.usable ? "usable" : "not usable", ...cuda.lines],
    };
  } catch (error) { // the fallback is the fact to report
    return { backend: `napi (ffi not usable: ${messageOf(error)})` };
  }
}

async function freeDisk(): Promise<string> {
  const { statfs } = await import("node:fs/promises");
  const disk = await statfs(PROJECT);
  return `${byteText(disk.bavail * disk.bsize)} free of ${byteText(disk.blocks * disk.bsize)}`;
}
