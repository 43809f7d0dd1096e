/**
 * Says in one sentence what is wrong with a text that is no YAML, at the place where it went wrong.
 *
 * A parser goes on after a mistake and reports what follows from it: only the first cause is told.
 * @module
 */
import { Lexer, type YAMLParseError, type YAMLWarning } from "yaml";
import { indentMistake } from "./yaml_indent.ts";

/** A mistake and its offset in the text. */
export interface TextMistake {
  readonly at: number;
  readonly message: string;
}

type Found = YAMLParseError | YAMLWarning;

const CLOSING: Readonly<Record<string, string>> = { "{": "}", "[": "]" };

/** The mistakes that explain the parser's errors, of which there is at least one. */
export function syntaxMistakes(text: string, errors: readonly Found[]): TextMistake[] {
  const open = errors.map(({ pos }) => pos[0] - 1).filter((at) => text.startsWith("${{", at));
  return open.length > 0 ? open.map((at) => ({ at, message: UNQUOTED })) : [firstMistake(text, errors)];
}

const UNQUOTED =
  'unquoted "${{" inside { } or [ ]; put the expression in quotes: "${{ … }}", or write the keys on lines of their own';

function firstMistake(text: string, errors: readonly Found[]): TextMistake {
  const first = errors.toSorted((a, b) => a.pos[0] - b.pos[0])[0]!;
  const tab = errors.find(({ code }) => code === "TAB_AS_INDENT");
  if (tab !== undefined) return { at: tab.pos[0], message: "a tab in the indentation; want spaces" };
  const indent = OF_INDENTATION.has(first.code) ? indentMistake(text, first.pos[0]) : null;
  return doubleBrace(text) ?? unbalanced(text, first.pos[0]) ?? lineMistake(text, first) ?? indent ?? {
    at: first.pos[0],
    message: BY_CODE[first.code]?.(first, text) ?? parserSentence(first.message),
  };
}

/** `{{ … }}` without the dollar: YAML reads two maps. */
function doubleBrace(text: string): TextMistake | null {
  const match = /(?<!\$)\{\{[^{}\n]*\}\}/.exec(text);
  if (match === null) return null;
  return { at: match.index, message: `"${match[0]}" is no expression, want "\${{ … }}"` };
}

/** A key that is no name: mostly an expression without its dollar. */
export function keyMistake(text: string, at: number): TextMistake {
  return doubleBrace(text) ?? { at, message: "a key must be a name" };
}

interface Token {
  readonly token: string;
  readonly at: number;
}

/** What a text consists of, with offsets; the lexer's marks of a document, a scalar or an error have no width. */
export function* tokensOf(text: string): Generator<Token> {
  let at = 0;
  for (const token of new Lexer().lex(text)) {
    if (token === "\x02" || token === "\x18" || token === "\x1f") continue;
    yield { token, at };
    at += token.length;
  }
}

/** A brace, bracket or quote without its other end, as far as the error; the place where it was opened. */
function unbalanced(text: string, error: number): TextMistake | null {
  const open: Token[] = [];
  for (const { token, at } of tokensOf(text)) {
    if (/^["']/.test(token) && (token.length === 1 || token.at(-1) !== token[0])) {
      return { at, message: `a text that begins with ${token[0]} has no closing ${token[0]}` };
    }
    if (at > error + 1 && open.length === 0) return null;
    if (token === "{" || token === "[") open.push({ token, at });
    if (token === "}" || token === "]") {
      const last = open.pop();
      if (last === undefined) return { at, message: `"${token}" closes nothing; remove it` };
      const want = CLOSING[last.token]!;
      if (want !== token) {
        return open.some((outer) => CLOSING[outer.token] === token)
          ? { at: last.at, message: `"${last.token}" has no "${want}"` }
          : { at, message: `"${token}" closes nothing; remove it` };
      }
    }
    // A list or a key in block style ends what was open: the lexer does not, for it reads no further than a token.
    const key = open.length > 0 && /^\n/.test(text.slice(at - 1, at)) && /^\s*(?:- |[\w-]+:\s)/.test(text.slice(at));
    if (key && at >= error) break;
  }
  const left = open.at(-1);
  return left === undefined ? null : { at: left.at, message: `"${left.token}" has no "${CLOSING[left.token]}"` };
}

/** What the line of the error itself shows. */
function lineMistake(text: string, { pos, code }: Found): TextMistake | null {
  if (CERTAIN.has(code)) return null;
  const start = text.lastIndexOf("\n", pos[0] - 1) + 1;
  const line = text.slice(start).split("\n")[0]!;
  for (const [pattern, message] of LINES) {
    const match = pattern.exec(line);
    if (match !== null) return { at: start + match.index + (match[1]?.length ?? 0), message: message(match) };
  }
  return null;
}

const LINES: readonly (readonly [pattern: RegExp, message: (match: RegExpExecArray) => string])[] = [
  [/\u00a0/, () => "a no-break space (U+00A0); want a plain one"],
  [
    /[\uff1a\uff0c]/,
    (match) => `"${match[0]}" is a full-width character; want ${match[0] === "\uff1a" ? '":"' : '","'}`,
  ],
  [/^(\s*)-[^\s-]/, () => 'want a space after "-"'],
  [/^(\s*)[\w-]+:[^\s:/]/, (match) => `want a space after the colon of "${match[0].trim().split(":")[0]}"`],
  [/^(\s*)[\w-]+(?: [^\s:#]+)*\s*$/, (match) => `"${match[0].trim()}" has no colon; want "key: value"`],
  [/^(\s*)(?:- )?[\w-]+: [^"'{[#|>][^#]*?: /, () => 'a second ": " in a text; put the text in quotes'],
];

/** Errors that need no look at the line. */
const CERTAIN: ReadonlySet<string> = new Set([
  "MULTIPLE_DOCS",
  "DUPLICATE_KEY",
  "TAG_RESOLVE_FAILED",
  "BAD_SCALAR_START",
]);

/** Errors that a line in a wrong column gives, among other causes. */
const OF_INDENTATION: ReadonlySet<string> = new Set([
  "BAD_INDENT",
  "BLOCK_AS_IMPLICIT_KEY",
  "MULTILINE_IMPLICIT_KEY",
  "MISSING_CHAR",
]);

const BY_CODE: Readonly<Record<string, (error: Found, text: string) => string>> = {
  DUPLICATE_KEY: ({ pos }, text) => `key "${/^[\w-]+/.exec(text.slice(pos[0]))?.[0] ?? ""}" stands twice`,
  BAD_SCALAR_START: ({ pos }, text) => `a text cannot begin with ${text[pos[0]]}; put it in quotes`,
  BLOCK_IN_FLOW: () => "a comma is missing before this, or a text with a colon wants quotes",
  TAG_RESOLVE_FAILED: ({ pos }, text) =>
    `tag "${/^\S+/.exec(text.slice(pos[0]))?.[0]}" is not read; write the plain value`,
  BLOCK_AS_IMPLICIT_KEY: () => DEEPER,
  MULTILINE_IMPLICIT_KEY: () => DEEPER,
  BAD_INDENT: () => "this line is indented otherwise than the keys beside it; want the same column",
  MULTIPLE_DOCS: () => "a second document begins here; one file holds one workflow",
};

const DEEPER = "this key has a value, and the next line is indented deeper; want the same column for both";

/** What the parser says, as a sentence of ours. */
export function parserSentence(message: string): string {
  const first = message.split("\n")[0]!.replace(/ at line \d+, column \d+:?$/, "").replace(/[.:]$/, "");
  return first.charAt(0).toLowerCase() + first.slice(1);
}
