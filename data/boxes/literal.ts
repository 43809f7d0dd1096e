/** Reads a value as models write it: JSON, or Python's spelling of it, with single quotes, None, NaN and a last comma. @module */

/** Deeper lists are no answer. */
const DEEPEST = 8;

const SPACE = /\s*/y, WORD = /[A-Za-z]+/y, NUMBER = /[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/y;

const WORDS: Readonly<Record<string, unknown>> = {
  true: true,
  True: true,
  false: false,
  False: false,
  null: null,
  None: null,
  NaN: NaN,
  nan: NaN,
  Infinity,
  inf: Infinity,
};

/** A mistake at a place of the text. */
class Mistake extends Error {}

/** The value of the whole text, or what is wrong with it; in time proportional to its length, whatever it is. */
export function readLiteral(text: string): { readonly value: unknown } | { readonly problem: string } {
  const reader = new Reader(text);
  try {
    const value = reader.value(0);
    reader.end();
    return { value };
  } catch (error) {
    if (error instanceof Mistake) return { problem: error.message };
    throw error;
  }
}

class Reader {
  #at = 0;
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  value(depth: number): unknown {
    if (depth > DEEPEST) throw new Mistake(`lists more than ${DEEPEST} deep`);
    this.#take(SPACE);
    const first = this.#text[this.#at];
    if (first === "[" || first === "(") return this.#list(first === "[" ? "]" : ")", depth);
    if (first === "{") return this.#record(depth);
    if (first === '"' || first === "'") return this.#string(first);
    const number = this.#take(NUMBER);
    if (number !== "") return Number(number);
    const isMinus = first === "-";
    if (isMinus) this.#at++;
    const word = this.#take(WORD);
    if (!Object.hasOwn(WORDS, word) || (isMinus && typeof WORDS[word] !== "number")) this.#fail("a value");
    return isMinus ? -(WORDS[word] as number) : WORDS[word];
  }

  end(): void {
    this.#take(SPACE);
    if (this.#at < this.#text.length) this.#fail("the end");
  }

  /** A list, or a tuple, which is the same here. */
  #list(close: string, depth: number): unknown[] {
    const list: unknown[] = [];
    this.#at++;
    while (!this.#closes(close)) {
      list.push(this.value(depth + 1));
      this.#comma(close);
    }
    return list;
  }

  #record(depth: number): Readonly<Record<string, unknown>> {
    const entries: [string, unknown][] = [];
    this.#at++;
    while (!this.#closes("}")) {
      const quote = this.#text[this.#at];
      if (quote !== '"' && quote !== "'") this.#fail("a key in quotes");
      const key = this.#string(quote as string);
      this.#take(SPACE);
      if (this.#text[this.#at] !== ":") this.#fail('":"');
      this.#at++;
      entries.push([key, this.value(depth + 1)]);
      this.#comma("}");
    }
    return Object.fromEntries(entries);
  }

  /** What stands between the quotes; a backslash keeps the next character from ending it. */
  #string(quote: string): string {
    const start = ++this.#at;
    let isPlain = true;
    for (; this.#text[this.#at] !== quote; this.#at++) {
      if (this.#at >= this.#text.length) this.#fail(`a closing ${quote}`);
      if (this.#text[this.#at] !== "\\") continue;
      isPlain = false;
      this.#at++;
    }
    const raw = this.#text.slice(start, this.#at++);
    return isPlain ? raw : raw.replaceAll(/\\(.)/gs, "$1");
  }

  #comma(close: string): void {
    this.#take(SPACE);
    if (this.#text[this.#at] === ",") this.#at++;
    else if (this.#text[this.#at] !== close) this.#fail(`"," or "${close}"`);
  }

  #closes(close: string): boolean {
    this.#take(SPACE);
    if (this.#text[this.#at] !== close) return false;
    this.#at++;
    return true;
  }

  #take(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const [found] = pattern.exec(this.#text) ?? [""];
    this.#at += found.length;
    return found;
  }

  #fail(want: string): never {
    const there = this.#at < this.#text.length ? JSON.stringify(this.#text.slice(this.#at, this.#at + 12)) : "the end";
    throw new Mistake(`${there} at character ${this.#at + 1}, want ${want}`);
  }
}
