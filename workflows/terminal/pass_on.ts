/** Passes bytes on to standard output unchanged, for as long as somebody reads them. @module */

/** Where bytes go: Deno.stdout. */
interface Sink {
  write(bytes: Uint8Array): Promise<number>;
}

export class PassOn {
  #closed = false;
  #last = 10;

  constructor(private readonly sink: Sink = Deno.stdout) {}

  /** Nobody reads any more (`| head`). */
  get closed(): boolean {
    return this.#closed;
  }

  /** What was written last does not end its line: a progress bar stands there. */
  get midLine(): boolean {
    return this.#last !== 10;
  }

  /** Writes all bytes; drops them where nobody reads any more. */
  async write(bytes: Uint8Array): Promise<void> {
    if (bytes.length === 0) return;
    this.#last = bytes[bytes.length - 1]!;
    try {
      for (let rest = bytes; rest.length && !this.#closed;) rest = rest.subarray(await this.sink.write(rest));
    } catch (error) {
      if (!(error instanceof Deno.errors.BrokenPipe)) throw error;
      this.#closed = true;
    }
  }
}
