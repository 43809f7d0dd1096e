/**
 * Settings in text: launch flags (`--beta 0.04 \`), Hydra overrides (`+a.b=c`), shell variables, `key: value`, `key=value`.
 * @module
 */
import { findOption, normaliseOption } from "../../options.ts";
import type { Intake } from "../intake/intake.ts";
import { scanDict } from "../intake/scan_dict.ts";
import { numberScan, scanNumber } from "../source/scan_number.ts";

const WORD = /"((?:[^"\\]|\\.)*)"|'([^']*)'|([^\s"']+)/g;
const scan = numberScan();

/** A written value and its type; Python's and YAML's words for true, false and nothing are read too. */
export function writtenValue(raw: string): { value: unknown; type: string } {
  const text = raw.trim();
  const quoted = /^(["'])(.*)\1$/s.exec(text);
  if (quoted !== null) return { value: quoted[2]!, type: "string" };
  if (/^(true|false)$/i.test(text)) return { value: text.toLowerCase() === "true", type: "boolean" };
  if (/^(none|null|~)$/i.test(text)) return { value: null, type: "null" };
  if (scanNumber(text, 0, scan) && scan.end === text.length) return { value: scan.value, type: "number" };
  if (/^\d{1,3}(,\d{3})+(\.\d+)?$/.test(text)) return { value: Number(text.replaceAll(",", "")), type: "number" };
  if (text.startsWith("[")) {
    const items = text.replace(/^\[|\]$/g, "").split(",").map((item) => item.trim()).filter((item) => item !== "");
    return { value: items.map((item) => writtenValue(item).value), type: "list" };
  }
  return { value: text, type: "string" };
}

/** Reads one line of flags or assignments; returns how many settings it held. */
export function readFlags(intake: Intake, text: string, line: number, anyName: boolean): number {
  let taken = 0;
  // Python and INI put spaces around the sign, and write lists.
  if (anyName && !text.includes("--") && !text.includes("|")) {
    if (/[(,].*=|=.*=/.test(text)) text = text.replace(/\s*(?<![=!<>])=(?!=)\s*/g, "=");
    text = text.replace(/([A-Za-z_][\w.]*)=(\[[^\]]*\])/g, (whole: string, name: string, list: string, at: number) => {
      const { value, type } = writtenValue(list);
      intake.setting(normaliseOption(name), value, type, line, at + 1);
      taken++;
      return " ".repeat(whole.length);
    });
  }
  const words = [...text.matchAll(WORD)].map((m) => ({
    text: m[1] ?? m[2] ?? m[3]!,
    at: m.index,
    quoted: m[3] === undefined,
  }));
  // A quoted part belongs to the word before it when nothing stands between: --a="b c".
  for (let i = words.length - 1; i > 0; i--) {
    const before = words[i - 1]!;
    if (!before.quoted && before.at + before.text.length === words[i]!.at && before.text.endsWith("=")) {
      before.text += words[i]!.text;
      words.splice(i, 1);
    }
  }
  for (let i = 0; i < words.length; i++) {
    const { text: word, at, quoted } = words[i]!;
    if (quoted || word === "\\") continue;
    if (/^--?[A-Za-z][\w.-]*/.test(word) && word.startsWith("--")) {
      const equals = word.indexOf("=");
      if (equals > 0) {
        const { value, type } = writtenValue(word.slice(equals + 1));
        intake.setting(normaliseOption(word.slice(0, equals)), value, type, line, at + 1);
      } else {
        const values: string[] = [];
        while (i + 1 < words.length) {
          const next = words[i + 1]!;
          if (next.text === "\\" || (!next.quoted && /^--?[A-Za-z]/.test(next.text))) break;
          if (
            !next.quoted && (next.text === "&&" || next.text === "|" || next.text.startsWith(">") || next.text === ";")
          ) break;
          values.push(next.text.replace(/\\$/, ""));
          i++;
        }
        if (values.length === 0) intake.setting(normaliseOption(word), true, "boolean", line, at + 1);
        else {
          const read = values.map(writtenValue);
          const one = read.length === 1;
          intake.setting(
            normaliseOption(word),
            one ? read[0]!.value : read.map(({ value }) => value),
            one ? read[0]!.type : "list",
            line,
            at + 1,
          );
        }
      }
      taken++;
      continue;
    }
    if (anyName && /^[\w.${}~/-]+\.py$/.test(word)) {
      intake.setting("script", word, "string", line, at + 1);
      taken++;
      continue;
    }
    const pair = /^([+~]{0,2}[A-Za-z_][\w.@/-]*)=(.*?)\\?$/s.exec(word);
    if (
      pair !== null && !pair[2]!.includes("(") &&
      (anyName || pair[1]!.includes(".") || findOption(pair[1]!, null) !== null)
    ) {
      const { value, type } = writtenValue(pair[2]!.replace(/[,)]+$/, ""));
      intake.setting(normaliseOption(pair[1]!), value, type, line, at + 1);
      taken++;
    }
  }
  return taken;
}

/** Reads `key: value` with any value; a dict value becomes one setting per key. */
export function readKeyValue(intake: Intake, text: string, line: number, anyName: boolean, parent = ""): boolean {
  const pair = /^(\s*)(?:[-*]\s+)?["']?([A-Za-z_][\w./ -]{0,80}?)["']?\s*[:=]\s+?(\S.*?)\s*,?\s*$/.exec(text) ??
    /^(\s*)["']?([A-Za-z_][\w./-]{0,80})["']?\s*[:=]\s*(\S.*?)\s*,?\s*$/.exec(text);
  if (pair === null) {
    const bare = anyName ? /^\s*([A-Za-z_][\w.]+)\s+(\S+)\s*$/.exec(text) : null;
    if (bare === null || findOption(bare[1]!, null) === null) return false;
    const { value, type } = writtenValue(bare[2]!);
    intake.setting(normaliseOption(parent + bare[1]!), value, type, line, 1);
    return true;
  }
  const name = pair[2]!.trim(), value = pair[3]!;
  const known = findOption(name.replaceAll(" ", "_"), null) !== null;
  if (!known && (!anyName || /\s/.test(name) && name.split(/\s+/).length > 3)) return false;
  const key = parent + (known ? name.replaceAll(" ", "_") : name);
  if (value.startsWith("{")) {
    const { stage } = intake;
    stage.reset();
    if (scanDict(value, 0, stage, `${key}.`, 1) > 0) {
      for (let i = 0; i < stage.count; i++) {
        const none = stage.decimals[i] === -2;
        const written = none ? null : stage.values[i]!;
        intake.setting(stage.infos[i]!.printed, written, none ? "null" : "number", line, pair[1]!.length + 1);
      }
      for (const item of stage.texts) intake.setting(item.name, item.value, "string", line, pair[1]!.length + 1);
      return true;
    }
  }
  const written = writtenValue(value);
  intake.setting(normaliseOption(key), written.value, written.type, line, pair[1]!.length + 1);
  return true;
}
