/** Reads the lists of a JSON object item by item: of a file of any size some MB are held at a time. @module */
import { chunksOfFile } from "./bytes_of_file.ts";
import { tooDeep } from "./depth.ts";
import { LIMITS, megabytes } from "./limits.ts";
import { markOf } from "./text_encoding.ts";

/** Some items of a list of the object, in order; of what is no list the value alone. */
interface ListItems {
  readonly key: string;
  /** Null where the member is no list. */
  readonly items: readonly unknown[] | null;
  /** Where the first of them stands in its list, from 1. */
  readonly first: number;
}

const QUOTE = 0x22, COMMA = 0x2c, OPEN_LIST = 0x5b, BACKSLASH = 0x5c, CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b, CLOSE_OBJECT = 0x7d;
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

/**
 * All members of the object in the order of the file; a list has one entry at least, also an empty one. NaN and Infinity,
 * which Python writes and JSON does not have, are the texts "NaN" and "Infinity". Throws SyntaxError for what is no such
 * object, RangeError for an item that is too large or too deep.
 */
export async function* listsOfFile(path: string): AsyncGenerator<ListItems> {
  const scanner = new Scanner();
  for await (const chunk of chunksOfFile(path)) yield* scanner.take(chunk);
  scanner.end();
}

/** Bytes that are looked at for the names of members. */
const AHEAD = 1 << 16;

/** Names of members with which the object of a file begins; none for what is no object. */
export async function firstKeys(path: string): Promise<readonly string[]> {
  const scanner = new Scanner();
  let length = 0;
  try {
    for await (const chunk of chunksOfFile(path)) {
      scanner.take(chunk);
      length += chunk.length;
      if (length >= AHEAD) break;
    }
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof RangeError)) throw error;
    // What is broken only later is still recognised, and named when it is read.
    return scanner.isOneObject ? scanner.keys : [];
  }
  return scanner.keys;
}

/**
 * Goes through the bytes once and looks only at brackets, commas and quotes; what lies between two commas of a list is
 * JSON.parse's to read, many items at a time.
 */
class Scanner {
  readonly keys: string[] = [];
  /** False once something follows the object. */
  isOneObject = true;
  readonly #decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  #bytes: Uint8Array = new Uint8Array(0);
  #isBegun = false;
  #isText = false;
  #depth = 0;
  /** Of bytes: where the member begins, or in a list the item. */
  #from = 0;
  #list: string | null = null;
  #isAfterList = false;
  #items = 0;

