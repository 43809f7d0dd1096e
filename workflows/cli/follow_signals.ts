/** What SIGINT and SIGTERM mean to who follows a log: an end with a verdict, and nothing of the log lost. @module */
import { EXIT } from "./failures.ts";

/** Two deliveries within this many ms are one (npx passes a signal on that the terminal delivers too). */
const SAME_SIGNAL_MS = 1000;

/**
 * The first SIGINT asks for the end: a file is read to where it stands, standard input to its own end, for Ctrl-C reached
 * the program that writes it, too, and what it says as it ends is the person's. A second one, or SIGTERM, ends at once.
 */
export class FollowSignals {
  readonly #stop = new AbortController();
  readonly #end = new AbortController();
  readonly #listeners: readonly (readonly [Deno.Signal, () => void])[];
  #last = -Infinity;
  /** The exit code of the signal that came, or null. */
  code: number | null = null;

  constructor(
    private readonly what: string,
    private readonly say: (text: string) => void,
    private readonly now = () => performance.now(),
  ) {
    const signals = [["SIGINT", () => this.interrupt()], ["SIGTERM", () => this.terminate()]] as const;
    this.#listeners = Deno.build.os === "windows" ? signals.slice(0, 1) : signals;
    for (const [signal, listener] of this.#listeners) Deno.addSignalListener(signal, listener);
  }

  /** What SIGINT does; a third one does not wait for the verdict. */
  interrupt(): void {
    const repeated = this.now() - this.#last < SAME_SIGNAL_MS;
    this.#last = this.now();
    if (this.code === null) {
      this.code = EXIT.interrupted;
      this.say(`interrupted: reads ${this.what} to its end; Ctrl-C again ends now`);
      this.#stop.abort();
    } else if (!repeated) this.end.aborted ? Deno.exit(this.code) : this.endNow();
  }

  /** What SIGTERM does. */
  terminate(): void {
    this.code = EXIT.terminated;
    this.endNow();
  }

  /** Ends the pieces of a file. */
  get stop(): AbortSignal {
    return this.#stop.signal;
  }

  /** Ends everything but the verdict. */
  get end(): AbortSignal {
    return this.#end.signal;
  }

  endNow(): void {
    this.#stop.abort();
    this.#end.abort();
  }

  close(): void {
    for (const [signal, listener] of this.#listeners) Deno.removeSignalListener(signal, listener);
  }
}
