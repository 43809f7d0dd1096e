/** Whether a name of a script surely is the function that it defines. @module */
import type { Token } from "./python_tokens.ts";

/** What stands before a name that gets another value, or may. */
const BINDS = new Set([
  "import",
  "as",
  "for",
  "del",
  "global",
  "nonlocal",
  "class",
  "def",
  "lambda",
  "*",
  "**",
  "case",
]);
const FUNCTION = new Set(["def", "async"]);

/**
 * True where `def NAME` of that line is outside of every block and text, not decorated, and nothing else in the script
 * gives the name another value: no second definition, assignment, import or parameter.
 */
export function isOnlyDefinition(tokens: readonly Token[], name: string, line: number): boolean {
  let depth = 0, start = 0, last = 0, found = false, isDecorated = false;
  for (const [i, { kind, text, indent, line: own }] of tokens.entries()) {
    if (kind === "newline") {
      if (depth > 0) continue;
      [last, start] = [start, i + 1];
    } else if (kind === "operator") {
      if ("([{".includes(text)) depth++;
      else if (")]}".includes(text)) depth = Math.max(0, depth - 1);
      // Behind `from a import *` every name may be another.
      else if (text === "*" && tokens[i - 1]?.text === "import" && found) return false;
    } else if (kind === "name" && text === name) {
      const before = tokens[i - 1], first = tokens[start]!, next = tokens[i + 1]?.text ?? "";
      if (before?.text === "def" && before.kind === "name" && own === line && indent === 0 && !found) {
        found = true;
        isDecorated = start > 0 && tokens[last]?.text === "@" && tokens[last]?.kind === "operator";
      } else if (before?.text !== "." && bindsHere(tokens, i, { depth, first, next })) return false;
    }
  }
  return found && !isDecorated;
}

interface Place {
  readonly depth: number;
  /** Of the statement. */
  readonly first: Token;
  /** Behind the name. */
  readonly next: string;
}

/** A name in a place where it gets a value, or where that cannot be told. */
function bindsHere(tokens: readonly Token[], i: number, { depth, first, next }: Place): boolean {
  if (first.kind === "name" && (FUNCTION.has(first.text) || first.text === "from")) return true;
  const before = tokens[i - 1]?.text ?? "";
  if (BINDS.has(before) || next === ":=") return true;
  if (depth > 0) return "([".includes(first.text) || first.text === "for"; // `(a, b) = …`
  return !(["(", "."].includes(next) || ["=", "return"].includes(before) && tokens[i + 1]?.kind === "newline");
}
