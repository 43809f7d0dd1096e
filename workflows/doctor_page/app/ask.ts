/** Asks the worker, which reads while the page stays awake. @module */
import type { Answered, Asked, Diagnosed, Given, ShownLines } from "../reading/messages.ts";

type Waiting = {
  readonly resolve: (answer: never) => void;
  readonly reject: (error: Error) => void;
  readonly progress: (bytes: number) => void;
};

/** An asking without its number. */
type Asking<Kind> = Kind extends Asked ? Omit<Kind, "id"> : never;

export class Reader {
  #worker!: Worker;
  readonly #waiting = new Map<number, Waiting>();
  #last = 0;

  /** Starts the program of the worker, a text. */
  constructor(program: string) {
    this.#start(URL.createObjectURL(new Blob([program], { type: "text/javascript" })));
  }

  #start(address: string): void {
    this.#worker = new Worker(address);
    this.#worker.onmessage = ({ data }: MessageEvent<Answered>) => this.#hear(data);
    this.#worker.onerror = ({ message }) => {
      for (const { reject } of this.#waiting.values()) reject(new Error(message));
      this.#waiting.clear();
      this.#worker.terminate();
      this.#start(address); // for what is given next
    };
  }

  diagnose(given: Given, progress: (bytes: number) => void): Promise<Diagnosed> {
    return this.#ask({ ask: "examine", given }, progress);
  }

  lines(path: string, from: number, count: number, words: Readonly<Record<number, readonly string[]>>) {
    return this.#ask<ShownLines>({ ask: "lines", path, from, count, words });
  }

  #ask<Answer>(asked: Asking<Asked>, progress: (bytes: number) => void = () => {}): Promise<Answer> {
    const id = ++this.#last, { promise, resolve, reject } = Promise.withResolvers<Answer>();
    this.#waiting.set(id, { resolve, reject, progress });
    this.#worker.postMessage({ ...asked, id });
    return promise;
  }

  #hear(message: Answered): void {
    const waiting = this.#waiting.get(message.id);
    if (waiting === undefined) return;
    if ("progress" in message) return waiting.progress(message.progress.bytes);
    this.#waiting.delete(message.id);
    if ("error" in message) waiting.reject(new Error(message.error));
    else waiting.resolve(message.answer as never);
  }
}
