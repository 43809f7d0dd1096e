/** Keeps what is done beside other work within a share of the time. @module */

/** Times of the first runs that count as free: in them a program is compiled, and what begins badly shows early. */
const FREE = 8;

export class TimeShare {
  #began: number | null = null;
  #done = 0;
  #spent = 0;
  #last = 0;

  /** `now` is a clock in milliseconds. */
  constructor(private readonly share: number, private readonly now: () => number = () => performance.now()) {}

  /** Whether there is time left to do it. */
  get isLeft(): boolean {
    return this.#done < FREE || this.#spent <= this.#earned;
  }

  /** Whether there is as much of it left as was needed last. */
  get isEnough(): boolean {
    return this.#done < FREE || this.#spent + this.#last <= this.#earned;
  }

  get #earned(): number {
    return this.#began === null ? 0 : this.share * (this.now() - this.#began);
  }

  /** Does it and counts its time. */
  spend<Result>(work: () => Result): Result {
    const start = this.now();
    this.#began ??= start;
    const result = work();
    this.#last = this.now() - start;
    if (this.#done++ >= FREE) this.#spent += this.#last;
    return result;
  }
}
