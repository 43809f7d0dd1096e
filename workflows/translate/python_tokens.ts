/** Cuts a Python script into tokens, with the line of each and its depth in brackets. @module */

export interface Token {
  readonly kind: "name" | "number" | "text" | "operator" | "newline";
  /** Of a text: what it holds, escapes read; of an f-string see `formatted`. */
  readonly text: string;
  readonly line: number;
  /** Spaces before the first token of a line. */
  readonly indent: number;
  /** An f-string: parts in braces are expressions. */
  readonly formatted?: boolean;
}

/** What is more is not cut; a line's end stands behind the last one. */
export const MOST_TOKENS = 400_000;
const OPERATORS =
  /\*\*=|\/\/=|>>=|<<=|\.\.\.|->|:=|\*\*|\/\/|==|!=|<=|>=|[-+*/%&|^@]=|<<|>>|[-+*/%&|^~<>=()[\]{},:.;@!]/y;
const NAME = /[\p{L}_][\p{L}\p{N}_]*/uy;
const NUMBER =
  /0[xX][\da-fA-F_]+|0[bB][01_]+|0[oO][0-7_]+|(?:\d[\d_]*(?:\.[\d_]*)?|\.\d[\d_]*)(?:[eE][-+]?\d[\d_]*)?[jJ]?/y;
const STRING = /([rRbBuUfF]{0,2})("""|'''|"|')/y;
const ESCAPES: Readonly<Record<string, string>> = {
  n: "\n",
  t: "\t",
  r: "\r",
  "\\": "\\",
  "'": "'",
  '"': '"',
  "\n": "",
};

/** The tokens of a script. A broken one gives what can be read: an unclosed text ends with its line, or the file. */
export function pythonTokens(source: string): Token[] {
  const text = source.replaceAll("\r\n", "\n"), tokens: Token[] = [];
  let at = 0, line = 1, indent = 0, depth = 0;
  const matched = (pattern: RegExp) => (pattern.lastIndex = at, pattern.exec(text));
  const push = (kind: Token["kind"], value: string, formatted = false) =>
    tokens.push({ kind, text: value, line, indent, ...(formatted ? { formatted } : {}) });
  while (at < text.length && tokens.length < MOST_TOKENS) {
    const char = text[at]!;
    if (char === "\n") {
      if (depth === 0 && tokens.at(-1)?.kind !== "newline") push("newline", "\n");
      at++;
      line++;
      indent = 0;
      while (text[at] === " " || text[at] === "\t") (at++, indent++);
    } else if (/\s/.test(char)) at++;
    else if (char === "\\" && text[at + 1] === "\n") (at += 2, line++);
    else if (char === "#") { while (at < text.length && text[at] !== "\n") at++; }
    else {
      const string = matched(STRING);
      if (string !== null) {
        const [all, prefix, quote] = string as unknown as [string, string, string];
        const end = stringEnd(text, at + all.length, quote), raw = text.slice(at + all.length, end);
        push("text", /r/i.test(prefix) ? raw : unescaped(raw), /f/i.test(prefix));
        line += raw.split("\n").length - 1;
        at = Math.min(text.length, text.startsWith(quote, end) ? end + quote.length : end);
        continue;
      }
      const kinds = [["number", NUMBER], ["name", NAME], ["operator", OPERATORS]] as const;
      const [kind, found] = kinds.flatMap(([kind, pattern]) => {
        const match = matched(pattern);
        return match === null ? [] : [[kind, match[0]] as const];
      })[0] ?? ["operator", char] as const;
      if ("([{".includes(found)) depth++;
      else if (")]}".includes(found)) depth = Math.max(0, depth - 1);
      push(kind, found);
      at += found.length;
    }
  }
  push("newline", "\n");
  return tokens;
}

function stringEnd(text: string, from: number, quote: string): number {
  for (let at = from; at < text.length; at++) {
    if (text[at] === "\\") at++;
    else if (text.startsWith(quote, at)) return at;
    else if (text[at] === "\n" && quote.length === 1) return at;
  }
  return text.length;
}

function unescaped(raw: string): string {
  return raw.replaceAll(/\\([\s\S])/g, (all, letter: string) => ESCAPES[letter] ?? all);
}
