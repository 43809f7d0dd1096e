/**
 * Reads the usual dict: the keys of the record before it, in their order, each with a plain number.
 *
 * In a long log nearly every dict is one. It is read as bytes: characters of a text that is a piece of another cost four
 * times as much.
 * @module
 */
import { plainValue, scanNumber } from "../source/scan_number.ts";
import { ALL_DIGITS, type Expected, type Stage } from "./stage.ts";

const LONGEST = 1 << 16; // Bytes of a record that is read like this.
const bytes = new Uint8Array(LONGEST + 1), encoder = new TextEncoder();
const QUOTE = 39, COMMA = 44, MINUS = 45, DOT = 46, DOUBLE_QUOTE = 34, OPEN = 123, CLOSE = 125;

const isDigit = (code: number) => code >= 48 && code <= 57;

/**
 * Scans the dict that opens at `at` into the stage, which is empty: the index after its closing brace, or -1 where it is
 * another one; the stage then holds what was read before that showed.
 */
export function scanUsual(text: string, at: number, stage: Stage): number {
  if (stage.expected.length === 0 || text.length > LONGEST || text.charCodeAt(at) !== OPEN) return -1;
  // Places in the text are those in the bytes where every character is one.
  if (encoder.encodeInto(text, bytes).written !== text.length) return -1;
  bytes[text.length] = 0;
  at++;
  for (let slot = 0;; slot++) {
    while (bytes[at] === 32) at++;
    const expected = expectedAt(at, stage, slot);
    if (expected === null) return -1;
    const end = scanValue(text, at + expected.bytes.length, stage);
    if (end < 0) return -1;
    stage.add(expected.info, stage.number.value, ALL_DIGITS, at);
    if (bytes[end] === CLOSE) return end + 1;
    if (bytes[end] !== COMMA) return -1;
    at = end + 1;
  }
}

function expectedAt(at: number, { expected, alternate }: Stage, slot: number): Expected | null {
  const first = expected[slot];
  if (first === undefined || standsAt(at, first.bytes)) return first ?? null;
  const second = alternate[slot];
  return second !== undefined && standsAt(at, second.bytes) ? second : null;
}

function standsAt(at: number, key: Uint8Array): boolean {
  for (let i = 0; i < key.length; i++) if (bytes[at + i] !== key[i]) return false;
  return true;
}

/** Scans a number, quoted or not, into the stage's: the index after it, or -1. */
function scanValue(text: string, at: number, { number }: Stage): number {
  const quote = bytes[at]!, isQuoted = quote === QUOTE || quote === DOUBLE_QUOTE, start = isQuoted ? at + 1 : at;
  let end = scanPlain(start);
  if (end < 0) {
    if (!scanNumber(text, start, number)) return -1;
    end = number.end;
  } else number.value = plain;
  return isQuoted ? bytes[end] === quote ? end + 1 : -1 : end;
}

/** What scanPlain() found. */
let plain = 0;

/** Scans digits with at most a sign and a point, few enough for an exact value: the index after them, or -1. */
function scanPlain(at: number): number {
  const negative = bytes[at] === MINUS;
  let code = bytes[negative ? ++at : at]!, mantissa = 0, fraction = 0;
  if (!isDigit(code)) return -1;
  for (; isDigit(code); code = bytes[++at]!) mantissa = mantissa * 10 + code - 48;
  if (code === DOT) {
    for (code = bytes[++at]!; isDigit(code); code = bytes[++at]!) {
      mantissa = mantissa * 10 + code - 48;
      fraction++;
    }
  }
  if ((code | 32) === 101) return -1; // e, E
  const value = plainValue(mantissa, -fraction);
  plain = negative ? -value : value;
  return Number.isNaN(value) ? -1 : at;
}
