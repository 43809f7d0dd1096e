/**
 * A hand scanner for one dict as Python or JSON prints it: `{'loss': 0.0, 'kl': nan, "reward": "0.5", …}`.
 *
 * JSON.parse cannot read it, and a regular expression backtracks. Numbers go to the stage, everything else to its texts.
 * @module
 */
import { ALL_DIGITS, expectedName, NONE, type Stage } from "./stage.ts";
import { scanNumber } from "../source/scan_number.ts";

const MAX_DEPTH = 40;

/** How a dict ended: the index after it, or one of these. */
export const UNFINISHED = -1;
export const NO_DICT = -2;

const isQuote = (code: number) => code === 39 || code === 34;
const isSpace = (code: number) => code === 32 || (code >= 9 && code <= 13) || code === 160;

function skipSpace(text: string, at: number): number {
  while (isSpace(text.charCodeAt(at))) at++;
  return at;
}

/** Index after the closing quote of a string that opens at `at`, or UNFINISHED. */
function skipString(text: string, at: number): number {
  const quote = text.charCodeAt(at);
  for (at++; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 92) at++;
    else if (code === quote) return at + 1;
  }
  return UNFINISHED;
}

/** Index after a balanced bracket that opens at `at`, or UNFINISHED. */
function skipBracket(text: string, at: number): number {
  let depth = 0;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === 34 || code === 39) {
      at = skipString(text, at);
      if (at < 0) return UNFINISHED;
      continue;
    }
    if (code === 40 || code === 91 || code === 123) depth++;
    else if (code === 41 || code === 93 || code === 125) {
      if (--depth === 0) return at + 1;
    }
    at++;
  }
  return UNFINISHED;
}

/** Takes the quotes and the escapes off a printed string. */
export function unquote(raw: string): string {
  const inner = raw.slice(1, -1);
  if (!inner.includes("\\")) return inner;
  return inner.replace(/\\(u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|.)/gs, (_, c: string) => {
    if (c.length > 1) return String.fromCharCode(parseInt(c.slice(1), 16));
    return c === "n" ? "\n" : c === "t" ? "\t" : c === "r" ? "\r" : c;
  });
}

/**
 * Scans the dict that opens with `{` at `at` into the stage (added to what is there).
 *
 * With `bare` the opening brace is missing: `at` stands on the first key. Returns the index after the closing brace,
 * UNFINISHED where the text ends first, NO_DICT where it is something else.
 */
export function scanDict(text: string, at: number, stage: Stage, prefix = "", depth = 0, bare = false): number {
  if (depth > MAX_DEPTH) return NO_DICT;
  if (!bare) at++;
  for (;;) {
    at = skipSpace(text, at);
    const slot = depth === 0 ? stage.count + stage.texts.length : -1;
    const usual = slot < 0 ? -1 : scanExpected(text, at, stage, slot);
    if (usual >= 0) at = usual;
    else {
      if (at >= text.length) return UNFINISHED;
      const open = text.charCodeAt(at);
      if (open !== 125 && open !== 44) {
        at = scanPair(text, at, stage, prefix, depth, slot);
        if (at < 0) return at;
        at = skipSpace(text, at);
        if (at >= text.length) return UNFINISHED;
      }
    }
    const close = text.charCodeAt(at++);
    if (close === 125) return at;
    if (close !== 44) return NO_DICT;
  }
}

/**
 * The usual case: the same key as in the record before, followed by a plain number. Returns the index of the comma or
 * brace behind it, or -1 where something else stands there.
 */
function scanExpected(text: string, at: number, stage: Stage, slot: number): number {
  let guess = stage.expected[slot];
  if (guess === undefined) return -1;
  if (!text.startsWith(guess.text, at)) {
    guess = stage.alternate[slot];
    if (guess === undefined || !text.startsWith(guess.text, at)) return -1;
  }
  const valueAt = at + guess.text.length, code = text.charCodeAt(valueAt), quoted = isQuote(code);
  if (!scanNumber(text, quoted ? valueAt + 1 : valueAt, stage.number)) return -1;
  let { end } = stage.number;
  if (quoted && text.charCodeAt(end++) !== code) return -1;
  const next = text.charCodeAt(end);
  if (next !== 44 && next !== 125) return -1;
  stage.add(guess.info, stage.number.value, ALL_DIGITS, at);
  return end;
}

/** Scans `'key': value`; returns the index after it, UNFINISHED or NO_DICT. */
function scanPair(text: string, keyAt: number, stage: Stage, prefix: string, depth: number, slot: number): number {
  if (!isQuote(text.charCodeAt(keyAt))) return NO_DICT;
  const keyEnd = skipString(text, keyAt);
  if (keyEnd < 0) return UNFINISHED;
  let at = skipSpace(text, keyEnd);
  if (at >= text.length) return UNFINISHED;
  if (text.charCodeAt(at) !== 58) return NO_DICT;
  at = skipSpace(text, at + 1);
  if (at >= text.length) return UNFINISHED;
  const key = prefix + unquote(text.slice(keyAt, keyEnd));
  if (slot >= 0 && slot < 4096) {
    const before = stage.expected[slot];
    if (before !== undefined) stage.alternate[slot] = before;
    stage.expected[slot] = expectedName(text.slice(keyAt, at), stage.info(key));
  }
  return scanValue(text, at, key, stage, depth, keyAt);
}

