/** Where a block begins that is set by spaces in place of a fence: behind an empty line or a colon, and not in a list. @module */

/** A point of a list. */
export const POINT = /^\s*(?:[-*+•]|\d+[.)])\s/;
const INDENT = /^(?: {4}|\t)(?=\s*\S)/;

export const isIndented = (text: string): boolean => INDENT.test(text);

/** A line of such a block as it is meant. */
export const outdented = (text: string): string => text.replace(INDENT, "");

export class Indented {
  #mayBegin = true;
  #isList = false;

  /** True of a line that begins one. */
  begins(text: string): boolean {
    return this.#mayBegin && isIndented(text);
  }

  /** Looks at a line that is none of one. */
  look(text: string): void {
    const isBlank = text.trim() === "";
    if (!isBlank) this.#isList = POINT.test(text) || this.#isList && /^\s/.test(text);
    this.#mayBegin = !this.#isList && (isBlank || /[:：]\s*$/.test(text));
  }
}
