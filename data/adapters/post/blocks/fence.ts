/** What a fence holds, by its language, by the sentence before it, and by its lines: records, options, or completions. @module */
import { readConfiguration } from "../../configuration.ts";
import type { Intake } from "../../intake/intake.ts";
import { nameInfo } from "../../intake/name_info.ts";
import type { LogReader } from "../../text/log_reader.ts";
import type { Line } from "../../source/lines.ts";
import { parseObject } from "../../source/python_json.ts";
import { columnsAsPairs } from "./columns.ts";
import { mendedFragment } from "./fragment.ts";
import { holdLabelled, labelledTexts } from "./labelled_texts.ts";
import { readRewardCode } from "./reward_code.ts";
import { expression, has } from "../words/match.ts";
import { SUBJECTS } from "../words/subjects.ts";

export interface Fence {
  readonly language: string;
  /** The line before it. */
  readonly lead: string;
  readonly first: number;
  readonly lines: Line[];
}

const YAML = new Set(["yaml", "yml"]);
const CODE = new Set(["python", "py", "sh", "bash", "shell", "console", "diff", "cpp", "toml", "ini", "ipython"]);
const SPOKEN = expression(SUBJECTS.completions.words, `${SUBJECTS.completions.signs}|generated|sample`);
const NO_TEXT =
  /\b(?:log|logs|metrics?|config\w*|script|command|launch|arguments?|traceback|error|reward function|训练日志|日志|配置|脚本|命令|报错|ログ|設定|로그|설정)\b|日志|配置|脚本|报错|ログ|設定|로그|설정/i;
const LOG_LIKE =
  /(?<![\w/])(?=[\d/]*[A-Za-z_])[\w/]+['"]?\s*[:=]\s*['"]?-?(?:\d|nan|inf)|--\w|^\s*(?:Traceback|File "|\w+Error|\w*Warning\s*:|WARN|ERROR|INFO)|\|/i;
