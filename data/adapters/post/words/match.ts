/** How a word list is looked for in a clause. @module */
import { LiteralIndex } from "./literal_index.ts";
import { alternativesOf, type Choice, type KnownGroups } from "./literals.ts";

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
function smallOf(text: string): string {
  const all = text.toLowerCase();
  // "İ" becomes two characters.
  return all.length === text.length ? all : text.replace(/[^]/gu, (one) => {
    const low = one.toLowerCase();
    return low.length === one.length ? low : one;
  });
}

/** Escapes mean what they meant. */
const inSmall = (pattern: string) =>
  pattern.replace(/\\[pP]\{[^}]*\}|\\.|[^\\]+/gs, (part) => part.startsWith("\\") ? part : part.toLowerCase());

/** How an alternative is compiled, and whether it is looked for in small letters. */
interface Form {
  readonly compile: (source: string) => RegExp;
  readonly isSmall: boolean;
}

const ALONE: Form = {
    compile: (source) => new RegExp(`(?<![${LETTERS}])(?:${ofAllLetters(inSmall(source))})(?![${LETTERS}])`, "gu"),
    isSmall: true,
  },
  ANYWHERE: Form = { compile: (source) => new RegExp(inSmall(source), "gu"), isSmall: true },
  ANY_CASE: Form = { compile: (source) => new RegExp(source, "giu"), isSmall: false };

interface Place {
  readonly at: number;
  readonly end: number;
}

const NOWHERE: readonly Place[] = [];

/** A text, and which alternatives of which expressions may match in it. */
interface Looked {
  readonly text: string;
  readonly small: string;
  readonly candidates: ReadonlyMap<Sought, readonly number[]>;
}

/** What has alternatives that a text must hold something for. */
interface Sought {
  enter(index: LiteralIndex<Sought>, known: KnownGroups): void;
}

const index = new LiteralIndex<Sought>();
/** Those whose alternatives are not in the index yet. */
const fresh: Sought[] = [];
const KEPT = 512; // Texts that were looked at last: each sentence of a paragraph is asked for many things, in turns.
const looked = new Map<string, Looked>();
let last: Looked | null = null;

function look(text: string): Looked {
  if (fresh.length > 0) {
    const known: KnownGroups = new Map();
    for (const one of fresh.splice(0)) one.enter(index, known);
    looked.clear();
    last = null;
  }
  if (last?.text === text) return last;
  const known = looked.get(text);
  if (known !== undefined) return last = known;
  const small = smallOf(text);
  last = { text, small, candidates: index.in(small) };
  if (looked.size >= KEPT) looked.delete(looked.keys().next().value!);
  looked.set(text, last);
  return last;
}

const smallNeeds = (needs: readonly Choice[]) => needs.map((choice) => choice.map((text) => text.toLowerCase()));

/**
 * Alternatives that are tried in their order at each place of a text, as one regular expression of them all would be.
 *
 * That takes a second to compile, and tries thousands of alternatives at each letter: here one is compiled and looked for
 * where a text holds what it needs.
 */
export class Expression {
  readonly #alternatives: { readonly source: string; readonly form: Form; compiled?: RegExp }[] = [];

  constructor(private readonly lists: readonly (readonly [pattern: string, form: Form])[]) {
    fresh.push(this);
  }

