/** Runs `diagnose --follow` as a person does, as one end of a pipe. */
import { join } from "node:path";
import { DENO_RUN, PROJECT } from "./command_line.ts";

/** A program that follows: its streams as text that has come so far, and what to wait for. */
export class Following {
  readonly #child: Deno.ChildProcess;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly #ends: Promise<unknown>[] = [];
  readonly #waiting = new Set<() => void>();
  #over = false;
  out = "";
  err = "";

  constructor(args: readonly string[], { closeStdout = false } = {}) {
    this.#child = new Deno.Command(Deno.execPath(), {
      args: [...DENO_RUN, join(PROJECT, "workflows/cli/main.ts"), "diagnose", "--follow", ...args],
      env: { INIT_CWD: PROJECT, NO_COLOR: "1" },
      cwd: PROJECT,
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    this.#writer = this.#child.stdin.getWriter();
    if (closeStdout) this.#ends.push(this.#child.stdout.cancel());
    else this.#ends.push(this.#collect(this.#child.stdout, (text) => this.out += text));
    this.#ends.push(this.#collect(this.#child.stderr, (text) => this.err += text));
  }

  async #collect(stream: ReadableStream<Uint8Array>, take: (text: string) => void): Promise<void> {
    const decoder = new TextDecoder();
    for await (const chunk of stream) {
      take(decoder.decode(chunk, { stream: true }));
      for (const look of this.#waiting) look();
    }
    take(decoder.decode());
    this.#over = true;
    for (const look of this.#waiting) look();
  }

  async write(text: string | Uint8Array): Promise<void> {
    await this.#writer.write(typeof text === "string" ? new TextEncoder().encode(text) : text);
  }

  /** Resolves when what has come out holds the text. */
  shows(where: "out" | "err", pattern: RegExp | string): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const look = () => {
      if (typeof pattern === "string" ? this[where].includes(pattern) : pattern.test(this[where])) resolve();
      else if (this.#over) reject(new Error(`It ended without ${pattern}: ${this.err}`));
    };
    this.#waiting.add(look);
    look();
    return promise.finally(() => this.#waiting.delete(look));
  }

  signal(signal: Deno.Signal): void {
    this.#child.kill(signal);
  }

  /** Closes its stdin, where that is not done for it, and waits for its end. */
  async end({ close = true } = {}): Promise<number> {
    if (close) await this.#writer.close();
    const { code } = await this.#child.status;
    await Promise.all(this.#ends);
    if (!close) await this.#writer.abort().catch(() => {});
    return code;
  }
}
