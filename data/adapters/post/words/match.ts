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

/** Letters that set words apart by spaces, and those that do not; in ranges, since `\p{L}` wants the flag `u`. */
const SPACED = "A-Za-z\\d_\\u00aa\\u00b5\\u00ba\\u00c0-\\u00d6\\u00d8-\\u00f6\\u00f8-\\u052f",
  UNSPACED =
    "\\u1100-\\u11ff\\u3005\\u3040-\\u30fa\\u30fc-\\u318f\\u31f0-\\u31ff\\u3400-\\u9fff\\uac00-\\ud7af\\uf900-\\ufaff\\uff66-\\uff9f";
const LETTERS = SPACED + UNSPACED;

/** `\w` and `\p{L}` in a list: a stem goes on in the letters of its language, a word ends before a letter of any. */
function ofAllLetters(words: string): string {
  let isClass = false;
  return words.replace(/\\p\{L\}|\\.|[[\]]/gs, (part) => {
    if (part === "[" || part === "]") isClass = part === "[";
    const own = part === "\\w" ? SPACED : part === "\\p{L}" ? LETTERS : null;
    return own === null ? part : isClass ? own : `[${own}]`;
  });
}

/**
 * One expression for words, which stand alone, and signs, which stand anywhere.
 *
 * Without the flag `u`, under which a thousand classes that are denied (`[^.;]`) take seconds to compile.
 */
export function expression(words: string, signs = ""): RegExp {
  const alone = `(?<![${LETTERS}])(?:${ofAllLetters(words)})(?![${LETTERS}])`;
  return new RegExp(signs === "" ? alone : `${alone}|${ofAllLetters(signs)}`, "gi");
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
