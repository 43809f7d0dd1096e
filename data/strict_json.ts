/**
 * JSON as a file from elsewhere must be read: duplicate keys, depth and sizes are checked before anything is built.
 * @module
 */
import { orElse } from "./file_system.ts";

interface JsonLimits {
  /** Deepest nesting of lists and objects; default 100. */
  readonly depth?: number;
  /** Most members of one object; default 1,000,000. */
  readonly members?: number;
  /** Refuse integers that a float64 cannot hold (beyond 2^53); default false: they are rounded. */
  readonly exactIntegers?: boolean;
  /** Every number must be digits only (no sign, fraction or exponent); default false. */
  readonly naturalNumbers?: boolean;
  /** Refuse texts with lone surrogates (they cannot be written as UTF-8); default true. */
  readonly wellFormed?: boolean;
}

const QUOTE = 0x22, BACKSLASH = 0x5c, OPEN_OBJECT = 0x7b, OPEN_LIST = 0x5b, CLOSE_OBJECT = 0x7d, CLOSE_LIST = 0x5d;
const COLON = 0x3a;

/**
 * The value of a JSON text. `where` begins errors, e.g. `config.json`.
 * Throws SyntaxError "Cannot read <where>: …" for broken JSON, a duplicate key, or a broken limit.
 */
export function parseJson(text: string, where: string, limits: JsonLimits = {}): unknown {
  const fault = scan(text, limits);
  if (fault) throw new SyntaxError(`Cannot read ${where}: ${fault}`);
  try {
    return JSON.parse(text);
  } catch (cause) {
    const reason = (cause as Error).message.replace(/\n/g, "\\n").slice(0, 200);
    throw new SyntaxError(`Cannot read ${where}: it is not JSON (${reason})`, { cause });
  }
}

/** As `parseJson`, but the value must be an object. */
export function parseJsonObject(text: string, where: string, limits: JsonLimits = {}): Record<string, unknown> {
  const value = parseJson(text, where, limits);
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    const kind = value === null ? "null" : Array.isArray(value) ? "a list" : `a ${typeof value}`;
    throw new SyntaxError(`Cannot read ${where}: it is ${kind}, want an object`);
  }
  return value as Record<string, unknown>;
}

/** One pass over the text without building values; says what is wrong, or null. Broken syntax is JSON.parse's to tell. */
function scan(text: string, limits: JsonLimits): string | null {
  const { depth = 100, members = 1_000_000, exactIntegers = false, naturalNumbers = false, wellFormed = true } = limits;
  /** One set of keys per open object, null per open list. */
  const open: (Set<string> | null)[] = [];
  let i = 0;
  while (i < text.length) {
    const unit = text.charCodeAt(i);
    if (unit === OPEN_OBJECT || unit === OPEN_LIST) {
      if (open.length >= depth) return `it is nested deeper than ${depth} levels`;
      open.push(unit === OPEN_OBJECT ? new Set() : null);
      i++;
    } else if (unit === CLOSE_OBJECT || unit === CLOSE_LIST) {
      open.pop();
      i++;
    } else if (unit === QUOTE) {
      const start = i;
      i = afterText(text, start);
      const token = text.slice(start, i);
      const value = token.includes("\\") ? unescape(token) : text.slice(start + 1, i - 1);
      if (wellFormed && value !== null && !value.isWellFormed()) return "a text in it has a lone surrogate";
      const keys = open.at(-1);
      if (!keys || value === null) continue;
      let next = i;
      while (next < text.length && text.charCodeAt(next) <= 0x20) next++;
      if (text.charCodeAt(next) !== COLON) continue;
      if (keys.has(value)) return `key ${JSON.stringify(value.slice(0, 80))} stands twice in one object`;
      keys.add(value);
      if (keys.size > members) return `an object has more than ${members} members`;
    } else if (unit === 0x2d || (unit >= 0x30 && unit <= 0x39)) {
      const start = i;
      for (i++; i < text.length && /[0-9.eE+-]/.test(text[i]!); i++);
      const literal = text.slice(start, i), shown = literal.slice(0, 40);
      if (naturalNumbers && !/^\d+$/.test(literal)) return `number ${shown} is no natural number`;
      if ((exactIntegers || naturalNumbers) && !/[.eE]/.test(literal) && !Number.isSafeInteger(Number(literal))) {
        return `integer ${shown} is beyond 2^53 and would be rounded; write it as a text`;
      }
    } else i++;
  }
  return null;
}

/** The index after the text that opens at `start`. */
function afterText(text: string, start: number): number {
  let i = start + 1;
  while (i < text.length && text.charCodeAt(i) !== QUOTE) i += text.charCodeAt(i) === BACKSLASH ? 2 : 1;
  return i + 1;
}

/** Null for a broken one: JSON.parse of the whole text will say where. */
const unescape = (token: string) => orElse(() => JSON.parse(token) as string, null);
