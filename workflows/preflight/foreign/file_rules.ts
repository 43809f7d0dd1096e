/** What goes wrong in the text of a launch script or a YAML before any program reads an option. @module */
import { isUnresolved, shownValue } from "../../translate/written.ts";
import type { Launch, Told } from "./launch.ts";
import { isTypo } from "./name_distance.ts";
import { shellLines } from "./shell_lines.ts";
import { type Hit, type LaunchRule, ON_TRAINER } from "./rule.ts";

const BASH = "Bash manual, 3.1.2.1 Escape Character and 3.1.3 Comments";
/** A line that begins with an option: `--a`, `a.b=1`. */
const OPTION = /^\s*["']?(?:--?[A-Za-z]|[+~]{0,2}[a-z_]\w*(?:\.\w+)+=)/;

/** Lines of a shell script; none of another text. */
function linesOf(launch: Launch): readonly string[] {
  const isShell = (launch.form === "flags" || launch.form === "overrides") &&
    !/\.(?:ya?ml|json|py|ipynb)$/.test(launch.path);
  return isShell ? shellLines(launch.text) : [];
}

/** A line without what stands in straight quotes. */
const unquoted = (line: string) => line.replaceAll(/"(?:[^"\\]|\\.)*"|'[^']*'/g, (text) => " ".repeat(text.length));
const isComment = (line: string) => /^\s*#/.test(line);
const isContinued = (line: string) => /(?:^|[^\\])\\$/.test(line);

function atLine(line: number, message: string, byHand: string): Hit {
  return { message, at: line, change: [], byHand };
}

/** The first option behind a line, as it stands there. */
const optionAfter = (lines: readonly string[], from: number) =>
  lines.slice(from).find((line) => OPTION.test(line))?.trim().split(/[\s=]/)[0] ?? "what follows";

function spaceAfterBackslash(launch: Launch): Hit[] {
  const lines = linesOf(launch);
  return lines.flatMap((line, i) =>
    /\\[\s\u200b]+$/.test(line) && !isComment(line) && OPTION.test(lines[i + 1] ?? "")
      ? atLine(
        i + 1,
        `a blank stands behind the backslash: the command ends here, and ${
          optionAfter(lines, i + 1)
        } and the rest are not passed`,
        `Delete the blanks behind the backslash of line ${i + 1}.`,
      )
      : []
  );
}

function commentInCommand(launch: Launch): Hit[] {
  const lines = linesOf(launch), found: Hit[] = [];
  for (const [i, line] of lines.entries()) {
    const before = lines[i - 1] ?? "", inside = unquoted(line);
    const isWhole = isComment(line) && isContinued(before) && !isComment(before);
    const isTail = !isComment(line) && /\s#.*\\\s*$/.test(inside);
    if (!isWhole && !isTail) continue;
    let next = i + 1;
    while (isWhole && isComment(lines[next] ?? "")) next++;
    if (!OPTION.test(lines[next] ?? "")) continue;
    found.push(atLine(
      i + 1,
      `a comment inside a command that goes on ends it: ${optionAfter(lines, next)} and the rest are not passed`,
      `Take the comment of line ${i + 1} out of the command.`,
    ));
  }
  return found;
}

