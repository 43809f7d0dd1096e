/**
 * What rules say, in another language: whole sentences by their English, sentences with numbers by templates. What has no
 * translation stays English and is marked as that. @module
 */
import type { Piece } from "./spoken.ts";
import { partsOf, type Template, templateOf } from "./templates.ts";

/** What a language has for it. */
export interface Tables {
  readonly lang: string;
  /** Sentences, with places or without. */
  readonly sentences: readonly (readonly [english: string, other: string])[];
  /** Sentences without places. */
  readonly wholes: Readonly<Record<string, string>>;
  /** What each cause is. */
  readonly causes: Readonly<Record<string, string>>;
  /** Names that are words. */
  readonly names: Readonly<Record<string, string>>;
  readonly signs: Readonly<Record<"list" | "clause" | "stop" | "open" | "close", string>>;
  /** Two parts of a sentence as one. */
  readonly glued: (before: string, behind: string) => string;
  /** A number that may be large. */
  readonly numberOf: (value: number) => string;
}

/** A sentence begins with a capital or none, and ends with a full stop or none. */
const keyOf = (text: string) => (text[0] ?? "").toLowerCase() + text.slice(1).replace(/\.$/, "");

const isTemplate = ([english]: readonly [string, string]) => /\{\w*\}/.test(english);

/** The English of all that has a translation, with its places. */
export const englishOf = ({ wholes, sentences }: Tables): string[] => [
  ...Object.keys(wholes),
  ...sentences.map(([english]) => english),
];

/** What begins with a place fits more than what begins with a word, and is tried behind it. */
const byBeginning = ([one]: readonly string[], [other]: readonly string[]) =>
  Number(one!.startsWith("{")) - Number(other!.startsWith("{"));

/** Characters and parts within parts beyond which nothing is looked up. */
const LONGEST = 700, DEEPEST = 5;
/** Sentences that have a translation together, at most. */
const TOGETHER = 8;

/** Says in a language what rules say in English. */
export class Translator {
  readonly #tables: Tables;
  readonly #whole: ReadonlyMap<string, string>;
  readonly #templates: readonly Template[];

