/** How a word list is looked for in a clause. @module */

export interface Hit<Name extends string> {
  readonly name: Name;
  readonly at: number;
  readonly end: number;
}

/** Two regular expressions: alternatives that stand alone as words, and those that match anywhere. */
export interface Words {
  readonly words: string;
  readonly signs?: string;
}

/** The same as it is written in a file: one alternative after another. */
interface WrittenWords {
  readonly words: readonly string[];
  readonly signs: readonly string[];
}

/** An alternative that never matches, where a list is empty. */
const NEVER = "(?!)";

export function wordsOf({ words, signs }: WrittenWords): Words {
  return { words: words.join("|") || NEVER, ...(signs.length === 0 ? {} : { signs: signs.join("|") }) };
}

/** A table of words with what else is known of its names. */
export function readWords<Name extends string, More extends object>(
  written: Readonly<Record<Name, WrittenWords>>,
  more: Partial<Readonly<Record<Name, More>>>,
): Readonly<Record<Name, Words & More>> {
  const entries = (Object.entries(written) as [Name, WrittenWords][]).map((
    [name, own],
  ) => [name, { ...wordsOf(own), ...more[name] }]);
  return Object.fromEntries(entries);
}

/**
 * Letters, marks, digits and "_", but for Chinese and Japanese, which set no space around a word of another script. In few
 * ranges: `\p{L}` in each of thousands of alternatives takes seconds to compile.
 */
const LETTERS =
  "\\w\\u00aa\\u00b5\\u00ba\\u00c0-\\u00d6\\u00d8-\\u00f6\\u00f8-\\u1fff\\u2c00-\\u2dff\\u3131-\\u318e\\ua4d0-\\ud7ff\\uff10-\\uff19\\uff21-\\uff3a\\uff41-\\uff5a";

/** `\w` knows the letters of English alone: a stem of another language goes on in its own. */
function ofAllLetters(words: string): string {
  let isClass = false;
  return words.replace(/\\.|[[\]]/gs, (part) => {
    if (part === "[" || part === "]") isClass = part === "[";
    return part !== "\\w" ? part : isClass ? LETTERS : `[${LETTERS}]`;
  });
}

/** Text in small letters, each where it stood. */
let lowered = { text: "", small: "" };
function small(text: string): string {
  if (lowered.text === text) return lowered.small;
  const all = text.toLowerCase();
  lowered = {
    text,
    // "İ" becomes two characters.
    small: all.length === text.length ? all : text.replace(/[^]/gu, (one) => {
      const low = one.toLowerCase();
      return low.length === one.length ? low : one;
    }),
  };
  return lowered.small;
}

/** An expression that knows no capitals: the flag "i" makes one of thousands of alternatives slow to compile. */
class SmallLetters extends RegExp {
  override exec(text: string): RegExpExecArray | null {
    const found = super.exec(small(text));
    if (found !== null) found[0] = text.slice(found.index, found.index + found[0].length);
    return found;
  }
}

/** Escapes mean what they meant. */
const inSmall = (pattern: string) =>
  pattern.replace(/\\[pP]\{[^}]*\}|\\.|[^\\]+/gs, (part) => part.startsWith("\\") ? part : part.toLowerCase());

/** One expression for words, which stand alone, and signs, which stand anywhere; capitals or not. */
export function expression(words: string, signs = ""): RegExp {
  const alone = `(?<![${LETTERS}])(?:${ofAllLetters(inSmall(words))})(?![${LETTERS}])`;
  return new SmallLetters(signs === "" ? alone : `${alone}|${inSmall(signs)}`, "gu");
}

/** Whether an expression stands anywhere in a text: `test` of one for all places goes on where it last stopped. */
export const has = (pattern: RegExp, text: string): boolean => text.search(pattern) >= 0;

const isLatin = (char: string | undefined) => char !== undefined && /[A-Za-z0-9_]/.test(char);

/** A table of words, compiled once: every place in a text where one of its entries stands, the earlier entry first. */
export function wordTable<Name extends string>(table: Readonly<Record<Name, Words>>): (text: string) => Hit<Name>[] {
  const compiled = (Object.entries(table) as [Name, Words][]).map(([name, { words, signs }]) =>
    [name, expression(words, signs)] as const
  );
  return (text) => {
    const taken: Hit<Name>[] = [];
    for (const [name, pattern] of compiled) {
      for (const { index: at, 0: word } of text.matchAll(pattern)) {
        const end = at + word.length;
        // Signs match anywhere, but not within a Latin word or a name.
        if (isLatin(word[0]!) && isLatin(text[at - 1]) || isLatin(word.at(-1)!) && isLatin(text[end])) continue;
        if (end > at && !taken.some((hit) => at < hit.end && end > hit.at)) taken.push({ name, at, end });
      }
    }
    return taken.sort((a, b) => a.at - b.at);
  };
}