const STEP_BEHIND = 40; // Characters that hold the step's name behind the data.

/** verl's file logger prints {"step": n, "data": {…}}, or sorted by name: the names inside are the metrics'. */
function isRecordData(text: string, at: number, key: string, stage: Stage): boolean {
  if (key !== "data") return false;
  if (stage.count > 0) return stage.infos[0]!.isStep;
  if (stage.texts.length > 0) return false;
  const end = skipBracket(text, at);
  return end > 0 && /^\s*,\s*["']step["']\s*:/.test(text.slice(end, end + STEP_BEHIND));
}

const WORDS: readonly [string, number, number][] = [
  ["None", NaN, NONE],
  ["null", NaN, NONE],
  ["True", 1, ALL_DIGITS],
  ["true", 1, ALL_DIGITS],
  ["False", 0, ALL_DIGITS],
  ["false", 0, ALL_DIGITS],
];

function scanValue(text: string, at: number, key: string, stage: Stage, depth: number, keyAt: number): number {
  const code = text.charCodeAt(at);
  if (isQuote(code)) return scanQuoted(text, at, key, stage, keyAt);
  if (code === 123) return scanDict(text, at, stage, isRecordData(text, at, key, stage) ? "" : `${key}.`, depth + 1);
  if (code === 91 || code === 40) {
    const end = skipBracket(text, at);
    if (end > 0) stage.texts.push({ name: key, value: text.slice(at, end), quoted: false, at: keyAt });
    return end;
  }
  if (scanNumber(text, at, stage.number)) {
    if (isCutNumber(text, stage.number.end)) return UNFINISHED;
    stage.add(stage.info(key), stage.number.value, ALL_DIGITS, keyAt);
    return stage.number.end;
  }
  for (const [word, value, decimals] of WORDS) {
    if (text.startsWith(word, at)) {
      stage.add(stage.info(key), value, decimals, keyAt);
      return at + word.length;
    }
  }
  return scanCall(text, at, key, stage, keyAt);
}

/** Nothing but the beginning of an exponent stands behind a number: the text ends inside it, as at "1e-". */
function isCutNumber(text: string, end: number): boolean {
  return text.length - end <= 2 && /^(?:[eE][+-]?)?$/.test(text.slice(end));
}

/** A number in quotes (transformers 5), a quoted None, or a text; pprint breaks a long one into several. */
function scanQuoted(text: string, at: number, key: string, stage: Stage, keyAt: number): number {
  const first = skipString(text, at);
  if (first < 0) return UNFINISHED;
  let end = first, more = "";
  for (let next = skipSpace(text, end); isQuote(text.charCodeAt(next)); next = skipSpace(text, end)) {
    end = skipString(text, next);
    if (end < 0) return UNFINISHED;
    more += unquote(text.slice(next, end));
  }
  if (more === "" && scanNumber(text, at + 1, stage.number) && stage.number.end === end - 1) {
    stage.add(stage.info(key), stage.number.value, ALL_DIGITS, keyAt);
  } else if (end - at === 6 && text.startsWith("None", at + 1)) stage.add(stage.info(key), NaN, NONE, keyAt);
  else stage.texts.push({ name: key, value: unquote(text.slice(at, first)) + more, quoted: true, at: keyAt });
  return end;
}

/** `np.float64(0.5)`, `tensor(nan, device='cuda:0')`: the number inside; any other bare text up to the next comma. */
function scanCall(text: string, at: number, key: string, stage: Stage, keyAt: number): number {
  let end = at;
  while (end < text.length && !",}(\n".includes(text[end]!)) end++;
  if (end >= text.length) return UNFINISHED;
  if (end === at) return NO_DICT;
  if (text.charCodeAt(end) === 40) {
    const close = skipBracket(text, end);
    if (close < 0) return UNFINISHED;
    let inner = end + 1;
    while (text.charCodeAt(inner) === 91 || text.charCodeAt(inner) === 39) inner++;
    if (scanNumber(text, inner, stage.number)) {
      const next = text.charCodeAt(stage.number.end);
      const single = next === 41 || next === 44 && text.charCodeAt(inner - 1) !== 91 || next === 93 || next === 39;
      if (single) {
        stage.add(stage.info(key), stage.number.value, ALL_DIGITS, keyAt);
        return close;
      }
    }
    stage.texts.push({ name: key, value: text.slice(at, close), quoted: false, at: keyAt });
    return close;
  }
  stage.texts.push({ name: key, value: text.slice(at, end).trim(), quoted: false, at: keyAt });
  return end;
}
