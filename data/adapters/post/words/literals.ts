/**
 * The alternatives of an expression, each with texts without which it cannot match.
 *
 * Of `(?:reward|score)s? (?:is|stays) \w+` they are "reward" or "score", and " is " or " stays ". A text that lacks them
 * need not be looked through, nor the alternative be compiled. What the reader does not know asks for nothing. @module
 */

/** Texts of which every match holds one. */
export type Choice = readonly string[];

interface Alternative {
  readonly source: string;
  /** A match holds one text of each; the rarest first. */
  readonly needs: readonly Choice[];
}

/** A part of an expression: all texts that it matches, where they are few, or what each of them holds. */
interface Part {
  readonly exact: Choice | null;
  readonly needs: readonly Choice[];
}

const MOST_TEXTS = 4; // Of parts that stand one behind another, put together.
const MOST_CHOICES = 64; // Of one choice.
const MOST_NEEDS = 3; // Of an alternative.
const EMPTY: Part = { exact: [""], needs: [] }, ANY: Part = { exact: null, needs: [] };
/** Controls by their letters, as expressions write them. */
const CONTROLS: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", f: "\f", v: "\v", "0": "\0" };
const PLAIN = /[^\\()[\]{}|?*+.^$\ud800-\udfff]+(?![?*+{])/y;
const MOST_REPEATS = 8; // Of a text that is asked for.
const CLASS_MOST = 4; // Characters of a class that are taken one by one.
const MOST_DEPTH = 50; // Groups within groups that are followed; a word list has 4 or so.

/** Long groups that were read, by their first letters: they are written once and stand in many alternatives. */
export type KnownGroups = Map<string, { readonly source: string; readonly part: Part }[]>;

export function alternativesOf(pattern: string, known: KnownGroups = new Map()): Alternative[] {
  return new Reader(pattern, known).alternatives();
}

/** How seldom a text is met, by its letters: those of Chinese, Japanese and Korean say more than one of an alphabet. */
export function rarity(text: string): number {
  let sum = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    sum += code >= 0x2e80 ? 2.5 : code === 0x20 ? 0.2 : 1;
  }
  return sum;
}

const rarityOf = (choice: Choice) => Math.min(...choice.map(rarity)) - Math.log2(choice.length) / 2;

const rarestFirst = (needs: readonly Choice[]): readonly Choice[] =>
  needs.length < 2 ? needs : needs.map((choice) => ({ choice, rank: rarityOf(choice) })).sort((a, b) => b.rank - a.rank)
    .slice(0, MOST_NEEDS).map(({ choice }) => choice);

/** As a need: what holds another one adds nothing, and an empty text is in all. */
function asNeed(exact: Choice): readonly Choice[] {
  if (exact.length === 1) return exact[0] === "" ? [] : [exact];
  const kept: string[] = [];
  for (const text of [...exact].sort((a, b) => a.length - b.length)) {
    if (text === "") return [];
    if (!kept.some((shorter) => text.includes(shorter))) kept.push(text);
  }
  return [kept];
}

const KNOWN_BY = 24; // Characters.

class Reader {
  #at = 0;
  #depth = 0;

  constructor(private readonly pattern: string, private readonly known: KnownGroups) {}

  alternatives(): Alternative[] {
    const found: Alternative[] = [];
    while (true) {
      const from = this.#at, part = this.#sequence(), source = this.pattern.slice(from, this.#at);
      found.push({ source, needs: rarestFirst(part.exact === null ? part.needs : asNeed(part.exact)) });
      if (this.#at >= this.pattern.length) return found;
      this.#at++; // "|", or a parenthesis that nothing opened: the compiler of expressions says so.
    }
  }

  /** Parts one behind another, up to "|", ")" or the end. */
  #sequence(): Part {
    const needs: Choice[] = [];
    let texts: Choice = [""], isExact = true;
    while (this.#at < this.pattern.length && this.pattern[this.#at] !== "|" && this.pattern[this.#at] !== ")") {
      const part = this.#plain() ?? this.#times(this.#atom()), { exact } = part;
      if (exact !== null && texts.length * exact.length <= MOST_TEXTS) {
        texts = exact.length === 1
          ? texts.map((text) => text + exact[0])
          : texts.flatMap((text) => exact.map((more) => text + more));
        continue;
      }
      isExact = false;
      needs.push(...asNeed(texts), ...part.needs);
      texts = exact ?? [""];
    }
    return isExact ? { exact: texts, needs: [] } : { exact: null, needs: [...needs, ...asNeed(texts)] };
  }

