/** A source that is fed as it grows: adapters read it as any other, and wait where it goes on. @module */
import type { Source } from "../adapter.ts";
import { wholeBytes } from "./whole_bytes.ts";

/** Bytes that are looked at to tell the format. */
export const HEAD = 1 << 16;

export class LiveSource implements Source {
  readonly size = NaN;
  readonly folder = null;
  readonly file = null;
  readonly #fed: Uint8Array[];
  #closed = false;
  #more = Promise.withResolvers<void>();
  #read = Promise.withResolvers<void>();

  readonly head: Uint8Array;

  /** `first` is what came before the format could be told. */
  constructor(readonly path: string, readonly name: string, first: Uint8Array) {
    this.#fed = [first];
    this.head = first.subarray(0, HEAD);
  }

  /** Resolves when everything that was fed is read, or nobody reads any more. */
  async feed(bytes: Uint8Array): Promise<void> {
    if (this.#closed) return;
    this.#fed.push(bytes);
    this.#read = Promise.withResolvers();
    this.#more.resolve();
    await this.read();
  }

  /** Resolves when what was fed so far is read. */
  read(): Promise<void> {
    return this.#read.promise;
  }

  /** Nothing more comes, or nobody reads it. */
  close(): void {
    this.#closed = true;
    this.#more.resolve();
    this.#read.resolve();
  }

  async *chunks(): AsyncGenerator<Uint8Array> {
    for (;;) {
      for (let next = this.#fed.shift(); next !== undefined; next = this.#fed.shift()) yield next;
      if (this.#closed) return;
      this.#more = Promise.withResolvers();
      this.#read.resolve();
      await this.#more.promise;
    }
  }

  bytes(limit: number): Promise<Uint8Array> {
    return wholeBytes(this.chunks(), this.path, limit);
  }
}
