/**
 * Joins lines of `name:value - name:value` that a window has wrapped at its width, within a name or a number too.
 *
 * The width is learnt from the first line that goes on in the next one: till then every line waits that is longer than
 * those that did not, and afterwards lines of that width.
 * @module
 */
import type { Line } from "./lines.ts";

const SEPARATOR = " - ";
/** Windows are as wide as this. */
const NARROWEST = 60, WIDEST = 600;
const ENOUGH = 3; // Lines of one length that did not go on: it is no window's.
/** Characters at the end of a line that a copied window may have lost: a blank, or one and a dash's. */
const LOST = 1;
const PART =
  /^[A-Za-z_][\w/@.()%-]*:\s*(?:np\.\w+\(|tensor\()?(?:[-+]?[\d.]+(?:e[-+]?\d+)?|nan|[-+]?inf|None)\)?[\s-]*$/i;

export class WrappedLine {
  #held: Line | null = null;
  /** null before it is known. */
  #width: number | null = null;
  /** The longest line that did not go on, which a window is as wide as; how many of them there were. */
  #whole = NARROWEST;
  #seen = 0;

  /** A line waits for its rest. */
  get isKept(): boolean {
    return this.#held !== null;
  }

  /** Keeps a step's first line where it may go on in the next one; false where it is whole. */
  keep(line: Line): boolean {
    const { length } = line.text;
    const least = this.#whole + (this.#seen < ENOUGH ? 0 : 1);
    const may = this.#width === null ? length >= least && length <= WIDEST : this.#isFull(length);
    if (may && line.ended) this.#held = line;
    return this.#held !== null;
  }

  /** Joins the line to the one that is kept: the whole line where it ends here, true where it goes on, null where it does not belong. */
  join({ text, ended }: Line): Line | true | null {
    const held = this.#held;
    if (held === null || text.length > (this.#width ?? held.text.length) || text.trim() === "") return null;
    const joined = held.text + (held.text.endsWith(" -") && !text.startsWith(" ") ? " " : "") + text;
    const from = held.text.lastIndexOf(SEPARATOR, held.text.length - SEPARATOR.length - 1);
    const parts = joined.slice(from < 0 ? 0 : from + SEPARATOR.length).split(SEPARATOR), last = parts.pop()!;
    const width = this.#width ?? held.text.length, isFull = text.length >= width - LOST;
    if (from < 0 || !parts.every((part) => PART.test(part)) || !(isFull || PART.test(last))) return null;
    this.#width = width;
    this.#held = { ...held, text: joined, ended };
    if (isFull && ended) return true;
    return this.take();
  }

  /** The line that is kept, as it is; nothing is kept any more. */
  take(): Line | null {
    const held = this.#held;
    this.#held = null;
    if (held !== null && this.#width === null) [this.#whole, this.#seen] = [held.text.length, this.#seen + 1];
    return held;
  }

  #isFull(length: number): boolean {
    return length <= this.#width! && length >= this.#width! - LOST;
  }
}