  /** A group's alternatives, up to its end. */
  #choice(): Part {
    const parts = [this.#sequence()];
    while (this.pattern[this.#at] === "|") {
      this.#at++;
      parts.push(this.#sequence());
    }
    this.#at++;
    if (parts.length === 1) return parts[0]!;
    const exact = parts.flatMap((part) => part.exact ?? []);
    if (exact.length <= MOST_CHOICES && parts.every((part) => part.exact !== null)) return { exact, needs: [] };
    const all = parts.map(({ exact, needs }) => rarestFirst(exact === null ? needs : asNeed(exact))[0]);
    const choice = all.every((own) => own !== undefined) ? all.flat() : [];
    return choice.length === 0 || choice.length > MOST_CHOICES ? ANY : { exact: null, needs: asNeed(choice) };
  }

  /** Letters that stand for themselves; the last one is left where it may be repeated. */
  #plain(): Part | null {
    PLAIN.lastIndex = this.#at;
    const [text = ""] = PLAIN.exec(this.pattern) ?? [];
    this.#at += text.length;
    return text === "" ? null : { exact: [text], needs: [] };
  }

  #atom(): Part {
    const { pattern } = this, char = String.fromCodePoint(pattern.codePointAt(this.#at)!);
    this.#at += char.length;
    switch (char) {
      case "(":
        return this.#group();
      case "[":
        return this.#class();
      case "\\":
        return this.#escape();
      case "^":
      case "$":
        return EMPTY;
      case ".":
        return ANY;
      default:
        return { exact: [char], needs: [] };
    }
  }

  #group(): Part {
    const from = this.#at, key = this.pattern.slice(from, from + KNOWN_BY), alike = this.known.get(key);
    const known = alike?.find(({ source }) => this.pattern.startsWith(source, from));
    if (known !== undefined) {
      this.#at += known.source.length;
      return known.part;
    }
    const part = this.#newGroup(), source = this.pattern.slice(from, this.#at);
    if (source.length < KNOWN_BY) return part;
    if (alike === undefined) this.known.set(key, [{ source, part }]);
    else alike.push({ source, part });
    return part;
  }

  #newGroup(): Part {
    const [opening = ""] = /^\?(?:[:=!]|<[=!]|[^:)]*[:>])/.exec(this.pattern.slice(this.#at, this.#at + 40)) ?? [];
    this.#at += opening.length;
    if (this.#depth === MOST_DEPTH) return this.#tooDeep();
    this.#depth++;
    const part = this.#choice();
    this.#depth--;
    if (opening === "" || opening === "?:") return part;
    // What stands around a match is no part of it; other groups may change how letters are read.
    return /[=!]$/.test(opening) ? EMPTY : ANY;
  }

  /** To the end of a group that is not followed. */
  #tooDeep(): Part {
    for (let open = 1; open > 0 && this.#at < this.pattern.length;) {
      const char = this.pattern[this.#at++];
      if (char === "(") open++;
      else if (char === ")") open--;
      else if (char === "\\") this.#at++;
      else if (char === "[") this.#class();
    }
    return ANY;
  }

  #class(): Part {
    const { pattern } = this, from = this.#at;
    while (pattern[this.#at] !== "]" && this.#at < pattern.length) this.#at += pattern[this.#at] === "\\" ? 2 : 1;
    const chars = [...pattern.slice(from, this.#at++)];
    const isPlain = chars.length <= CLASS_MOST && !chars.some((char) => /[\\^-]/.test(char));
    return isPlain && chars.length > 0 ? { exact: chars, needs: [] } : ANY;
  }

  #escape(): Part {
    const [escape] = /^(?:[pP]\{[^}]*\}|u\{[^}]*\}|u[\da-f]{4}|x[\da-f]{2}|k<[^>]*>|c[a-z]|\d+|[^]|$)/iu.exec(
      this.pattern.slice(this.#at, this.#at + 40),
    )!;
    this.#at += escape.length;
    if (/^[bB]$/.test(escape)) return EMPTY;
    if (/^[ux]/.test(escape)) {
      const code = parseInt(escape.replace(/[^\da-f]/gi, ""), 16);
      return Number.isNaN(code) ? ANY : { exact: [String.fromCodePoint(code)], needs: [] };
    }
    const control = CONTROLS[escape];
    if (control !== undefined) return { exact: [control], needs: [] };
    return /^[\w]/.test(escape) ? ANY : { exact: [escape], needs: [] };
  }

  /** The part as often as what stands behind it says. */
  #times(part: Part): Part {
    const { pattern } = this, char = pattern[this.#at];
    let least = 1, most = 1;
    if (char === "?") [least, most] = [0, 1];
    else if (char === "*") least = 0;
    else if (char === "{") {
      const end = pattern.indexOf("}", this.#at), [low, high = low] = pattern.slice(this.#at + 1, end).split(",");
      [least, most] = [Number(low), Number(high)];
      this.#at = end;
    } else if (char !== "+") return part;
    if (char === "*" || char === "+") most = Infinity;
    this.#at++;
    if (pattern[this.#at] === "?") this.#at++;
    const { exact } = part;
    if (least === 0) return most === 1 && exact !== null ? { exact: [...exact, ""], needs: [] } : ANY;
    if (least === 1 && most === 1) return part;
    return {
      exact: null,
      needs: exact === null ? part.needs : asNeed(exact.map((text) => text.repeat(Math.min(least, MOST_REPEATS)))),
    };
  }
}