  enter(index: LiteralIndex<Sought>, known: KnownGroups): void {
    for (const [pattern, form] of this.lists) {
      for (const { source, needs } of alternativesOf(pattern, known)) {
        if (source === NEVER) continue;
        index.add(this, this.#alternatives.length, smallNeeds(needs));
        this.#alternatives.push({ source, form });
      }
    }
  }

  /** Does it stand anywhere in a text? */
  test(text: string): boolean {
    const { small, candidates } = look(text);
    return candidates.get(this)?.some((number) => this.#next(number, text, small, 0) !== null) ?? false;
  }

  /** Its places in a text, of which none overlaps another; at each the first alternative that matches. */
  in(text: string): readonly Place[] {
    const { small, candidates } = look(text), numbers = candidates.get(this);
    if (numbers === undefined) return NOWHERE;
    const places: Place[] = [];
    let next = numbers.flatMap((number) => this.#next(number, text, small, 0) ?? []);
    while (next.length > 0) {
      const { at, end } = next.reduce((first, one) => one.at < first.at ? one : first);
      places.push({ at, end });
      const from = end > at ? end : at + (text.codePointAt(at)! > 0xffff ? 2 : 1);
      next = next.flatMap((one) => one.at >= from ? one : this.#next(one.number, text, small, from) ?? []);
    }
    return places;
  }

  /** The next place of one alternative. */
  #next(number: number, text: string, small: string, from: number) {
    const one = this.#alternatives[number]!, pattern = one.compiled ??= one.form.compile(one.source);
    pattern.lastIndex = from;
    const found = pattern.exec(one.form.isSmall ? small : text);
    return found === null ? null : { number, at: found.index, end: found.index + found[0].length };
  }
}

/** A regular expression without `g` or `y` that is tried only on a text which holds what it needs. */
class Sifted {
  constructor(private readonly pattern: RegExp) {
    fresh.push(this);
  }

  enter(index: LiteralIndex<Sought>, known: KnownGroups): void {
    for (const [place, { needs }] of alternativesOf(this.pattern.source, known).entries()) {
      index.add(this, place, smallNeeds(needs));
    }
  }

  test(text: string): boolean {
    return look(text).candidates.has(this) && this.pattern.test(text);
  }

  exec(text: string): RegExpExecArray | null {
    return look(text).candidates.has(this) ? this.pattern.exec(text) : null;
  }
}

export const siftedOf = (pattern: RegExp): Sifted => new Sifted(pattern);
export const sifted = (source: string, flags: string): Sifted => new Sifted(new RegExp(source, flags));

/** Expressions of which few stand in a text: those that may are told without asking each. */
export class ExpressionList {
  readonly #numbers = new Map<Sought, number[]>();

  constructor(list: readonly (Expression | null)[]) {
    for (const [number, one] of list.entries()) {
      if (one !== null) this.#numbers.set(one, [...this.#numbers.get(one) ?? [], number]);
    }
  }

  /** Their places in the list, in its order. */
  in(text: string): number[] {
    const numbers: number[] = [];
    for (const one of look(text).candidates.keys()) numbers.push(...this.#numbers.get(one) ?? []);
    return numbers.sort((a, b) => a - b);
  }
}

const made = new Map<string, Expression>();

/** Words, which stand alone, and signs, which stand anywhere; capitals or not. The same words are one expression. */
export function expression(words: string, signs = ""): Expression {
  const key = `${words}\n${signs}`, known = made.get(key);
  if (known !== undefined) return known;
  const own = new Expression(signs === "" ? [[words, ALONE]] : [[words, ALONE], [signs, ANYWHERE]]);
  made.set(key, own);
  return own;
}

/** What stands anywhere, as it is written but for capitals. */
export const signExpression = (signs: string): Expression => new Expression([[signs, ANY_CASE]]);

/** Whether an expression stands anywhere in a text. */
export const has = (pattern: Expression, text: string): boolean => pattern.test(text);

const isLatin = (char: string | undefined) => char !== undefined && /[A-Za-z0-9_]/.test(char);

/** A table of words: every place in a text where one of its entries stands, the earlier entry first. */
export function wordTable<Name extends string>(table: Readonly<Record<Name, Words>>): (text: string) => Hit<Name>[] {
  const entries = (Object.entries(table) as [Name, Words][]).map(([name, { words, signs }]) =>
    [name, expression(words, signs)] as const
  );
  const list = new ExpressionList(entries.map(([, pattern]) => pattern));
  return (text) => {
    const taken: Hit<Name>[] = [];
    for (const number of list.in(text)) {
      const [name, pattern] = entries[number]!;
      for (const { at, end } of pattern.in(text)) {
        // Signs match anywhere, but not within a Latin word or a name.
        if (isLatin(text[at]) && isLatin(text[at - 1]) || isLatin(text[end - 1]) && isLatin(text[end])) continue;
        if (end > at && !taken.some((hit) => at < hit.end && end > hit.at)) taken.push({ name, at, end });
      }
    }
    return taken.sort((a, b) => a.at - b.at);
  };
}