  constructor(tables: Tables) {
    const { sentences, wholes } = tables;
    this.#tables = tables;
    this.#whole = new Map(
      [...Object.entries(wholes), ...sentences.filter((one) => !isTemplate(one))]
        .map(([english, other]) => [keyOf(english), other]),
    );
    this.#templates = sentences.filter(isTemplate).sort(byBeginning).map(templateOf);
  }

  /** A text as far as it has a translation, in parts. */
  translate(text: string): Piece[] {
    const whole = this.#sentence(text, 0);
    if (whole !== null) return this.#joined([...whole, ...this.#stopOf(text)]);
    const sentences = text.split(/(?<=[.!?]) (?=\S)/);
    const pieces: Piece[] = [];
    for (let from = 0; from < sentences.length;) {
      const { to, found } = this.#longest(sentences, from, " ", 0);
      const said = sentences.slice(from, to).join(" ");
      const before = pieces.length > 0 && found === null ? " " : "";
      pieces.push(...found === null ? [{ text: before + said, lang: "en" }] : [...found, ...this.#stopOf(said)]);
      from = to;
    }
    return this.#joined(pieces);
  }

  #own(text: string): Piece {
    return { text, lang: this.#tables.lang };
  }

  #stopOf(text: string): Piece[] {
    return text.endsWith(".") ? [this.#own(this.#tables.signs.stop)] : [];
  }

  /** The most parts from one on that have a translation together. */
  #longest(
    parts: readonly string[],
    from: number,
    sign: string,
    depth: number,
  ): { to: number; found: Piece[] | null } {
    for (let to = Math.min(parts.length, from + TOGETHER); to > from; to--) {
      const found = this.#sentence(parts.slice(from, to).join(sign), depth);
      if (found !== null) return { to, found };
    }
    return { to: from + 1, found: null };
  }

  /** One sentence or clause; null where it has no translation. */
  #sentence(text: string, depth: number): Piece[] | null {
    const whole = this.#whole.get(keyOf(text)), clause = text.replace(/\.$/, ""), { signs } = this.#tables;
    if (whole !== undefined) return [this.#own(whole)];
    if (text.length > LONGEST || depth > DEEPEST) return null;
    for (const template of this.#templates) {
      const match = clause.includes(template.needs) ? template.pattern.exec(clause) : null;
      const pieces = match === null ? null : this.#filled(template, match.slice(1), depth);
      if (pieces !== null) return pieces;
    }
    // "what is found (what is seen, what is seen)"
    const [, message, seen] = /^([^()]+) \(([^()]+)\)$/.exec(clause) ?? [];
    const found = message === undefined ? null : this.#sentence(message, depth + 1);
    if (found !== null) return [...found, this.#own(signs.open), ...this.#listed(seen!, depth), this.#own(signs.close)];
    return this.#isBare(text) ? [this.#own(this.#inList(text))] : null;
  }

  /** What is no sentence in any language: a name, or causes. */
  #isBare(text: string): boolean {
    return /^[\w./:-]+$/.test(text) || text.split(", ").every((cause) => Object.hasOwn(this.#tables.causes, cause));
  }

  /** Names one after the other, with the sign that the language has between them. */
  #inList(text: string): string {
    const { names, signs } = this.#tables;
    return text.split(", ").map((name) => names[keyOf(name)] ?? name).join(signs.list);
  }

  /** What is seen, one after the other; a name in it may have a comma. An amount ("6.2 $") is no sentence in any language. */
  #listed(text: string, depth: number): Piece[] {
    const parts = text.split(", "), pieces: Piece[] = [];
    for (let from = 0; from < parts.length;) {
      const { to, found } = this.#longest(parts, from, ", ", depth + 1);
      const said = parts.slice(from, to).join(", "), isAmount = !/[a-z]{4}/i.test(said);
      pieces.push(...from > 0 ? [this.#own(this.#tables.signs.clause)] : []);
      pieces.push(...found ?? [isAmount ? this.#own(said) : { text: said, lang: "en" }]);
      from = to;
    }
    return pieces;
  }

  /** A template in its language; null where none of its parts that want a translation has one. */
  #filled({ other, kinds }: Template, values: readonly (string | undefined)[], depth: number): Piece[] | null {
    const parts = values.map((value, i) =>
      value !== undefined && kinds[i] === "said" ? this.#sentence(value, depth + 1) : null
    );
    const wanted = parts.filter((_, i) => kinds[i] === "said" && values[i] !== undefined);
    // The first part is what is said; what is said about it has a translation always.
    if (wanted.slice(1).includes(null) || wanted.length === 1 && wanted[0] === null) return null;
    const { names, numberOf } = this.#tables;
    return partsOf(other, values).map((part): Piece | readonly Piece[] => {
      if (typeof part === "string") return this.#own(part);
      const { at, times } = part, value = values[at] ?? "";
      if (kinds[at] === "said") return parts[at] ?? (value === "" ? this.#own(value) : { text: value, lang: "en" });
      if (times !== undefined) return this.#own(numberOf(Number(value.replaceAll(",", "")) * times));
      return this.#own(kinds[at] === "name" ? names[keyOf(value)] ?? this.#inList(value) : value);
    }).flat();
  }

  /** Neighbours of one language as one. */
  #joined(pieces: readonly Piece[]): Piece[] {
    const all: Piece[] = [], { lang, glued } = this.#tables;
    for (const { text, lang: own } of pieces) {
      const last = all.at(-1);
      if (last?.lang !== own) all.push({ text, lang: own });
      else all.splice(-1, 1, { text: own === lang ? glued(last.text, text) : last.text + text, lang: own });
    }
    return all;
  }
}
