/** A fence while it is read, with the lines in it; or a block that is set by spaces in place of one. @module */
import type { Line } from "../../source/lines.ts";
import type { Fence } from "./fence.ts";
import { isIndented, outdented } from "./indented.ts";

const OPENING = /^\s*(`{3,}|~{3,})\s*\{?\.?([\w+-]*)\}?[^`]*$/, CLOSING = /^(`{3,}|~{3,})$/;
const MAX_MARK = 500; // Characters of a line that opens one.
const MAX_LINES = 20_000, MAX_TEXT = 4 << 20; // What one holds together; a longer one is a log.

export class OpenFence implements Fence {
  readonly lines: Line[] = [];
  #text = 0;

  /** `mark` is null of a block that is set by spaces; `first` is the line before the first one in it. */
  private constructor(
    private readonly mark: string | null,
    readonly language: string,
    readonly lead: string,
    readonly first: number,
  ) {}

  /** The fence that a line opens; null where it opens none. */
  static at({ text, number }: Line, lead: string): OpenFence | null {
    const found = text.length > MAX_MARK ? null : OPENING.exec(text);
    return found === null ? null : new OpenFence(found[1]!, found[2]!.toLowerCase(), lead, number);
  }

  /** The block that begins with a line. */
  static indented({ number }: Line, lead: string): OpenFence {
    return new OpenFence(null, "", lead, number - 1);
  }

  /** The line is its last one. */
  closes(text: string): boolean {
    const mark = this.mark === null ? null : CLOSING.exec(text.trim());
    return mark !== null && mark[1]!.startsWith(this.mark!);
  }

  /** The line stands behind it: a block set by spaces has no last one. */
  isBefore(text: string): boolean {
    return this.mark === null && text.trim() !== "" && !isIndented(text);
  }

  /** False where it holds no more. */
  take(line: Line): boolean {
    if (this.lines.length >= MAX_LINES || this.#text >= MAX_TEXT) return false;
    this.lines.push(this.mark === null ? { ...line, text: outdented(line.text) } : line);
    this.#text += line.text.length;
    return true;
  }
}
