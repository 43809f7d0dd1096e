/** Lines of a file by their numbers, however long the file or a line is. @module */
import type { Source } from "../../../data/adapters/adapter.ts";
import { encodingOf, stripAnsi } from "../../../data/adapters/source/text.ts";
import { chunksOf } from "./blob_source.ts";
import type { ShownLine, ShownLines } from "./messages.ts";

/** Lines between two places that are kept. */
const EVERY = 200;
/** Bytes of a text that has to be turned into UTF-8, or unpacked, as a whole. */
const MOST = 1 << 28;
/** Characters of a line that are shown, and those before what is looked for. */
const LONGEST = 2400, BEFORE = 500;
const NEWLINE = 10;

/** Where the lines of a text begin. */
export class LineIndex {
  private constructor(
    readonly text: Blob,
    /** Byte of every 200th line. */
    readonly places: readonly number[],
    readonly total: number,
  ) {}

  /** Reads a source once; null where it holds no text. `blob` is the file where nothing has to be done to it. */
  static async of(source: Source, blob: Blob | null): Promise<LineIndex | null> {
    const encoding = encodingOf(source.head);
    if (encoding === "binary") return null;
    const text = encoding === "utf-8" && blob !== null ? blob : await utf8(source, encoding);
    const places = [0];
    let lines = 1, at = 0, last = 0;
    for await (const chunk of chunksOf(text)) {
      for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, end + 1)) {
        last = at + end + 1;
        if (lines % EVERY === 0) places.push(last);
        lines++;
      }
      at += chunk.length;
    }
    return new LineIndex(text, places, last === at && at > 0 ? lines - 1 : lines);
  }

  /** Lines from number `from` on; of a long one the part that has one of its `words`. */
  async lines(from: number, count: number, words: Readonly<Record<number, readonly string[]>>): Promise<ShownLines> {
    const first = Math.max(1, Math.min(from, this.total)), last = Math.min(this.total, first + count - 1);
    const place = Math.floor((first - 1) / EVERY), end = this.places[Math.floor((last - 1) / EVERY) + 1];
    const text = await this.text.slice(this.places[place], end).text();
    const lines = text.split("\n").slice((first - 1) - place * EVERY, last - place * EVERY);
    return { from: first, total: this.total, lines: lines.map((line, i) => shownLine(line, words[first + i] ?? [])) };
  }
}

/** The line as a terminal would show it, of a long one a part. */
export function shownLine(line: string, words: readonly string[]): ShownLine {
  const text = stripAnsi(line).replace(/\r+$/, "");
  if (text.length <= LONGEST) return { text, before: 0, behind: 0 };
  const found = words.map((word) => text.indexOf(word)).find((at) => at >= 0) ?? 0;
  const before = Math.max(0, Math.min(found - BEFORE, text.length - LONGEST));
  const part = text.slice(before, before + LONGEST);
  return { text: part, before, behind: text.length - before - part.length };
}

/** What can be read of a source, in UTF-8. */
async function utf8(source: Source, encoding: string): Promise<Blob> {
  const decoder = new TextDecoder(encoding), parts: string[] = [];
  let bytes = 0;
  try {
    for await (const chunk of source.chunks()) {
      parts.push(decoder.decode(chunk, { stream: true }));
      bytes += chunk.length;
      if (bytes > MOST) break;
    }
  } catch (error) {
    // What is damaged is told with the diagnosis: here it ends.
    if (!(error instanceof SyntaxError || error instanceof RangeError)) throw error;
  }
  return new Blob(parts);
}
