/** Reads the lines of a text file, some at a time: within limits, of a known encoding, with their numbers. @module */
import { decodeText, type Encoding, markOf } from "./text_encoding.ts";
import { chunksOfFile } from "./bytes_of_file.ts";
import { LIMITS, megabytes } from "./limits.ts";

/** Lines without their ends; the first one's number, from 1. */
interface Lines {
  readonly lines: readonly string[];
  readonly first: number;
}

const NEWLINE = 10;

/** Throws SyntaxError, with the line, for bytes that are no text of the encoding; RangeError for a line that is too long. */
export async function* linesOfFile(path: string, encoding: Encoding | undefined): AsyncGenerator<Lines> {
  let rest = new Uint8Array(0), first = 1, mark: Encoding | null | undefined;
  let wide: WideLines | null = null;
  for await (const chunk of chunksOfFile(path)) {
    const bytes = joined(rest, chunk);
    // The first two bytes say whether it is UTF-16, whose line ends are not one byte.
    if (mark === undefined) {
      if (bytes.length < 2) {
        rest = bytes;
        continue;
      }
      mark = markOf(bytes);
      const used = encoding ?? mark ?? "utf-8";
      if (used.startsWith("utf-16")) wide = new WideLines(used);
    }
    if (wide) {
      const lines = wide.take(bytes);
      rest = new Uint8Array(0);
      if (lines.length > 0) yield { lines, first };
      first += lines.length;
      continue;
    }
    const end = bytes.lastIndexOf(NEWLINE) + 1;
    bound(bytes, end, first);
    if (end > 0) {
      const lines = decoded(bytes.subarray(0, end - 1), encoding, first);
      yield { lines, first };
      first += lines.length;
    }
    rest = bytes.slice(end);
  }
  const last = wide ? wide.end() : rest.length > 0 ? decoded(rest, encoding, first) : [];
  if (last.length > 0) yield { lines: last, first };
}

function decoded(bytes: Uint8Array, encoding: Encoding | undefined, first: number): string[] {
  const text = decodeText(bytes, encoding ?? null, first);
  return text.split("\n");
}

/** No line, nor what may become one, is longer than a line may be. */
function bound(bytes: Uint8Array, end: number, first: number): void {
  if (bytes.length <= LIMITS.line) return;
  let number = first;
  for (let from = 0; from < bytes.length; number++) {
    const found = bytes.indexOf(NEWLINE, from), to = found < 0 ? bytes.length : found;
    if (to - from > LIMITS.line) {
      const most = megabytes(LIMITS.line), has = found < 0 && from >= end ? `more than ${most}` : megabytes(to - from);
      throw new RangeError(`line ${number} has ${has} MB, want at most ${most} MB; one row is one line`);
    }
    from = to + 1;
  }
}

function joined(a: Uint8Array<ArrayBuffer>, b: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(a.length + b.length);
  bytes.set(a);
  bytes.set(b, a.length);
  return bytes;
}

/** Lines of UTF-16. */
class WideLines {
  readonly #decoder: TextDecoder;
  #text = "";

  constructor(readonly encoding: Encoding) {
    this.#decoder = new TextDecoder(encoding, { fatal: true });
  }

  take(bytes: Uint8Array): string[] {
    this.#text += this.#decoded(bytes, true);
    if (this.#text.length > LIMITS.line) throw new RangeError(`a line has more than ${megabytes(LIMITS.line)} MB`);
    const lines = this.#text.split("\n");
    this.#text = lines.pop()!;
    return lines;
  }

  end(): string[] {
    const text = this.#text + this.#decoded(new Uint8Array(0), false);
    return text === "" ? [] : [text];
  }

  #decoded(bytes: Uint8Array, stream: boolean): string {
    try {
      return this.#decoder.decode(bytes, { stream });
    } catch (cause) {
      throw new SyntaxError(`it is no ${this.encoding} text; save it as UTF-8`, { cause });
    }
  }
}
