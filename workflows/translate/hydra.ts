/** Reads Hydra's overrides: `a.b=1`, `+a.b=[x,y]`, `++a={k: v}`, `~a`. @module */
import type { Word } from "./shell_words.ts";
import { meant, type Value, type Written } from "./written.ts";

/** An override; `deleted` for `~key`. */
interface Override extends Written {
  readonly deleted: boolean;
}

/** The overrides among words, and the words that are none. */
export function hydraOverrides(words: readonly Word[]): { overrides: Override[]; rest: Word[] } {
  const overrides: Override[] = [], rest: Word[] = [];
  for (const word of words) {
    const match = /^(~|\+{0,2})([A-Za-z_][\w.@/-]*)(?:=(.*))?$/s.exec(word.text);
    if (match === null || match[3] === undefined && match[1] !== "~") {
      rest.push(word);
      continue;
    }
    const [, sign, name, text] = match as unknown as [string, string, string, string | undefined];
    const value: Value = text === undefined ? null : word.unknown ? { unresolved: text } : hydraValue(text);
    overrides.push({ name, value, line: word.line, deleted: sign === "~" });
  }
  return { overrides, rest };
}

const DEEPEST = 20;

interface Cursor {
  readonly text: string;
  at: number;
  /** Brackets do not close, or a key is none: Hydra refuses it, and the text is all there is. */
  broken: boolean;
}

/** A value as Hydra writes it: bare text, quoted text, list, dict; `${a.b}` is OmegaConf's look-up and stays one. */
export function hydraValue(text: string): Value {
  const cursor: Cursor = { text: text.trim(), at: 0, broken: false };
  const value = element(cursor, "", 0);
  return cursor.broken || cursor.at < cursor.text.length ? meant(text) : value;
}

function element(cursor: Cursor, ends: string, depth: number): Value {
  blank(cursor);
  const { text } = cursor, char = text[cursor.at];
  if (depth > DEEPEST) {
    [cursor.at, cursor.broken] = [text.length, true];
    return text;
  }
  if (char === "[") {
    const items: Value[] = [];
    cursor.at++;
    while (blank(cursor), cursor.at < text.length && text[cursor.at] !== "]") {
      items.push(element(cursor, ",]", depth + 1));
      if (text[cursor.at] === ",") cursor.at++;
    }
    close(cursor);
    return items;
  }
  if (char === "{") {
    const entries: [string, Value][] = [];
    cursor.at++;
    while (blank(cursor), cursor.at < text.length && text[cursor.at] !== "}") {
      const key = element(cursor, ":}", depth + 1);
      if (typeof key === "object" && key !== null) cursor.broken = true;
      if (text[cursor.at] === ":") cursor.at++;
      entries.push([String(key), element(cursor, ",}", depth + 1)]);
      if (text[cursor.at] === ",") cursor.at++;
    }
    close(cursor);
    return Object.fromEntries(entries);
  }
  if (char === '"' || char === "'") {
    const end = text.indexOf(char, cursor.at + 1), stop = end < 0 ? text.length : end;
    const inside = text.slice(cursor.at + 1, stop);
    cursor.at = stop;
    close(cursor);
    return inside;
  }
  const from = cursor.at;
  while (cursor.at < text.length && !ends.includes(text[cursor.at]!)) cursor.at++;
  const bare = text.slice(from, cursor.at).trim();
  if (cursor.at === from && ends !== "") cursor.at++;
  return /^\$\{.*\}$/.test(bare) ? { unresolved: bare } : bare === "" ? null : meant(bare);
}

/** Over a closing bracket or quote. */
function close(cursor: Cursor): void {
  if (cursor.at >= cursor.text.length) cursor.broken = true;
  cursor.at++;
}

function blank(cursor: Cursor): void {
  while (/\s/.test(cursor.text[cursor.at] ?? "")) cursor.at++;
}
