/**
 * What rules say, in Chinese: whole sentences by their English, sentences with numbers by templates. What has no
 * translation stays English and is marked as that. @module
 */
import { BY_HAND_ZH } from "./by_hand_zh.ts";
import { CAUSES_ZH } from "./causes_zh.ts";
import { FOUND_PAIRS_ZH } from "./found_pairs_zh.ts";
import { FOUND_REWARDS_ZH } from "./found_rewards_zh.ts";
import { FOUND_TEXTS_ZH } from "./found_texts_zh.ts";
import { FOUND_UPDATES_ZH } from "./found_updates_zh.ts";
import { HINTS_ZH } from "./hints_zh.ts";
import { LOOK_ALIKES_ZH } from "./look_alikes_zh.ts";
import { LOOKS_ZH } from "./looks_zh.ts";
import { MESSAGES_ZH } from "./messages_zh.ts";
import { NAMES_ZH } from "./names_zh.ts";
import { NOTES_ZH } from "./notes_zh.ts";
import { READING_ZH } from "./reading_zh.ts";
import { REASONS_ZH } from "./reasons_zh.ts";
import { RULED_OUT_ZH } from "./ruled_out_zh.ts";
import { SENTENCES_ZH } from "./sentences_zh.ts";
import { partsOf, type Template, templateOf } from "./templates.ts";

/** A part of a text in one language. */
interface Piece {
  readonly text: string;
  readonly lang: "zh" | "en";
}

/** A sentence begins with a capital or none, and ends with a full stop or none. */
const keyOf = (text: string) => (text[0] ?? "").toLowerCase() + text.slice(1).replace(/\.$/, "");

const isTemplate = ([english]: readonly [string, string]) => /\{\w*\}/.test(english);

/** Tables of sentences with places, and without. */
const SENTENCES = [
  ...[SENTENCES_ZH, REASONS_ZH, FOUND_REWARDS_ZH, FOUND_TEXTS_ZH, FOUND_UPDATES_ZH, FOUND_PAIRS_ZH],
  ...[BY_HAND_ZH, RULED_OUT_ZH, NOTES_ZH, READING_ZH],
].flat();

const WHOLES = [HINTS_ZH, LOOKS_ZH, MESSAGES_ZH, LOOK_ALIKES_ZH].flatMap((table) => Object.entries(table));

/** The English of all that has a translation, with its places. */
export const englishOf = (): string[] => [...WHOLES, ...SENTENCES].map(([english]) => english);

const WHOLE: ReadonlyMap<string, string> = new Map(
  [...WHOLES, ...SENTENCES.filter((one) => !isTemplate(one))].map(([english, chinese]) => [keyOf(english), chinese]),
);

/** What is no sentence in any language: a name, or causes. */
const isBare = (text: string) =>
  /^[\w./:-]+$/.test(text) || text.split(", ").every((cause) => Object.hasOwn(CAUSES_ZH, cause));

/** Names one after the other, with the sign that Chinese has between them. */
const inList = (names: string) => names.split(", ").map((name) => NAMES_ZH[keyOf(name)] ?? name).join("、");

/** What begins with a place fits more than what begins with a word, and is tried behind it. */
const byBeginning = ([one]: readonly string[], [other]: readonly string[]) =>
  Number(one!.startsWith("{")) - Number(other!.startsWith("{"));

const TEMPLATES: readonly Template[] = SENTENCES.filter(isTemplate).sort(byBeginning).map(templateOf);

/** Characters and parts within parts beyond which nothing is looked up. */
const LONGEST = 700, DEEPEST = 5;
/** Sentences that have a translation together, at most. */
const TOGETHER = 8;

/** A text in Chinese as far as it has a translation, in parts. */
export function inChinese(text: string): Piece[] {
  const whole = translated(text, 0);
  if (whole !== null) return joined([...whole, ...stopOf(text)]);
  const sentences = text.split(/(?<=[.!?]) (?=\S)/);
  const pieces: Piece[] = [];
  for (let from = 0; from < sentences.length;) {
    const { to, found } = longest(sentences, from, " ", 0);
    const said = sentences.slice(from, to).join(" ");
    const before = pieces.length > 0 && found === null ? " " : "";
    pieces.push(...found === null ? [{ text: before + said, lang: "en" } as const] : [...found, ...stopOf(said)]);
    from = to;
  }
  return joined(pieces);
}

