/** Passes bytes on to standard output unchanged, for as long as somebody reads them. @module */

/** Where bytes go: Deno.stdout. */
interface Sink {
  write(bytes: Uint8Array): Promise<number>;
}

export class PassOn {
  #closed: string | null = null;
  #last = 10;

  constructor(private readonly sink: Sink = Deno.stdout) {}

  /** Why nothing is written any more: nobody reads it (`| head`), or the disk is full; null while it is. */
  get closed(): string | null {
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
      for (let rest = bytes; rest.length && this.#closed === null;) rest = rest.subarray(await this.sink.write(rest));
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      this.#closed = error instanceof Deno.errors.BrokenPipe ? "nobody reads it" : error.message;
    }
  }
}
