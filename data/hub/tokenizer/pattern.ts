/** Patterns of a tokenizer.json (Oniguruma's) as JavaScript's. @module */
import { SplitPreTokenizer } from "@huggingface/tokenizers";
import { patternProblem } from "./pattern_cost.ts";

/** A global expression for `{ String }` or `{ Regex }`. Throws a RangeError for one that cannot be written here or may never end. */
export function compiledPattern(pattern: unknown, place: string): RegExp {
  const { String: text, Regex: source } = (pattern ?? {}) as { readonly String?: unknown; readonly Regex?: unknown };
  if (typeof text === "string") {
    return text === "" ? /(?!)/gu : new RegExp(text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&"), "gu");
  }
  if (typeof source !== "string") {
    throw new RangeError(`${place} is ${JSON.stringify(pattern)?.slice(0, 100)}, want a String or a Regex`);
  }
  const compiled = translated(source, place), problem = patternProblem(compiled.source);
  if (problem === null) return compiled;
  const shown = source.length > 100 ? `${source.slice(0, 97)}...` : source;
  throw new RangeError(`${place} is ${JSON.stringify(shown)}: ${problem}; want a tokenizer without it`);
}

function translated(source: string, place: string): RegExp {
  try {
    // The library's translation: classes of Unicode, groups without case, possessive marks.
    const split = new SplitPreTokenizer({
      type: "Split",
      pattern: { Regex: source },
      behavior: "Isolated",
      invert: false,
    });
    return (split as unknown as { readonly pattern: RegExp }).pattern;
  } catch (error) {
    throw new RangeError(`${place} cannot be read as an expression (${(error as Error).message})`, { cause: error });
  }
}

/** Splits a text by a pattern into pieces that it matches and those between them, in order. */
export function pieces(text: string, pattern: RegExp): { readonly text: string; readonly isMatch: boolean }[] {
  const found: { text: string; isMatch: boolean }[] = [];
  let end = 0;
  for (const match of text.matchAll(pattern)) {
    if (match[0] === "") continue;
    if (match.index > end) found.push({ text: text.slice(end, match.index), isMatch: false });
    found.push({ text: match[0], isMatch: true });
    end = match.index + match[0].length;
  }
  if (end < text.length) found.push({ text: text.slice(end), isMatch: false });
  return found;
}
