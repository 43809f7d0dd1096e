/** The text of ids as they come, one after the other: half a character waits for the rest of it. @module */

const MOST_WAITING = 8; // Ids that half a character can be spread over: one for each byte, and what a decoder joins.

export class TextStream {
  #ids: number[] = [];
  /** Text of the ids that are held, as far as it was given out. */
  #given = "";
  /** Ids whose text was given out; the last of them stay, since a decoder may treat the first id of a text otherwise. */
  #kept = 0;

  constructor(private readonly decode: (ids: readonly number[]) => string) {}

  /** What the id adds; "" while it is in the middle of a character. */
  push(id: number): string {
    this.#ids.push(id);
    const text = this.decode(this.#ids);
    if (text.endsWith("\ufffd") && this.#ids.length - this.#kept < MOST_WAITING) return "";
    return this.#release(text);
  }

  /** What still waits, U+FFFD for half a character. */
  end(): string {
    const rest = this.#release(this.decode(this.#ids));
    [this.#ids, this.#given, this.#kept] = [[], "", 0];
    return rest;
  }

  #release(text: string): string {
    const fresh = text.slice(this.#given.length);
    this.#ids = this.#ids.slice(this.#kept);
    this.#kept = this.#ids.length;
    this.#given = this.decode(this.#ids);
    return fresh;
  }
}
