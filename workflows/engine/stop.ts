/** How a run is asked to pause or stop: at the next safe point, or hard when it does not get there in time. @module */
import { guardSignals } from "./signal_guard.ts";

type StopSignal = "SIGINT" | "SIGTERM";

/** Two deliveries within this many ms are one (npx passes a signal on that the terminal delivers too). */
const SAME_SIGNAL_MS = 1000;
const SIGTERM_GRACE_MS = 4000; // SIGTERM ends a run within 5 s; the rest is for writing the last events.

/** Exit codes by signal. */
export const SIGNAL_EXIT = { SIGINT: 130, SIGTERM: 143 } as const satisfies Record<StopSignal, number>;

/** The run was stopped without a safe point; the last checkpoint is what is kept. */
export class HardStop extends Error {
  override readonly name = "HardStop";
}

/** The run stops at a safe point; `checkpoint` is null when its state could not be saved. */
export class Interrupted extends Error {
  override readonly name = "Interrupted";
  constructor(readonly checkpoint: string | null) {
    super("The run was stopped at a safe point");
  }
}

/** A request to stop and whoever waits for it. */
export class StopControl {
  #requested: StopSignal | null = null;
  #last = -Infinity;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #soft = new AbortController();
  readonly #hard = Promise.withResolvers<never>();
  #stopped: HardStop | null = null;
  readonly #waiting = new Set<(error: HardStop) => void>();

  /** `now` in ms, monotonic. */
  constructor(readonly now: () => number = () => performance.now(), readonly graceMs: number = SIGTERM_GRACE_MS) {
    this.#hard.promise.catch(() => {});
  }

  /** What asked for the stop, or null. */
  get requested(): StopSignal | null {
    return this.#requested;
  }

  /** Aborted with the first request. */
  get signal(): AbortSignal {
    return this.#soft.signal;
  }

  /** Rejects with HardStop at the second request, or when SIGTERM's time is over. */
  get hard(): Promise<never> {
    return this.#hard.promise;
  }

  /**
   * The result of `work`, or HardStop where that comes first. Keeps nothing afterwards: `Promise.race` with `hard` would
   * hold on to every result until the run ends.
   */
  async unlessHard<Result>(work: Promise<Result>): Promise<Result> {
    if (this.#stopped !== null) throw this.#stopped;
    const { promise, reject } = Promise.withResolvers<never>();
    this.#waiting.add(reject);
    try {
      return await Promise.race([work, promise]);
    } finally {
      this.#waiting.delete(reject);
    }
  }

  #stopHard(reason: string): void {
    this.#stopped ??= new HardStop(reason);
    this.#hard.reject(this.#stopped);
    for (const reject of this.#waiting) reject(this.#stopped);
  }

  /** Asks the run to stop; a second request more than a second later stops it hard. */
  request(signal: StopSignal): void {
    const time = this.now();
    const repeated = time - this.#last < SAME_SIGNAL_MS;
    this.#last = time;
    if (this.#requested === null) {
      this.#requested = signal;
      this.#soft.abort(new Error(`The run was asked to stop by ${signal}`));
      if (signal === "SIGTERM") {
        const reason = `no safe point within ${this.graceMs / 1000} s of SIGTERM`;
        this.#timer = setTimeout(() => this.#stopHard(reason), this.graceMs);
      }
    } else if (!repeated) this.#stopHard(`a second signal (${signal})`);
  }

  /** Ends the timer; the run is over. */
  close(): void {
    clearTimeout(this.#timer);
  }
}

/**
 * Passes SIGINT and SIGTERM on to `stop` until the returned function is called; a program that hears no signal any more
 * is ended by them. Windows has no SIGTERM.
 */
export function listenForSignals(stop: StopControl): () => void {
  const signals: StopSignal[] = Deno.build.os === "windows" ? ["SIGINT"] : ["SIGINT", "SIGTERM"];
  const listeners = signals.map((signal) => [signal, () => stop.request(signal)] as const);
  for (const [signal, listener] of listeners) Deno.addSignalListener(signal, listener);
  const release = guardSignals({ signals });
  return () => {
    release();
    for (const [signal, listener] of listeners) Deno.removeSignalListener(signal, listener);
  };
}
