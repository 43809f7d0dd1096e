/** Runs a command line in this process and gives what it printed: for commands that start no run. @module */
import { stdout } from "../../../workflows/terminal/terminal.ts";
import { main } from "../../../workflows/cli/main.ts";
import type { Printed } from "./command_line.ts";

/** What `body` writes to stdout and stderr, without colours. */
export async function captured(body: () => Promise<number>): Promise<Printed> {
  const decoder = new TextDecoder();
  const texts = { out: "", err: "" };
  const streams = { out: Deno.stdout, err: Deno.stderr };
  for (const [name, stream] of Object.entries(streams) as ["out" | "err", typeof Deno.stdout][]) {
    // An own property hides the method of the class until it is deleted.
    stream.writeSync = (bytes) => (texts[name] += decoder.decode(bytes), bytes.length);
  }
  try {
    const code = await body();
    // deno-lint-ignore no-control-regex
    const plain = (text: string) => text.replaceAll(/\x1b\[[0-9;]*[mK]/g, "");
    return { code, out: plain(texts.out), err: plain(texts.err) };
  } finally {
    for (const stream of Object.values(streams)) Reflect.deleteProperty(stream, "writeSync");
  }
}

/** `nonzero ARGS…`; paths must be absolute, for the folder of the caller belongs to the whole process. */
export function inProcess(args: readonly string[]): Promise<Printed> {
  return captured(() => main(args));
}

/** The same as on a terminal of 80 columns: what Output takes one that tells no size for. */
export async function onTerminal(args: readonly string[]): Promise<Printed> {
  const { live } = stdout;
  Object.defineProperties(stdout, {
    live: { value: true, configurable: true },
    columns: { value: 80, configurable: true },
  });
  try {
    return await inProcess(args);
  } finally {
    Object.defineProperty(stdout, "live", { value: live });
    Reflect.deleteProperty(stdout, "columns");
  }
}

/** The JSON lines of a text. */
export function jsonLines(text: string): Record<string, unknown>[] {
  return text.trimEnd().split("\n").map((line) => JSON.parse(line));
}