const CODE_LIKE =
  /^\s*(?:(?:if|for|while|def|class|return|import|from|with|else|elif|try|except|raise|assert|print|async|await|const|let|function)\b.*[:({=]?|self\.\S|#\s|\/\/|@\w|[\w.]+\(.*\),?\s*$|[\w.\]\[]+\s*[+-]?=\s*\S)/;
const CODE_SHARE = 0.3;
const MAX_ROW = 1000; // Characters.
const MOST_TEXT = 60; // Lines of a completion.

/** `export NAME=value` and `NAME=value`, and where they are used. */
const ASSIGNED = /^\s*(?:export\s+)?([A-Za-z_]\w*)=("[^"]*"|'[^']*'|[^\s#;&|]+)\s*(?:#.*)?$/;
const USED = /\$\{(\w+)\}|\$(\w+)/g;

/** The lines of a script with its variables in their places. */
function withVariables(lines: readonly Line[]): readonly Line[] {
  const known = new Map<string, string>();
  return lines.map((line) => {
    const text = line.text.replace(USED, (whole, braced: string, bare: string) => known.get(braced ?? bare) ?? whole);
    const set = ASSIGNED.exec(text);
    if (set !== null) known.set(set[1]!, set[2]!.replace(/^["']|["']$/g, ""));
    return text === line.text ? line : { ...line, text };
  });
}

export function readFence(intake: Intake, log: LogReader, given: Fence): void {
  const fence = given.lines.some(({ text }) => ASSIGNED.test(text))
    ? { ...given, lines: [...withVariables(given.lines)] }
    : given;
  const { language, lines, lead } = fence;
  if (lines.length === 0) return;
  readRewardCode(intake, lines);
  const text = lines.map((line) => line.text).join("\n");
  if (YAML.has(language)) {
    if (readYaml(intake, text, fence) > 0) return;
  } else if (text.trimStart().startsWith("{") || text.trimStart().startsWith("[")) {
    if (readJson(intake, log, text, fence)) return;
  }
  if (!CODE.has(language) && holdLabelled(lines) && labelledTexts(intake, lines)) return;
  if (isCompletion(lead, language, lines)) {
    intake.completion({ line: fence.first + 1, text: text.trim(), cut: /\.\.\.\s*$|…\s*$|\[\.\.\.\]/.test(text) });
    return;
  }
  for (const line of columnsAsPairs(lines) ?? lines.flatMap(optionsApart)) {
    log.take({ ...line, text: mendedFragment(line.text) ?? line.text, ended: true });
  }
  log.pause();
}

/** Options in one row, as arguments are written: `learning_rate=1e-3, beta=0.0`. */
const ROW = /^\s*(?:[A-Za-z_]\w*\s?=\s?(?:"[^"]*"|'[^']*'|[\w.+-]+)\s*(?:,\s*|$)){2,}$/;

function optionsApart(line: Line): Line[] {
  if (line.text.length > MAX_ROW || !ROW.test(line.text)) return [line];
  const options = line.text.split(/,\s*(?=[A-Za-z_]\w*\s?=)/).map((text) => text.trim().replace(/,$/, ""));
  const isOption = (text: string) => nameInfo(text.split("=")[0]!.trim()).isOption;
  return options.every(isOption) ? options.map((text) => ({ ...line, text })) : [line];
}

/** Completions are printed without a name and a number on each line, after a sentence that speaks of them. */
function isCompletion(lead: string, language: string, lines: readonly Line[]): boolean {
  if (CODE.has(language) || lines.length > MOST_TEXT) return false;
  if (lines.filter(({ text }) => LOG_LIKE.test(text)).length >= lines.length / 2) return false;
  if (lines.filter(({ text }) => CODE_LIKE.test(text)).length >= CODE_SHARE * lines.length) return false;
  return has(SPOKEN, lead) && !NO_TEXT.test(lead);
}

/** Options of a YAML fence, with the lines of the post. */
function readYaml(intake: Intake, text: string, { first }: Fence): number {
  const at = (line: number) => line + first;
  const seen = { partial: null as string | null };
  const count = readConfiguration(
    {
      source: seen as Intake["source"],
      setting: (name, value, type, line, column, system) => intake.setting(name, value, type, at(line), column, system),
      message: (kind, body, value, line) => intake.message(kind, body, value, at(line)),
      skip: (line, reason) => intake.skip(line === null ? null : at(line), reason),
    },
    text,
    false,
    null,
  );
  return seen.partial === null ? count : 0;
}

/** One JSON value over several lines: records, or options. False where it is none. */
function readJson(intake: Intake, log: LogReader, text: string, { first, lines }: Fence): boolean {
  if (lines.filter(({ text }) => /^\s*\{.*\}\s*,?$/.test(text)).length > 1) return false; // a record on each line
  const value = parseValue(text);
  if (value === null) return readInner(log, lines);
  const all = Array.isArray(value) ? value : (value as { log_history?: unknown }).log_history;
  const rows = Array.isArray(all) ? all : [value];
  if (!rows.every((row) => typeof row === "object" && row !== null && !Array.isArray(row))) return false;
  const asOptions = () => readYaml(intake, text, { language: "json", lead: "", first, lines }) > 0;
  // What is no record are options, nested ones too.
  if (!rows.some((row) => Object.keys(row).some((name) => nameInfo(name).isStrong)) && asOptions()) return true;
  const before = intake.taken, starts = rowLines(text, rows.length);
  for (const [i, row] of rows.entries()) {
    log.take({ text: JSON.stringify(row), number: first + (starts[i] ?? 1), ended: true });
  }
  return intake.taken > before || asOptions();
}

/** The lines of a JSON text on which its rows begin: the objects of the depth that has as many. */
function rowLines(text: string, rows: number): readonly number[] {
  const starts = new Map<number, number[]>();
  let depth = 0, line = 1;
  for (const [token] of text.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"|[{}\[\]\n]/g)) {
    if (token === "\n") line++;
    else if (token === "}" || token === "]") depth--;
    else if (token[0] !== '"') {
      if (token === "{") {
        const lines = starts.get(depth) ?? [];
        lines.push(line);
        starts.set(depth, lines);
      }
      depth++;
    }
  }
  return [...starts.values()].find((lines) => lines.length === rows) ?? [];
}

const LEAST_PAIRS = 3;

/** A JSON text that is cut: the flat objects in it, the last one as far as it goes. False where it holds none. */
function readInner(log: LogReader, lines: readonly Line[]): boolean {
  let open: { text: string; readonly line: number } | null = null, taken = false;
  const hand = (text: string, number: number) => {
    if ((text.match(/"[^"]+"\s*:/g)?.length ?? 0) >= LEAST_PAIRS) {
      taken = log.take({ text, number, ended: true }) || taken;
    }
  };
  for (const { text, number } of lines) {
    for (const part of text.split(/(?<=\})|(?=\{)/)) {
      if (part.startsWith("{")) open = { text: "{", line: number };
      if (open === null) continue;
      open = {
        ...open as { text: string; line: number },
        text: open.text + part.replace(/^\{/, "").replace(/\s*\|?\s*$/, " "),
      };
      if (!part.trimEnd().endsWith("}")) continue;
      hand(open.text.trim(), open.line);
      open = null;
    }
  }
  const rest = open as { text: string; readonly line: number } | null;
  if (rest !== null && taken) hand(`${rest.text.replace(/,[^,]*$/, "")}}`, rest.line);
  return taken;
}

function parseValue(text: string): unknown {
  const object = parseObject(text);
  if (object !== null) return object;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
