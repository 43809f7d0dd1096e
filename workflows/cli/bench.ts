/** `bench`: runs one of the benchmarks in tests/bench. @module */
import { join } from "node:path";
import { nearest } from "../../data/did_you_mean.ts";
import { defineCommand } from "./command.ts";
import { UsageError } from "../terminal/usage_error.ts";
import { denoRun } from "./install.ts";
import { callerFolder, PROJECT } from "../terminal/paths.ts";
import { stdout } from "../terminal/terminal.ts";

export const bench = defineCommand({
  about: "Benchmarks with ratios: run one on a quiet machine",
  usage: "NAME [arguments of the benchmark]",
  words: [0, Infinity],
  options: {},
  passesOn: true,
  helpOfName: true,
  notes: ["Without a name, the benchmarks are listed; NAME --help says what one measures, and its options."],
  async run([name, ...args]) {
    const names = benchmarks();
    if (name === undefined) throw new UsageError(`Cannot run a benchmark: no name given; want ${names.join(" | ")}`);
    if (!names.includes(name)) {
      throw new UsageError(
        `Cannot run benchmark "${name}": it is none, want ${names.join(" | ")}${nearest(name, names)}`,
      );
    }
    if (args.some((arg) => arg === "--help" || arg === "-h")) {
      stdout.line(benchmarkHelp(name));
      return 0;
    }
    const child = new Deno.Command(Deno.execPath(), {
      args: denoRun(`tests/bench/${name}.ts`, args, ["--allow-net=127.0.0.1"]), // explore reads pages that it serves
      cwd: PROJECT,
      env: { INIT_CWD: callerFolder() },
    }).spawn();
    return (await child.status).code;
  },
});

/** What a benchmark measures and its options: the comment at its head. */
export function benchmarkHelp(name: string): string {
  const source = Deno.readTextFileSync(join(PROJECT, "tests", "bench", `${name}.ts`));
  const [, comment = ""] = /^\/\*\*(.*?)\*\//s.exec(source) ?? [];
  return comment.split("\n").map((line) => line.replace(/^ ?\* ?/, "")).filter((line) => line !== "@module").join("\n")
    .trim();
}

/** Names of the files in tests/bench that are programs. */
function benchmarks(): string[] {
  const folder = join(PROJECT, "tests", "bench");
  return [...Deno.readDirSync(folder)].map(({ name }) => name)
    .filter((name) => name.endsWith(".ts") && !name.endsWith("_test.ts"))
    .filter((name) => Deno.readTextFileSync(join(folder, name)).includes("import.meta.main"))
    .map((name) => name.slice(0, -3)).sort();
}
