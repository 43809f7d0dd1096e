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

const LETTERS = "\\p{L}\\p{M}\\d_";

/** Chinese and Japanese set no space around a word of another script. */
const UNSPACED = "(?![\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}])";

/** `\w` knows the letters of English alone: a stem of another language goes on in its own. */
function ofAllLetters(words: string): string {
  let isClass = false;
  return words.replace(/\\.|[[\]]/gs, (part) => {
    if (part === "[" || part === "]") isClass = part === "[";
    return part !== "\\w" ? part : isClass ? LETTERS : `[${LETTERS}]`;
  });
}

/** One expression for words, which stand alone, and signs, which stand anywhere. */
export function expression(words: string, signs = ""): RegExp {
  const alone = `(?<!${UNSPACED}[${LETTERS}])(?:${ofAllLetters(words)})(?!${UNSPACED}[${LETTERS}])`;
  return new RegExp(signs === "" ? alone : `${alone}|${signs}`, "giu");
}

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