/** The most parts from one on that have a translation together. */
function longest(
  parts: readonly string[],
  from: number,
  sign: string,
  depth: number,
): { to: number; found: Piece[] | null } {
  for (let to = Math.min(parts.length, from + TOGETHER); to > from; to--) {
    const found = translated(parts.slice(from, to).join(sign), depth);
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
  for (const template of TEMPLATES) {
    const match = clause.includes(template.needs) ? template.pattern.exec(clause) : null;
    if (match === null) continue;
    const pieces = filled(template, match.slice(1), depth);
    if (pieces !== null) return pieces;
  }
  // "what is found (what is seen, what is seen)"
  const [, message, seen] = /^([^()]+) \(([^()]+)\)$/.exec(clause) ?? [];
  const found = message === undefined ? null : translated(message, depth + 1);
  if (found !== null) {
    return [...found, { text: "（", lang: "zh" }, ...listed(seen!, depth), { text: "）", lang: "zh" }];
  }
  return isBare(text) ? [{ text: inList(text), lang: "zh" }] : null;
}

/** What is seen, one after the other; a name in it may have a comma. An amount ("6.2 h") is no sentence in any language. */
function listed(text: string, depth: number): Piece[] {
  const parts = text.split(", "), pieces: Piece[] = [];
  for (let from = 0; from < parts.length;) {
    const { to, found } = longest(parts, from, ", ", depth + 1);
    const said = parts.slice(from, to).join(", "), isAmount = !/[a-z]{4}/i.test(said);
    pieces.push(...from > 0 ? [{ text: "，", lang: "zh" } as const] : []);
    pieces.push(...found ?? [{ text: said, lang: isAmount ? "zh" : "en" } as const]);
    from = to;
  }
  return pieces;
}

/** The Chinese of a template; null where none of its parts that want a translation has one. */
function filled({ chinese, kinds }: Template, values: readonly (string | undefined)[], depth: number): Piece[] | null {
  const parts = values.map((value, i) =>
    value !== undefined && kinds[i] === "said" ? translated(value, depth + 1) : null
  );
  const wanted = parts.filter((_, i) => kinds[i] === "said" && values[i] !== undefined);
  // The first part is what is said; what is said about it has a translation always.
  if (wanted.slice(1).includes(null) || wanted.length === 1 && wanted[0] === null) return null;
  return partsOf(chinese, values).map((part): Piece | readonly Piece[] => {
    if (typeof part === "string") return { text: part, lang: "zh" };
    const value = values[part] ?? "";
    if (kinds[part] === "said") return parts[part] ?? { text: value, lang: value === "" ? "zh" : "en" };
    return { text: kinds[part] === "name" ? NAMES_ZH[keyOf(value)] ?? inList(value) : value, lang: "zh" };
  }).flat();
}

/** Neighbours of one language as one. */
function joined(pieces: readonly Piece[]): Piece[] {
  const all: Piece[] = [];
  for (const piece of pieces) {
    const last = all.at(-1);
    if (last?.lang !== piece.lang) all.push(piece);
    else {all.splice(-1, 1, {
        text: last.lang === "zh" ? glued(last.text, piece.text) : last.text + piece.text,
        lang: last.lang,
      });}
  }
  return all;
}

const HAN = /\p{Script=Han}/u, LATIN = /[\w%]/;

/** Two parts of a Chinese sentence: between characters there is no space, between a character and a letter there is one. */
function glued(before: string, behind: string): string {
  const [one, other] = [before.trimEnd(), behind.trimStart()], last = one.at(-1) ?? "", first = other[0] ?? "";
  if (HAN.test(last) && HAN.test(first)) return one + other;
  const isMixed = HAN.test(last) && LATIN.test(first) || LATIN.test(last) && HAN.test(first);
  return isMixed ? `${one} ${other}` : before + behind;
}
