/**
 * What rules say, in Chinese: whole sentences by their English, sentences with numbers by templates. What has no
 * translation stays English and is marked as that. @module
 */
import { HINTS_ZH } from "./hints_zh.ts";
import { LOOKS_ZH } from "./looks_zh.ts";
import { MESSAGES_ZH } from "./messages_zh.ts";
import { REASONS_ZH } from "./reasons_zh.ts";
import { SENTENCES_ZH } from "./sentences_zh.ts";

/** A part of a text in one language. */
interface Piece {
  readonly text: string;
  readonly lang: "zh" | "en";
}

/** A sentence begins with a capital or none, and ends with a full stop or none. */
const keyOf = (text: string) => (text[0] ?? "").toLowerCase() + text.slice(1).replace(/\.$/, "");

const WHOLE: ReadonlyMap<string, string> = new Map(
  [HINTS_ZH, LOOKS_ZH, MESSAGES_ZH].flatMap((table) =>
    Object.entries(table).map(([english, chinese]) => [keyOf(english), chinese] as const)
  ),
);

/** A metric or option as it is called: at most three words. */
const NAME = "[\\p{L}\\p{N}_./@()+*-]+(?: [\\p{L}\\p{N}_./@()+*-]+){0,2}";
/** What is no sentence in any language. */
const BARE = /^[\w./:-]+$/;

/** What stands in a place of a template: a number with its unit, names, a text of anybody's, or a part to be translated. */
const PLACES: Readonly<Record<string, string>> = {
  "{}": "(-?(?:\\d[\\d.,]*(?:e[+-]?\\d+)?|NaN|inf|Infinity)(?: %)?)",
  "{name}": `(${NAME}(?:, ${NAME}){0,11})`,
  "{file}": "([^:]+(?::\\d+)?)",
  "{where}":
    "(throughout \\(as told\\)|in part \\(as told\\)|on the one record|on (?:all )?\\d+(?: of \\d+)? records?)",
  "{options}": "(--\\S.*|[\\w.]+(?:=|: )\\S.*)",
  "{of}": "(rollouts|train steps|tokens|hours)",
  "{text}": "(.+)",
  "{said}": "(.+?)",
};

/** Places that hold what has a translation of its own. */
const TRANSLATED = new Set(["{said}", "{where}", "{of}"]);

interface Template {
  readonly pattern: RegExp;
  readonly isSaid: readonly boolean[];
  readonly chinese: string;
}

/** What begins with a place fits more than what begins with a word, and is tried behind it. */
const byBeginning = ([one]: readonly string[], [other]: readonly string[]) =>
  Number(one!.startsWith("{")) - Number(other!.startsWith("{"));

const TEMPLATES: readonly Template[] = [...SENTENCES_ZH, ...REASONS_ZH].sort(byBeginning).map(([english, chinese]) => {
  const places = english.match(/\{\w*\}/g) ?? [];
  const parts = keyOf(english).split(/\{\w*\}/).map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const source = parts.map((part, i) => part + (places[i] === undefined ? "" : PLACES[places[i]!])).join("");
  // A sentence that begins with a name begins with that.
  const begun = source.replace(/^[a-z]/, (letter) => `[${letter}${letter.toUpperCase()}]`);
  return {
    pattern: new RegExp(`^${begun}$`, "su"),
    isSaid: places.map((place) => TRANSLATED.has(place)),
    chinese,
  };
});

/** Characters and parts within parts beyond which nothing is looked up. */
const LONGEST = 600, DEEPEST = 4;

/** A text in Chinese as far as it has a translation, in parts. */
export function inChinese(text: string): Piece[] {
  const whole = translated(text, 0);
  if (whole !== null) return joined([...whole, ...stopOf(text)]);
  const sentences = text.split(/(?<=[.!?]) (?=\S)/);
  const pieces: Piece[] = [];
  for (let from = 0; from < sentences.length;) {
    const { to, found } = longest(sentences, from);
    const said = sentences.slice(from, to).join(" ");
    const before = pieces.length > 0 && found === null ? " " : "";
    pieces.push(...found === null ? [{ text: before + said, lang: "en" } as const] : [...found, ...stopOf(said)]);
    from = to;
  }
  return joined(pieces);
}

/** The most sentences from one on that have a translation together. */
function longest(sentences: readonly string[], from: number): { to: number; found: Piece[] | null } {
  for (let to = sentences.length; to > from; to--) {
    const found = translated(sentences.slice(from, to).join(" "), 0);
    if (found !== null) return { to, found };
  }
  return { to: from + 1, found: null };
}

const stopOf = (text: string): Piece[] => text.endsWith(".") ? [{ text: "。", lang: "zh" }] : [];

/** One sentence or clause; null where it has no translation. */
function translated(text: string, depth: number): Piece[] | null {
  const key = keyOf(text), whole = WHOLE.get(key), clause = text.replace(/\.$/, "");
  if (whole !== undefined) return [{ text: whole, lang: "zh" }];
  if (text.length > LONGEST || depth > DEEPEST) return null;
  for (const { pattern, isSaid, chinese } of TEMPLATES) {
    const match = pattern.exec(clause);
    if (match === null) continue;
    const pieces = filled(chinese, match.slice(1), isSaid, depth);
    if (pieces !== null) return pieces;
  }
  // "what is found (what is seen, what is seen)"
  const [, message, seen] = /^([^()]+) \(([^()]+)\)$/.exec(clause) ?? [];
  const found = message === undefined ? null : translated(message, depth + 1);
  if (found !== null) return [...found, { text: "（", lang: "zh" }, ...listed(seen!), { text: "）", lang: "zh" }];
  return BARE.test(text) ? [{ text, lang: "zh" }] : null;
}

/** What is seen, one after the other; a name in it may have a comma. */
function listed(text: string): Piece[] {
  const parts = text.split(", ").map((part) => WHOLE.get(keyOf(part)));
  // An amount ("6.2 h") is no sentence in any language.
  return parts.includes(undefined) && /[a-z]{4}/i.test(text)
    ? [{ text, lang: "en" }]
    : [{ text: parts.includes(undefined) ? text : parts.join("，"), lang: "zh" }];
}

/** The Chinese of a template; null where none of its parts that want a translation has one. */
function filled(chinese: string, values: readonly string[], isSaid: readonly boolean[], depth: number): Piece[] | null {
  const parts = values.map((value, i) => isSaid[i] ? translated(value, depth + 1) : null);
  const wanted = parts.filter((_, i) => isSaid[i]);
  // The first part is what is said; what is said about it has a translation always.
  if (wanted.slice(1).includes(null) || wanted.length === 1 && wanted[0] === null) return null;
  return chinese.split(/(\{\d\})/).filter((part) => part !== "").flatMap((part): Piece[] => {
    const at = /^\{(\d)\}$/.exec(part)?.[1];
    if (at === undefined) return [{ text: part, lang: "zh" }];
    const i = Number(at) - 1;
    return parts[i] ?? [{ text: values[i]!, lang: isSaid[i] ? "en" : "zh" }];
  });
}

/** Neighbours of one language as one. */
function joined(pieces: readonly Piece[]): Piece[] {
  const all: Piece[] = [];
  for (const piece of pieces) {
    const last = all.at(-1);
    if (last?.lang === piece.lang) all.splice(-1, 1, { text: last.text + piece.text, lang: last.lang });
    else all.push(piece);
  }
  return all;
}
