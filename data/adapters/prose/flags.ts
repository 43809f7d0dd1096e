/**
 * Settings in text: launch flags (`--beta 0.04 \`), Hydra overrides (`+a.b=c`), shell variables, `key: value`, `key=value`.
 * @module
 */
import { findOption, normaliseOption } from "../../options.ts";
import type { Intake } from "../intake/intake.ts";
import { scanDict } from "../intake/scan_dict.ts";
import { NONE } from "../intake/stage.ts";
import { wholeNumber } from "../source/scan_number.ts";

const WORD = /"((?:[^"\\]|\\.)*)"|'([^']*)'|([^\s"']+)/g;

export interface Written {
  readonly value: unknown;
  readonly type: string;
}

const MAX_DEPTH = 30; // Lists in lists; what is deeper stays a text.

/** A written value and its type; Python's and YAML's words for true, false and nothing are read too. */
export function writtenValue(raw: string, depth = 0): Written {
  const text = raw.trim();
  const quoted = /^(["'])(.*)\1$/s.exec(text);
  if (quoted !== null) return { value: quoted[2]!, type: "string" };
  if (/^(true|false)$/i.test(text)) return { value: text.toLowerCase() === "true", type: "boolean" };
  if (/^(none|null|~)$/i.test(text)) return { value: null, type: "null" };
  const number = wholeNumber(text);
  if (number !== null) return { value: number, type: "number" };
  if (/^\d{1,3}(,\d{3})+(\.\d+)?$/.test(text)) return { value: Number(text.replaceAll(",", "")), type: "number" };
  if (text.startsWith("[") && depth < MAX_DEPTH) {
    const items = text.replace(/^\[|\]$/g, "").split(",").map((item) => item.trim()).filter((item) => item !== "");
    return { value: items.map((item) => writtenValue(item, depth + 1).value), type: "list" };
  }
  return { value: text, type: "string" };
}

/**
 * Reads one line of flags or assignments; returns how many settings it held.
 *
 * told   what a value tells that stands at a place; without it, what its words say
 */
export function readFlags(
  intake: Intake,
  text: string,
  line: number,
  anyName: boolean,
  told: (written: Written, at: number) => Written = (written) => written,
): number {
  let taken = 0;
  const set = (name: string, written: Written, at: number) => {
    const { value, type } = told(written, at);
    intake.setting(normaliseOption(name), value, type, line, at + 1);
    taken++;
  };
  const words = wordsOf(anyName ? withoutSpacedValues(text, set) : text);
  for (let i = 0; i < words.length; i++) {
    const { text: word, at, quoted } = words[i]!;
    if (quoted || word === "\\") continue;
    const pair = /^([+~]{0,2}[A-Za-z_][\w.@/-]*)=(.*?)\\?$/s.exec(word);
    if (/^--[A-Za-z]/.test(word)) {
      const equals = word.indexOf("=");
      if (equals > 0) set(word.slice(0, equals), writtenValue(word.slice(equals + 1)), at);
      else {
        const values = valuesAfter(words, i);
        set(word, flagValue(values), at);
        i += values.length;
      }
    } else if (anyName && /^[\w.${}~/-]+\.py$/.test(word)) {
      intake.setting("script", word, "string", line, at + 1);
      taken++;
    } else if (pair !== null && !pair[2]!.replaceAll("$(", "").includes("(")) { // a call, but for a program's output
      const [, name, value] = pair as unknown as [string, string, string];
      const isOption = anyName || name.includes(".") || findOption(name, null) !== null;
      if (isOption) set(name, writtenValue(value.replace(/[,)]+$/, "")), at);
    }
  }
  return taken;
}

/** Python and INI put spaces around the sign, and write lists: these are taken here, and blanked in the text. */
function withoutSpacedValues(text: string, set: (name: string, written: Written, at: number) => void): string {
  if (text.includes("--") || text.includes("|")) return text;
  if (/[(,].*=|=.*=/.test(text)) text = text.replace(/\s*(?<![=!<>])=(?!=)\s*/g, "=");
  return text.replace(/([A-Za-z_][\w.]*)=(\[[^\]]*\])/g, (whole: string, name: string, list: string, at: number) => {
    set(name, writtenValue(list), at);
    return " ".repeat(whole.length);
  });
}

interface Word {
  readonly text: string;
  readonly at: number;
  readonly quoted: boolean;
}

/** A quoted part belongs to the word before it when nothing stands between: --a="b c". */
function wordsOf(text: string): Word[] {
  const words = [...text.matchAll(WORD)].map((m): Word => ({
    text: m[1] ?? m[2] ?? m[3]!,
    at: m.index,
    quoted: m[3] === undefined,
  }));
  for (let i = words.length - 1; i > 0; i--) {
    const before = words[i - 1]!, { text, at } = words[i]!;
    if (before.quoted || before.at + before.text.length !== at || !before.text.endsWith("=")) continue;
    words.splice(i - 1, 2, { ...before, text: before.text + text });
  }
  return words;
}

/** The words after a flag that are its values: up to the next flag or the end of the command. */
function valuesAfter(words: readonly Word[], flag: number): string[] {
  const rest = words.slice(flag + 1);
  const end = rest.findIndex(({ text, quoted }) =>
    text === "\\" || !quoted && (/^--?[A-Za-z]|^>/.test(text) || ["&&", "|", ";"].includes(text))
  );
  return (end < 0 ? rest : rest.slice(0, end)).map(({ text }) => text.replace(/\\$/, ""));
}

/** A flag without a value is true, one with several is a list. */
function flagValue(values: readonly string[]): Written {
  if (values.length === 0) return { value: true, type: "boolean" };
  const read = values.map((value) => writtenValue(value));
  return read.length === 1 ? read[0]! : { value: read.map(({ value }) => value), type: "list" };
}

/** Several pairs on a line: `a=1, b=x`. */
const PAIRS =
  /^\s*[A-Za-z_][\w.]*=(?:"[^"]*"|'[^']*'|[^\s,;()"']+)(?:\s*[,;]\s*[A-Za-z_][\w.]*=(?:"[^"]*"|'[^']*'|[^\s,;()"']+))+[\s,;]*$/;

/** Reads `key: value` with any value; a dict value becomes one setting per key. */
export function readKeyValue(intake: Intake, text: string, line: number, anyName: boolean, parent = ""): boolean {
  if (PAIRS.test(text)) {
    return readFlags(intake, text.replace(/\s*[,;]\s*(?=[A-Za-z_][\w.]*=)/g, " "), line, anyName) > 0;
  }
  const pair = /^(\s*)(?:[-*]\s+)?["']?([A-Za-z_][\w./ -]{0,80}?)["']?\s*[:=]\s+?(\S.*?)\s*,?\s*$/.exec(text) ??
    /^(\s*)["']?([A-Za-z_][\w./-]{0,80})["']?\s*[:=]\s*(\S.*?)\s*,?\s*$/.exec(text);
  if (pair === null) return anyName && readKnownPair(intake, text, line, parent);
  const [, indent, printed, value] = pair as unknown as [string, string, string, string];
  const name = printed.trim(), option = name.replaceAll(" ", "_"), known = findOption(option, null) !== null;
  if (!known && (!anyName || /\s/.test(name) && name.split(/\s+/).length > 3)) return false;
  const key = parent + (known ? option : name), column = indent.length + 1;
  if (value.startsWith("{") && readDictValue(intake, key, value, line, column)) return true;
  const written = writtenValue(value);
  intake.setting(normaliseOption(key), written.value, written.type, line, column);
  return true;
}

/** `beta 0.04`: a known name and its value, with nothing between. */
function readKnownPair(intake: Intake, text: string, line: number, parent: string): boolean {
  const [, name, value] = /^\s*([A-Za-z_][\w.]+)\s+(\S+)\s*$/.exec(text) ?? [];
  if (name === undefined || findOption(name, null) === null) return false;
  const written = writtenValue(value!);
  intake.setting(normaliseOption(parent + name), written.value, written.type, line, 1);
  return true;
}

function readDictValue(intake: Intake, key: string, value: string, line: number, column: number): boolean {
  const { stage } = intake;
  stage.reset();
  if (scanDict(value, 0, stage, `${key}.`, 1) <= 0) return false;
  for (let i = 0; i < stage.count; i++) {
    const none = stage.decimals[i] === NONE, { printed } = stage.infos[i]!;
    intake.setting(printed, none ? null : stage.values[i]!, none ? "null" : "number", line, column);
  }
  for (const { name, value } of stage.texts) intake.setting(name, value, "string", line, column);
  return true;
}