function missingBackslash(launch: Launch): Hit[] {
  const lines = linesOf(launch);
  return lines.flatMap((line, i) => {
    const next = lines[i + 1] ?? "", before = lines[i - 1] ?? "";
    const isInside = isContinued(before) && !isComment(before) && !isComment(line) && line.trim() !== "";
    if (
      !isInside || /\\\s*$/.test(line) || /["']$/.test(unquoted(line).trim()) || !/^\s+/.test(next) ||
      !OPTION.test(next)
    ) {
      return [];
    }
    return atLine(
      i + 1,
      `the line has no backslash at its end: the command ends here, and ${
        optionAfter(lines, i + 1)
      } and the rest are not passed`,
      `Write a backslash at the end of line ${i + 1}.`,
    );
  });
}

/** What looks like a blank between two words, and is a letter. */
const FALSE_BLANK = /[\u00a0\u3000\u2000-\u200b\u202f](?=[^\s\\])/;

/** The plain character that a typographic one stands for. */
function plainOf(found: string): string {
  if (/[“”]/.test(found)) return '"';
  return /[‘’]/.test(found) ? "'" : found === "＝" ? "=" : "--";
}

function typographicCharacters(launch: Launch): Hit[] {
  return linesOf(launch).flatMap((line, i) => {
    const bare = isComment(line) ? "" : unquoted(line);
    const found = /(?:^|[\s=])([“”‘’])/.exec(bare)?.[1] ??
      /(?:^|\s)([–—－−―‒‐‑﹣]{1,2})(?=[A-Za-z])/.exec(bare)?.[1] ?? /(?:^|\s)--\w+(＝)/.exec(bare)?.[1] ??
      (bare.includes("--") ? FALSE_BLANK.exec(bare.slice(bare.indexOf("--")))?.[0] : undefined);
    if (found === undefined) return [];
    const plain = plainOf(found);
    if (/\s|\u200b/.test(found)) {
      const code = `U+${found.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}`;
      return atLine(
        i + 1,
        `${code} looks like a blank, as pages and chats write it, and is a letter to the shell: two words become one`,
        `Write a plain blank in place of ${code} in line ${i + 1}.`,
      );
    }
    return atLine(
      i + 1,
      `"${found}" is a typographic character, as pages and chats write it: the shell takes it for a letter of the value`,
      `Write ${plain} in place of ${found} in line ${i + 1}.`,
    );
  });
}

function spacesAroundEquals(launch: Launch): Hit[] {
  const lines = linesOf(launch);
  return lines.flatMap((line, i) => {
    if (isComment(line)) return [];
    const name = (isContinued(lines[i - 1] ?? "")
      ? /^\s*([+~]{0,2}[a-z_]\w*(?:\.\w+)+)(?:\s+=|=\s+[^\s\\])/
      : /^\s*(?:export\s+)?([A-Za-z_]\w*)(?:\s+=\s*[^\s=]|=\s+(?:[\d.][\w.-]*|["'/]\S*)\s*$)/).exec(line)?.[1];
    if (name === undefined) {
      return [];
    }
    return atLine(
      i + 1,
      `blanks around the = of ${name}: the shell takes name, sign and value for words of their own, and sets nothing`,
      `Write ${name}=VALUE without blanks in line ${i + 1}.`,
    );
  });
}

/** What the environment may set is left alone, unless it is a letter from a variable of the script. */
function misspeltVariable(launch: Launch): Hit[] {
  const lines = linesOf(launch), text = lines.filter((line) => !isComment(line)).join("\n");
  const set = new Set(Array.from(text.matchAll(/(?:^|[\s;(])([A-Za-z_]\w*)\+?=/gm), ([, name]) => name!));
  for (const [, name] of text.matchAll(/\b(?:for|read(?:\s+-\w+)*)\s+([A-Za-z_]\w*)/g)) set.add(name!);
  const found = new Map<string, Hit>();
  for (const [i, line] of lines.entries()) {
    if (isComment(line)) continue;
    for (const [, braced, plain] of line.matchAll(/\$(?:\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*))/g)) {
      const name = braced ?? plain!,
        meant = name.length < 5 ? undefined : [...set].find((other) => isTypo(name, other));
      if (set.has(name) || meant === undefined || found.has(name)) continue;
      found.set(
        name,
        atLine(
          i + 1,
          `$${name} is set nowhere, and is empty here; did you mean $${meant}?`,
          `Write $${meant} in line ${i + 1}.`,
        ),
      );
    }
  }
  return [...found.values()];
}

function flagTwice(launch: Launch): Hit[] {
  if (launch.form !== "flags" && launch.form !== "overrides") return [];
  const first = new Map<string, Told>(), found: Hit[] = [];
  for (const option of launch.options) {
    const before = option.source === launch.path ? first.get(option.name) : undefined;
    if (before !== undefined && JSON.stringify(before.value) !== JSON.stringify(option.value)) {
      const [old, now] = [before, option].map((one) => asWritten(launch, one));
      found.push({
        message: `${
          launch.called(option.name)
        } is given twice, ${old} in line ${before.line} and ${now} here: the last one holds, silently`,
        at: [before, option],
        change: [{ name: option.name, value: typeof before.value === "number" ? { unresolved: old! } : before.value }],
      });
    }
    if (option.source === launch.path) first.set(option.name, option);
  }
  return found;
}

/** A value as its line writes it: a number with the digits that stand there. */
function asWritten(launch: Launch, { name, value, line }: Told): string {
  if (isUnresolved(value)) return value.unresolved;
  if (typeof value !== "number") return JSON.stringify(value);
  const text = launch.lines[line - 1] ?? "", words = text.slice(Math.max(0, text.indexOf(name) + name.length));
  const numbers = words.match(/[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?/gi) ?? [];
  return numbers.find((written) => Number(written) === value) ?? shownValue(value);
}

function tabInYaml(launch: Launch): Hit | null {
  if (launch.form !== "keys" || !/\.ya?ml$/.test(launch.path)) return null;
  const line = launch.text.split("\n").findIndex((text) => /^ *\t\s*\S/.test(text) && !/^\s*#/.test(text));
  return line < 0
    ? null
    : atLine(line + 1, "a tab indents the line: YAML refuses the file", `Indent line ${line + 1} with blanks.`);
}

/** Options that want a word, which YAML 1.1 may take for a boolean. */
const WORDS = ["eval_strategy", "evaluation_strategy", "save_strategy", "logging_strategy"];

function wordAsBoolean(launch: Launch): Hit[] {
  if (launch.form !== "keys" || !/\.ya?ml$/.test(launch.path)) return [];
  const lines = launch.text.split("\n");
  return WORDS.flatMap((name) => {
    const told = launch.told(name),
      written = told && /:\s*(no|off|yes|on)\s*(?:#.*)?$/i.exec(lines[told.line - 1] ?? "")?.[1];
    if (told === undefined || !written) return [];
    return {
      message:
        `${name}: ${written} is the boolean ${/^(?:yes|on)$/i.test(written)} in YAML 1.1, as PyYAML reads it, and ` +
        `not the word "${written}": transformers refuses it`,
      at: [told],
      change: [{ name, value: `"${written}"` }],
    };
  });
}

export const FILE_RULES = {
  space_after_backslash: {
    systems: [],
    severity: "error",
    about: "A blank behind the backslash at a line's end ends the command: the options below are not passed.",
    change: "the blank",
    source: BASH,
    check: spaceAfterBackslash,
  },
  comment_in_command: {
    systems: [],
    severity: "error",
    about: "A comment among the lines of one command ends it: the options below are not passed.",
    change: "the comment's place",
    source: BASH,
    check: commentInCommand,
  },
  missing_backslash: {
    systems: [],
    severity: "error",
    about: "A line of a command that goes on has no backslash: the options below are not passed.",
    change: "a backslash",
    source: BASH,
    check: missingBackslash,
  },
  typographic_characters: {
    systems: [],
    severity: "error",
    about: "Curly quotes, a dash for --, a wide sign or a blank that is none came along from a page.",
    change: "the characters",
    source: "Bash manual, 3.1.2 Quoting",
    check: typographicCharacters,
  },
  spaces_around_equals: {
    systems: [],
    severity: "error",
    about: "Blanks around the = of a variable or an override: nothing is set.",
    change: "the blanks",
    source: "Bash manual, 3.4 Shell Parameters; Hydra, Basic Override syntax",
    check: spacesAroundEquals,
  },
  misspelt_variable: {
    systems: [],
    severity: "error",
    about: "A variable that nothing sets is one letter from one that is set: it is empty where it is used.",
    change: "the variable's name",
    source: "Bash manual, 3.5.3 Shell Parameter Expansion",
    check: misspeltVariable,
  },
  flag_twice: {
    systems: [],
    severity: "warning",
    about: "An option is given twice with different values: the last one holds, silently.",
    change: "one of the two",
    source: "Python, argparse, action store; Hydra, Basic Override syntax",
    check: flagTwice,
  },
  tab_in_yaml: {
    systems: [],
    severity: "error",
    about: "A tab indents a line of YAML, which refuses it.",
    change: "the tab",
    source: "YAML 1.2.2, 6.1 Indentation Spaces",
    check: tabInYaml,
  },
  word_as_boolean: {
    systems: ON_TRAINER,
    severity: "error",
    about: "no, off, yes or on without quotes is a boolean for PyYAML, where transformers wants the word.",
    change: "quotes around the word",
    source: "YAML 1.1, bool; transformers, training_args.py, IntervalStrategy",
    check: wordAsBoolean,
  },
} as const satisfies Record<string, LaunchRule>;
