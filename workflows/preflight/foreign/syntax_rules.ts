/** Configurations that no reader of their format takes. @module */
import { MOST_TOKENS, pythonTokens } from "../../translate/python_tokens.ts";
import { yamlOptions } from "../../translate/yaml_options.ts";
import type { Launch } from "./launch.ts";
import type { Hit, LaunchRule } from "./rule.ts";

/** What Python's json takes, and JSON has not; in a text it does no harm. */
const PYTHON_NUMBERS = /\bNaN\b|-?\bInfinity\b/g;

interface Refused {
  /** From 1. */
  readonly line: number;
  readonly why: string;
}

/** Where a text stops being JSON as Python reads it; null where it does not. */
export function jsonRefusal(text: string): Refused | null {
  const plain = text.replaceAll(PYTHON_NUMBERS, (word) => "0".padEnd(word.length));
  try {
    JSON.parse(plain);
    return null;
  } catch {
    const at = firstMistake(plain);
    return { line: plain.slice(0, at.offset).split("\n").length, why: at.why };
  }
}

/** The usual mistakes of files that are written by hand, outside of strings; else the end of what was read. */
const MISTAKES: readonly (readonly [RegExp, string])[] = [
  [/^,\s*[}\]]/, "a comma stands before the closing bracket"],
  [/^(?:\/\/|\/\*|#)/, "JSON has no comments"],
  [/^'/, "JSON wants straight double quotes"],
  [/^[“”]/, "JSON wants straight double quotes"],
  [/^(?:True|False|None)\b/, "JSON writes true, false and null in small letters"],
  [/^["\d\]}el]\s*\n\s*"/, "a comma is missing at the end of the line"],
];

function firstMistake(text: string): { readonly offset: number; readonly why: string } {
  let isQuoted = false;
  for (let at = 0; at < text.length; at++) {
    const letter: string = text[at]!;
    // The end of a string may be followed by a mistake itself.
    if (isQuoted && letter !== '"') {
      if (letter === "\\") at++;
      continue;
    }
    const opens: boolean = letter === '"' && !isQuoted;
    isQuoted = opens;
    if (opens || !/[,/#'“”TFN"\d\]}el]/.test(letter)) continue;
    const rest = text.slice(at, at + NEAR), found = MISTAKES.find(([pattern]) => pattern.test(rest));
    if (found !== undefined) return { offset: at, why: found[1] };
  }
  return { offset: text.trimEnd().length, why: "a bracket, a quote, a comma or a colon is missing or too many" };
}

/** Letters behind a place that show a mistake: blanks and an indent. */
const NEAR = 200;

function jsonRefused(launch: Launch): Hit[] {
  // A trainer's state is written by it, and read for its records.
  const own = launch.form === "keys" && /\.json$/.test(launch.path) && !/"log_history"/.test(launch.text)
    ? [[launch.path.split("/").at(-1)!, launch.text, true] as const]
    : [];
  const others = [...launch.beside].filter(([name]) => /\.json$/.test(name)).map(([name, text]) =>
    [name, text, false] as const
  );
  return [...own, ...others].flatMap(([name, text, isOwn]) => {
    const refused = jsonRefusal(text.replace(/^\ufeff/, ""));
    if (refused === null) return [];
    const told = launch.options.findLast(({ value }) => value === name);
    return {
      message:
        `${isOwn ? "the file" : name} is no valid JSON from line ${refused.line} on: ${refused.why}; json.load ` +
        "stops there, and so does the trainer",
      at: isOwn || told === undefined ? isOwn ? refused.line : 1 : [told],
      change: [],
      byHand: `Mend line ${refused.line}${isOwn ? "" : ` of ${name}`}: ${refused.why}.`,
    };
  });
}

/** PyYAML takes lists in brackets and texts in quotes whose next lines are not indented. */
function isLenient(problem: string, text: string): boolean {
  const quote = /Missing closing (["'])quote/.exec(problem)?.[1];
  const bare = text.replaceAll(/"[^"\n]*"|'[^'\n]*'|(?:^|\s)#.*/gm, "");
  const count = (mark: string) => bare.split(mark).length;
  const isClosed = count("[") === count("]") && count("{") === count("}");
  return /sufficiently indented/.test(problem) && isClosed || quote !== undefined && text.split(quote).length % 2 === 1;
}

/** Where a text stops being YAML as PyYAML reads it; null where it does not, or where another rule names the mistake. */
function yamlRefusal(text: string): Refused | null {
  // A template is filled in before it is read; a tab that indents is named by a rule of its own.
  if (/\{\{|\{%|^ *\t/m.test(text)) return null;
  const problem = yamlOptions(text, false).problem;
  if (problem === null || isLenient(problem, text)) return null;
  const why = problem.replace(/^it is no valid YAML: /, "").replace(/:$/, "");
  return { line: Number(/ at line (\d+)/.exec(problem)?.[1] ?? 1), why };
}

function yamlRefused(launch: Launch): Hit | null {
  if (launch.form !== "keys" || !/\.ya?ml$/.test(launch.path)) return null;
  const refused = yamlRefusal(launch.text);
  return refused && {
    message: `the file is no valid YAML: ${refused.why}; yaml.safe_load stops there, and so does the trainer`,
    at: refused.line,
    change: [],
    byHand: `Mend line ${refused.line}.`,
  };
}

const CLOSES: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}" };

/** Where the brackets of a script do not fit each other; null where they do. */
export function bracketsRefusal(text: string): Refused | null {
  const open: { readonly bracket: string; readonly line: number }[] = [], tokens = pythonTokens(text);
  if (tokens.length > MOST_TOKENS) return null; // It is not read to its end.
  for (const { kind, text: sign, line } of tokens) {
    if (kind !== "operator") continue;
    if (sign in CLOSES) open.push({ bracket: sign, line });
    else if (/^[)\]}]$/.test(sign)) {
      const last = open.pop();
      if (last === undefined) return { line, why: `"${sign}" closes nothing` };
      if (CLOSES[last.bracket] !== sign) {
        return { line, why: `"${sign}" closes the "${last.bracket}" of line ${last.line}` };
      }
    }
  }
  const left = open.at(-1);
  return left === undefined ? null : { line: left.line, why: `"${left.bracket}" is never closed` };
}

function pythonRefused(launch: Launch): Hit | null {
  const isNotebook = /\.ipynb$/.test(launch.path);
  if (!isNotebook && !/\.py$/.test(launch.path)) return null;
  const refused = bracketsRefusal(launch.text);
  return refused && {
    message: isNotebook
      ? `a cell is no valid Python: ${refused.why} on line ${refused.line}; nothing of the cell runs`
      : `the file is no valid Python: ${refused.why} on line ${refused.line}; nothing of it runs`,
    at: refused.line,
    change: [],
    byHand: `Mend line ${refused.line}: ${refused.why}.`,
  };
}

/** Why a file of no known trainer is no JSON or YAML, as its name says it is: "it is no valid JSON from line 2 on: …". */
export function fileRefusal(path: string, text: string): string | null {
  const isJson = /\.json$/.test(path);
  if (!isJson && !/\.ya?ml$/.test(path)) return null;
  const plain = text.replace(/^\ufeff/, ""), refused = isJson ? jsonRefusal(plain) : yamlRefusal(plain);
  const why = refused?.why.replace(/ at line \d+, column \d+$/, "");
  return refused && `it is no valid ${isJson ? "JSON" : "YAML"} from line ${refused.line} on: ${why}`;
}

export const SYNTAX_RULES = {
  json_refused: {
    systems: [],
    severity: "error",
    about: "A configuration, or the DeepSpeed file it names, is no JSON: a comma too many, a comment, other quotes.",
    change: "the line",
    source: "RFC 8259; Python, json.load; transformers, hf_argparser.py, parse_json_file",
    check: jsonRefused,
  },
  yaml_refused: {
    systems: [],
    severity: "error",
    about: "A configuration is no YAML: an indent, a quote or a colon is wrong.",
    change: "the line",
    source: "YAML 1.2.2; PyYAML, scanner.py and parser.py",
    check: yamlRefused,
  },
  python_refused: {
    systems: [],
    severity: "error",
    about: "A bracket of a training script or a notebook is never closed, or another one closes it.",
    change: "the line",
    source: "The Python Language Reference, Lexical analysis; CPython, Parser/lexer",
    check: pythonRefused,
  },
} as const satisfies Record<string, LaunchRule>;
