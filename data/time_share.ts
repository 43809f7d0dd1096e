/** Keeps what is done beside other work within a share of the time. @module */

/** Turns in which what begins badly shows. */
const FIRST = 8;

/**
 * All of the time it takes counts. The first turns, and those whose number is a power of two, may be on credit, which
 * later turns pay back. So what can be seen at some turn is seen before there were twice as many, and what that costs
 * grows with the logarithm of the turns.
 */
export class TimeShare {
  #began: number | null = null;
  #turns = 0;
  #spent = 0;
  #last = 0;

  /** `now` is a clock in milliseconds. */
  constructor(private readonly share: number, private readonly now: () => number = () => performance.now()) {}

  /** Begins the next turn, in which it may be done. */
  turn(): void {
    this.#began ??= this.now();
    this.#turns++;
  }

  /** Turns so far, this one included. */
  get turns(): number {
    return this.#turns;
  }

  /** Whether it may be done now even if no time is left. */
  get isOnCredit(): boolean {
    return this.#turns > 0 && (this.#turns <= FIRST || Number.isInteger(Math.log2(this.#turns)));
  }

  /** Whether there is time left to do it. */
  get isLeft(): boolean {
    return this.#spent <= this.#earned;
  }

  /** Whether there is as much of it left as was needed last. */
  get isEnough(): boolean {
    return this.#spent + this.#last <= this.#earned;
  }

  get #earned(): number {
    return this.#began === null ? 0 : this.share * (this.now() - this.#began);
  }

  /** Does it and counts its time. */
  spend<Result>(work: () => Result): Result {
    const start = this.now();
    const result = work();
    this.#last = this.now() - start;
    this.#spent += this.#last;
    return result;
  }
}