  take(chunk: Uint8Array): ListItems[] {
    const found: ListItems[] = [];
    let at = this.#append(chunk), commas: number[] = [];
    const bytes = this.#bytes;
    for (; at < bytes.length; at++) {
      if (this.#isText) {
        at = bytes.indexOf(QUOTE, at);
        if (at < 0) break;
        if (!isEscaped(bytes, at, this.#from)) this.#isText = false;
        continue;
      }
      const byte = bytes[at]!;
      if (this.#depth === 0 && byte !== OPEN_OBJECT) {
        if (byte > 0x20 && !this.#isMark(byte, at)) throw this.#refusal();
      } else if (byte === QUOTE) this.#isText = true;
      else if (byte === COMMA) {
        if (this.#depth === 1) this.#member(at, found);
        else if (this.#depth === 2 && this.#list !== null) commas.push(at);
      } else if (byte === OPEN_OBJECT || byte === OPEN_LIST) this.#open(byte, at);
      else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
        if (this.#depth === 2 && this.#list !== null) {
          if (byte !== CLOSE_LIST) throw new SyntaxError(`"${this.#list}" is no JSON: a list ends in }`);
          this.#flush(commas, at, found);
          commas = [];
        }
        this.#close(byte, at, found);
      }
    }
    this.#keepRest(commas, found);
    return found;
  }

  end(): void {
    if (!this.#isBegun) throw new SyntaxError("it is empty, want a JSON object");
    if (this.#depth > 0 || this.#isText) {
      const where = this.#list === null ? "" : ` within "${this.#list}"`;
      throw new SyntaxError(`it is cut off: it ends${where} before its last }`);
    }
  }

  /** The rest of before with the chunk behind it; where to go on. */
  #append(chunk: Uint8Array): number {
    const rest = this.#bytes, bytes = new Uint8Array(rest.length + chunk.length);
    bytes.set(rest);
    bytes.set(chunk, rest.length);
    this.#bytes = bytes;
    return rest.length;
  }

  #open(byte: number, at: number): void {
    if (this.#depth === 0) {
      if (this.#isBegun) throw this.#refusal();
      this.#isBegun = true;
      this.#from = at + 1;
    } else if (this.#depth === 1 && byte === OPEN_LIST) {
      const key = Object.keys(this.#parsed(`{${this.#text(this.#from, at)}0}`, "its beginning") as object)[0];
      if (key === undefined || this.#isAfterList) throw new SyntaxError("it is no JSON object");
      this.#list = key;
      this.#keys(key);
      this.#items = 0;
      this.#from = at + 1;
    }
    if (++this.#depth > LIMITS.depth) throw tooDeep(this.#list === null ? "it" : `"${this.#list}"`);
  }

  #close(byte: number, at: number, found: ListItems[]): void {
    if (--this.#depth === 0) {
      if (byte !== CLOSE_OBJECT) throw new SyntaxError("it is no JSON: the object ends in ]");
      // An object without members is one, too.
      if (this.keys.length > 0 || this.#text(this.#from, at).trim() !== "") {
        this.#member(at, found);
      }
      this.#from = at + 1;
    } else if (this.#depth === 1 && this.#list !== null) {
      [this.#list, this.#isAfterList, this.#from] = [null, true, at + 1];
    }
  }

  /** A member that is no list ends, or what may stand between a list and the comma behind it. */
  #member(at: number, found: ListItems[]): void {
    const text = this.#text(this.#from, at);
    if (this.#isAfterList) {
      if (text.trim() !== "") throw new SyntaxError(`it is no JSON: ${shown(text)} follows a list`);
    } else {
      const [key] = Object.keys(this.#parsed(`{${text}}`, "one of its members") as object);
      if (key === undefined) throw new SyntaxError("it is no JSON: a comma is followed by no member");
      this.#keys(key);
      found.push({ key, items: null, first: 1 });
    }
    this.#isAfterList = false;
    this.#from = at + 1;
  }

  #keys(key: string): void {
    if (this.keys.includes(key)) throw new SyntaxError(`key "${key}" stands twice in it`);
    if (this.keys.push(key) > LIMITS.columns) throw new RangeError(`it has more than ${LIMITS.columns} members`);
  }

  /** The items up to the last comma, or to the list's end. */
  #flush(commas: readonly number[], end: number, found: ListItems[]): void {
    const text = this.#text(this.#from, end), first = this.#items + 1, key = this.#list!;
    if (text.trim() === "" && commas.length === 0) {
      if (this.#items > 0) throw new SyntaxError(`"${key}" is no JSON: its last item is followed by a comma`);
      found.push({ key, items: [], first });
    } else {
      const items = this.#itemsOf(text, commas, end, first);
      this.#items += items.length;
      found.push({ key, items, first });
    }
    this.#from = end + 1;
  }

  #itemsOf(text: string, commas: readonly number[], end: number, first: number): unknown[] {
    try {
      return JSON.parse(`[${text}]`);
    } catch {
      // One by one, so that the one that is broken has a name.
      const bounds = [this.#from - 1, ...commas, end];
      return bounds.slice(1).map((to, i) =>
        this.#parsed(this.#text(bounds[i]! + 1, to), `item ${first + i} of "${this.#list}"`)
      );
    }
  }

  #keepRest(commas: number[], found: ListItems[]): void {
    const last = commas.pop();
    if (last !== undefined) this.#flush(commas, last, found);
    if (this.#depth > 0 || !this.#isBegun) {
      const rest = this.#bytes.length - this.#from;
      if (rest > LIMITS.line) {
        const of = this.#list === null ? "one of its members" : `item ${this.#items + 1} of "${this.#list}"`;
        throw new RangeError(`${of} has more than ${megabytes(LIMITS.line)} MB`);
      }
    }
    this.#bytes = this.#bytes.slice(this.#from);
    this.#from = 0;
  }

  #text(from: number, to: number): string {
    try {
      return this.#decoder.decode(this.#bytes.subarray(from, to));
    } catch (cause) {
      const of = this.#list === null ? "it" : `"${this.#list}", from item ${this.#items + 1} on,`;
      throw new SyntaxError(`${of} is no utf-8 text; save it as UTF-8`, { cause });
    }
  }

  #parsed(text: string, what: string): unknown {
    try {
      return JSON.parse(text);
    } catch {
      try {
        return JSON.parse(text.replace(OF_PYTHON, (token) => token.startsWith('"') ? token : `"${token}"`));
      } catch (cause) {
        throw new SyntaxError(`${what} is no JSON: ${shown(text.trim())}`, { cause });
      }
    }
  }

  /** Of a byte before the object: whether it is of the mark of UTF-8. */
  #isMark(byte: number, at: number): boolean {
    return !this.#isBegun && BYTE_ORDER_MARK[at] === byte;
  }

  #refusal(): SyntaxError {
    const mark = markOf(this.#bytes);
    if (mark !== null) return new SyntaxError(`it is ${mark}, want UTF-8; save it as that`);
    if (!this.#isBegun) return new SyntaxError("it holds no object, want a JSON object with lists");
    this.isOneObject = false;
    return new SyntaxError("its JSON object is followed by something else; one object a line is .jsonl");
  }
}

/** Texts, which stay as they are, and the numbers that Python has and JSON has not. */
const OF_PYTHON = /"(?:[^"\\]|\\.)*"|-?\b(?:NaN|Infinity)\b/g;

const MOST_SHOWN = 60;
const shown = (text: string) =>
  JSON.stringify(text).slice(0, MOST_SHOWN) + (JSON.stringify(text).length > MOST_SHOWN ? "…" : "");

/** Whether a quote is a text's own: an odd number of backslashes before it. */
function isEscaped(bytes: Uint8Array, quote: number, from: number): boolean {
  let at = quote;
  while (at > from && bytes[at - 1] === BACKSLASH) at--;
  return (quote - at) % 2 === 1;
}
