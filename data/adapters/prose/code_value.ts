/** What a value in a line of Python tells: a literal says itself, of anything else only the program knows the value. @module */
import type { Written } from "./flags.ts";

const LONGEST = 2000; // Letters of an expression.
const QUOTES = "\"'";

/** Where the expression ends that begins at `from`: before a comma, a bracket that closes what is around it, or at the end. */
function expressionEnd(code: string, from: number): number {
  let depth = 0, quote = "";
  const end = Math.min(code.length, from + LONGEST);
  for (let at = from; at < end; at++) {
    const letter = code[at]!;
    if (quote !== "") {
      if (letter === "\\") at++;
      else if (letter === quote) quote = "";
    } else if (QUOTES.includes(letter)) quote = letter;
    else if ("([{".includes(letter)) depth++;
    else if (")]}".includes(letter)) {
      if (--depth < 0) return at;
    } else if ((letter === "," || letter === ";") && depth === 0) return at;
  }
  return end;
}

/** A number, a text, a constant, or a list of what stands in brackets. */
const LITERAL =
  /^(?:[-+]?(?:\d[\d_]*(?:\.[\d_]*)?|\.\d[\d_]*)(?:[eE][-+]?\d+)?|"[^"\\]*"|'[^'\\]*'|True|False|None|\[.*|\{.*)$/s;
/** What a class makes: its name says what the option is. */
const isMade = (text: string) => /(?:^|\.)[A-Z]\w*$/.test(/^[\w.]+(?=\()/.exec(text)?.[0] ?? "");

/**
 * The value of the option whose name begins at `at`, where it is a literal; else the expression's text, which is marked.
 *
 * written   what the words of the line say
 */
export function codeValue(code: string, at: number, written: Written): Written {
  const equals = code.indexOf("=", at), text = code.slice(equals + 1, expressionEnd(code, equals + 1)).trim();
  if (equals < 0 || text === "" || LITERAL.test(text)) return written;
  return { value: isMade(text) ? written.value : text, type: "expression" };
}
