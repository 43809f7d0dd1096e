/** The parts of a line that evidence names: a name with the value behind it, a number that is told, the clause of a claim. @module */
import type { Evidence } from "../../../steps/diagnoses/view/evidence.ts";

interface Part {
  readonly text: string;
  readonly marked: boolean;
}

/** What a row of evidence says of its line. */
export type Proof = Pick<Evidence, "name"> & Partial<Pick<Evidence, "value">>;

type Place = readonly [from: number, to: number];

/** A value behind a name: behind a sign, or one that is no word. */
const VALUE =
  /^(?:['"]?\s*[:=|]\s*['"]?(?:np\.\w+\(|tensor\()?[^\s,;|{}[\]()'"]+|['"]?\s+[-+]?(?:\d[\d.e+-]*|nan|inf|none|true|false)(?![\w.]))(?:,\d{3}(?!\d))*(?:\.\d+)?%?/i;
const WORD = /[\w/.]/;
const NUMBER = /(?<![\w.,])[-+−]?(?:\d{1,3}(?:,\d{3})+|\d+)?(?:[.,]?\d+)(?:e[-+]?\d+)?%?(?![\w]|[.,]\d)/gi;
const NOT_FINITE = /(?<![a-z])(?:nan|-?inf(?:inity)?)(?![a-z])/gi;
/** Characters of a line in which a number is looked for, and places of a name. */
const MOST = 4000, PLACES = 50;

/** A line in parts; of each proof one place is marked. */
export function markedParts(text: string, proofs: readonly Proof[]): Part[] {
  const places = proofs.flatMap((proof) => {
    const place = placeOf(text, proof);
    return place === null ? [] : [place];
  });
  const parts: Part[] = [];
  let done = 0;
  for (const [from, to] of places.sort(([a, aEnd], [b, bEnd]) => a - b || bEnd - aEnd)) {
    if (from < done) continue;
    if (from > done) parts.push({ text: text.slice(done, from), marked: false });
    parts.push({ text: text.slice(from, to), marked: true });
    done = to;
  }
  return done < text.length || parts.length === 0 ? [...parts, { text: text.slice(done), marked: false }] : parts;
}

/** What a line has of a proof: its whole name, and its value as a number or a text; one without a value is its name. */
export function heldBy(
  text: string,
  { name, value = null }: Proof,
): { readonly name: boolean; readonly value: boolean } {
  const isNamed = namesIn(text, name).length > 0;
  if (typeof value === "string") return { name: isNamed, value: text.includes(writtenOf(value)) };
  return {
    name: isNamed,
    value: typeof value === "number" ? numberIn(text.slice(0, MOST), value, -1) !== null : isNamed,
  };
}

/** A text as its line has it: one that is cut ends with a sign of that. */
export const writtenOf = (value: string) => value.replace(/…$/, "");

function placeOf(text: string, { name, value = null }: Proof): Place | null {
  const words = typeof value === "string" ? writtenOf(value) : "";
  // What a claim is called stands in no line, however short its words are.
  const clause = words.length > name.length || words !== "" && name.includes(" ") ? text.indexOf(words) : -1;
  if (clause >= 0 && !text.includes(`${name}=`)) return [clause, clause + words.length];
  const places = namesIn(text, name), [at = -1] = places;
  const number = typeof value === "number" ? numberIn(text.slice(0, MOST), value, at) : null;
  // Of several places of a name that with the value; the name belongs to what stands right behind it.
  for (const place of places) {
    const end = place + name.length, behind = VALUE.exec(text.slice(end, end + 80));
    const own = behind === null || typeof value !== "number" ? null : numberIn(text.slice(end, end + 80), value, -1);
    if (own !== null && own[0] < behind![0].length) return [place, end + own[1]];
  }
  const behind = at < 0 ? null : VALUE.exec(text.slice(at + name.length, at + name.length + 80));
  if (number !== null && (behind === null || places.length > 1)) return number;
  if (behind !== null) return [at, at + name.length + behind[0].length];
  return at < 0 ? null : [at, at + name.length];
}

/** Where a name stands by itself. */
function namesIn(text: string, name: string): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(name); at >= 0 && places.length < PLACES; at = text.indexOf(name, at + 1)) {
    if (!WORD.test(text[at - 1] ?? " ") && !WORD.test(text[at + name.length] ?? " ")) places.push(at);
  }
  return places;
}

/** A number as people write it, the nearest behind a name that is there; null where it is not written. */
function numberIn(text: string, value: number, name: number): Place | null {
  const found = [...text.matchAll(Number.isFinite(value) ? NUMBER : NOT_FINITE)]
    .filter(([written]) => !Number.isFinite(value) || isWritten(written, value));
  const [best] = found.toSorted((a, b) => distance(a.index, name) - distance(b.index, name));
  return best === undefined ? null : [best.index, best.index + best[0].length];
}

/** What stands before the name is further away than what stands behind it. */
const distance = (at: number, name: number) => name < 0 ? at : at > name ? at - name : MOST + name - at;

/** With a point or a comma, whole or in percent. */
function isWritten(written: string, value: number): boolean {
  const percent = written.endsWith("%"), digits = written.replace(/%$/, "").replace("−", "-");
  const readings = [digits.replaceAll(",", ""), digits.replace(",", ".")].map(Number);
  const values = percent ? [value, 100 * value] : [value];
  return readings.some((one) => values.some((other) => Math.abs(one - other) <= 1e-9 * Math.max(1, Math.abs(other))));
}
