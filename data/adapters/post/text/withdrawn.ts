/** What a writer's marks take out of a text: comments of Markdown, boxes that nobody ticked, what is struck out. @module */
import type { Line } from "../../source/lines.ts";

const OPENS = "<!--", CLOSES = "-->";
const STRUCK = /~~(?=[^\s~])[^~]{1,2000}?(?<=[^\s~])~~/g;
/** A box of a list without a tick. */
const BOX = /^\s*(?:>\s?)*(?:[-*+•]|\d{1,3}[.)])?\s*(?:\[ \]|[☐⬜◻])\s/u;
const BOX_WITHIN = 120; // Characters of a line.
const MAX_LINES = 400; // Of a comment; one that goes on has lost its end.

export class Withdrawn {
  /** Lines of a comment whose end has not come. */
  #open: Line[] = [];

  /** The lines that state something once this one is read. */
  take(line: Line): readonly Line[] {
    if (this.#open.length > 0) {
      const at = line.text.indexOf(CLOSES);
      if (at < 0) {
        this.#open.push(line);
        return this.#open.length > MAX_LINES ? this.release() : [];
      }
      const before = this.#open[0]!, own = before.text.slice(0, before.text.indexOf(OPENS));
      this.#open = [];
      const rest = this.take({ ...line, text: line.text.slice(at + CLOSES.length) });
      return own.trim() === "" ? rest : [{ ...before, text: own }, ...rest];
    }
    let { text } = line;
    if (text.includes(OPENS)) text = withoutComments(text);
    if (text.includes("~~")) text = text.replace(STRUCK, " ");
    if (BOX.test(text.slice(0, BOX_WITHIN))) text = "";
    if (text.includes(OPENS)) {
      this.#open.push({ ...line, text });
      return [];
    }
    return [text === line.text ? line : { ...line, text }];
  }

  /** Hands out the lines of a comment that never ends: nobody can say where it was meant to. */
  release(): readonly Line[] {
    const [first, ...rest] = this.#open.splice(0);
    return first === undefined ? [] : [{ ...first, text: first.text.replaceAll(OPENS, " ") }, ...rest];
  }
}

/** A line with a blank for each comment that ends in it; one look for each end, so that many without one cost no more. */
function withoutComments(text: string): string {
  let kept = "", from = 0;
  while (true) {
    const at = text.indexOf(OPENS, from), end = at < 0 ? -1 : text.indexOf(CLOSES, at + OPENS.length);
    if (end < 0) return kept + text.slice(from);
    kept += `${text.slice(from, at)} `;
    from = end + CLOSES.length;
  }
}
