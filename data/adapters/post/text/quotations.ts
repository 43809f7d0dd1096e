/** What a post quotes: lines behind `>`, kept in case that it is all there is. @module */
import type { Line } from "../../source/lines.ts";

const QUOTE = /^\s*>\s?(.*)$/s, QUOTES = /^\s*(?:>\s?)+/;
const MAX_LINES = 20_000, MAX_TEXT = 4 << 20; // Lines and characters that are kept.
const PASSED_ON = 0.25; // Lines of the author for each that they quote, where the whole is a report of somebody.

export class Quotations {
  /** With one mark taken off: quotations within them stay such. */
  #lines: Line[] = [];
  #text = 0;
  /** Lines of the author beside them. */
  #own = 0;

  /** The line without marks of quotation where it is one; null for any other. */
  take(line: Line): Line | null {
    const quote = QUOTE.exec(line.text);
    if (quote === null) return null;
    if (this.#lines.length < MAX_LINES && this.#text < MAX_TEXT) {
      this.#lines.push({ ...line, text: quote[1]! });
      this.#text += line.text.length;
    }
    return { ...line, text: unquoted(line.text) };
  }

  /** Counts a line of the author. */
  beside(): void {
    this.#own++;
  }

  get first(): Line | undefined {
    return this.#lines[0];
  }

  /** Hardly a line stands beside them: a report of somebody that is passed on. */
  get isWhole(): boolean {
    return this.#lines.length > 0 && this.#own <= PASSED_ON * this.#lines.length;
  }

  /** Hands them out, once. */
  release(): readonly Line[] {
    return this.#lines.splice(0);
  }
}

/** A line without its marks of quotation. */
export const unquoted = (text: string): string => text.replace(QUOTES, "");
