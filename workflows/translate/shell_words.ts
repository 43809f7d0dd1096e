/** Cuts a shell script into commands and their words, with quotes, continuations, variables and here-documents. @module */
import { type Cursor, expandText, expansion, step, type Variables } from "./shell_expansion.ts";

export interface Word {
  readonly text: string;
  readonly line: number;
  /** Any part stood in quotes: never a keyword, a flag only as a value. */
  readonly quoted: boolean;
  /** A part is not known (`$(date)`, an unset variable). */
  readonly unknown: boolean;
}

export type Command = readonly Word[];

const MOST_WORDS = 50_000;
/** What is cut at blanks when a variable is filled in; a program's output that is not known stays one word. */
const PARTS = /(?:\$\((?:[^()]|\([^()]*\))*\)|\S)+/g;

const LONGEST = 20_000; // Letters of a variable.
const SEPARATORS = new Set([";", "&", "|", "(", ")", "\n"]);

interface Pending {
  text: string;
  quoted: boolean;
  unknown: boolean;
  started: boolean;
}

/**
 * The commands of a script in order; assignments are taken into `variables` and removed, those before a command too.
 * Loops and conditions are not followed: every command in them counts once.
 */
export function shellCommands(text: string, variables: Variables = new Map()): Command[] {
  const cursor: Cursor = { text: text.replaceAll("\r\n", "\n"), at: 0, line: 1 };
  const commands: Command[] = [];
  let words: Word[] = [], total = 0;
  const end = () => {
    // Another value each round, whatever it was before.
    if (words[0]?.text === "for" && words[2]?.text === "in") variables.set(words[1]!.text, null);
    if (words.length > 0) commands.push(words);
    words = [];
  };
  const heredocs: { readonly word: string; readonly quoted: boolean; readonly target: string | null }[] = [];
  while (cursor.at < cursor.text.length && total < MOST_WORDS) {
    const char = cursor.text[cursor.at]!, next = cursor.text[cursor.at + 1];
    if (char === "\n") {
      step(cursor);
      while (heredocs.length > 0) takeHeredoc(cursor, heredocs.shift()!, variables);
      end();
    } else if (char === "\\" && next === "\n") step(cursor, 2);
    else if (char === " " || char === "\t" || char === "\r") step(cursor);
    else if (char === "#") skipLine(cursor);
    else if (char === "<" && next === "<" && cursor.text[cursor.at + 2] !== "<") {
      heredocs.push(heredoc(cursor, words));
      words = [];
    } else if (char === ">" || char === "<" || /^\d[<>]/.test(cursor.text.slice(cursor.at, cursor.at + 2))) {
      skipRedirection(cursor, variables);
    } else if (SEPARATORS.has(char)) {
      step(cursor);
      end();
    } else {
      const assigned = assignment(cursor, variables);
      if (
        assigned !== null &&
        words.every(({ text }) => /^(?:export|declare|local|readonly|typeset|env|-\w+)$/.test(text))
      ) {
        variables.set(assigned.name, assigned.value);
        total++;
        continue;
      }
      const found = assigned === null ? readWord(cursor, variables) : [assigned.word];
      words.push(...found);
      total += Math.max(1, found.length);
    }
  }
  end();
  return commands.map(withoutKeywords).filter((command) => command.length > 0);
}

function skipLine(cursor: Cursor): void {
  while (cursor.at < cursor.text.length && cursor.text[cursor.at] !== "\n") step(cursor);
}

/** `if cmd`, `then cmd`, `do cmd`, `! cmd`: the command alone. */
function withoutKeywords(command: Command): Command {
  const first = command.findIndex(({ text, quoted }) =>
    quoted || !/^(?:if|then|else|elif|fi|do|done|while|until|time|exec|nohup|sudo|!|\{|\}|export|env)$/.test(text)
  );
  return first < 0 ? [] : command.slice(first);
}

/** `> file`, `2>&1`, `< file`: not for us. */
function skipRedirection(cursor: Cursor, variables: Variables): void {
  while (/[\d<>&]/.test(cursor.text[cursor.at] ?? "")) step(cursor);
  while (cursor.text[cursor.at] === " ") step(cursor);
  if (!SEPARATORS.has(cursor.text[cursor.at] ?? "\n")) readWord(cursor, variables);
}

/** `read … NAME <<EOF`: the text becomes the variable. */
function heredoc(cursor: Cursor, words: readonly Word[]) {
  const [all, dash, quote, word] =
    /^<<(-?)\s*(["'\\]?)(\w+)["']?/.exec(cursor.text.slice(cursor.at, cursor.at + 200)) ??
      ["<<", "", "", ""];
  step(cursor, all!.length);
  const target = words[0]?.text === "read" ? words.at(-1)!.text : null;
  return { word: dash + word!, quoted: quote !== "", target };
}

function takeHeredoc(
  cursor: Cursor,
  { word, quoted, target }: { readonly word: string; readonly quoted: boolean; readonly target: string | null },
  variables: Variables,
): void {
  const rest = cursor.text.slice(cursor.at);
  const end = new RegExp(`^\\s*${word.replace(/^-/, "").replaceAll(/\W/g, "")}[ \\t]*$`, "m").exec(rest);
  const body = rest.slice(0, end?.index ?? rest.length);
  step(cursor, body.length + (end?.[0].length ?? 0));
  if (target === null) return;
  const joined = quoted ? body : body.replaceAll("\\\n", " ");
  variables.set(target, [quoted ? joined : expandText(joined, variables).text]);
}

/** `NAME=value`, `NAME+=value` or `NAME=(a b)` at the cursor, or null; `word` is the same as a word of a command. */
function assignment(cursor: Cursor, variables: Variables) {
  const match = /^([A-Za-z_]\w*)(\+?)=/.exec(cursor.text.slice(cursor.at, cursor.at + 120));
  if (match === null) return null;
  const [all, name, adds] = match as unknown as [string, string, string];
  const line = cursor.line, before = adds ? variables.get(name) ?? [] : [];
  step(cursor, all.length);
  if (cursor.text[cursor.at] === "(") {
    const value = readArray(cursor, variables);
    return {
      name,
      value: [...before, ...value],
      word: { text: all + value.join(" "), line, quoted: false, unknown: false },
    };
  }
  const found = SEPARATORS.has(cursor.text[cursor.at] ?? "\n") || /[ \t]/.test(cursor.text[cursor.at] ?? " ")
    ? []
    : readWord(cursor, variables, true);
  const text = found.map((word) => word.text).join(" ").slice(0, LONGEST), unknown = found.some((word) => word.unknown);
  const value = adds && before.length > 0 ? [(before.join(" ") + text).slice(0, LONGEST)] : [text];
  return { name, value, word: { text: all + text, line, quoted: found.some(({ quoted }) => quoted), unknown } };
}

function readArray(cursor: Cursor, variables: Variables): string[] {
  step(cursor);
  const items: string[] = [];
  while (cursor.at < cursor.text.length && cursor.text[cursor.at] !== ")") {
    const char = cursor.text[cursor.at]!;
    if (/[\s\\]/.test(char) && (char !== "\\" || cursor.text[cursor.at + 1] === "\n")) {
      step(cursor, char === "\\" ? 2 : 1);
    } else if (char === "#") skipLine(cursor);
    else items.push(...readWord(cursor, variables).map(({ text }) => text));
  }
  step(cursor);
  return items;
}

/** One word; an unquoted variable may be several. */
function readWord(cursor: Cursor, variables: Variables, assigned = false): Word[] {
  const line = cursor.line, done: Word[] = [];
  let word: Pending = { text: "", quoted: false, unknown: false, started: false };
  const from = cursor.at;
  while (cursor.at < cursor.text.length) {
    const char = cursor.text[cursor.at]!;
    if (/\s/.test(char) || char === ";" || char === "&" || char === "|" || char === ">" || char === "<") break;
    if (
      char === ")" ||
      char === "(" && cursor.at > from && !word.quoted && !/[=\w]/.test(cursor.text[cursor.at - 1] ?? "")
    ) {
      break;
    }
    word.started = true;
    if (char === "'" || char === "$" && cursor.text[cursor.at + 1] === "'") {
      if (char === "$") step(cursor);
      quotedPlain(cursor, word);
    } else if (char === '"') {
      const list = wholeList(cursor, variables);
      if (list === null) quotedText(cursor, word, variables);
      else if (list.length === 0) word.started = false;
      else {
        for (const text of list.slice(0, -1)) {
          done.push({ text: word.text + text, line, quoted: false, unknown: false }), word.text = "";
        }
        word.text += list.at(-1)!;
      }
    } else if (char === "\\") {
      if (cursor.text[cursor.at + 1] === "\n") {
        step(cursor, 2);
        break;
      }
      word.text += cursor.text[cursor.at + 1] ?? "";
      step(cursor, 2);
    } else if (char === "$" || char === "`") {
      const { values, unknown } = expansion(cursor, variables, 0);
      const parts = assigned ? [values.join(" ")] : values.flatMap((value) => value.match(PARTS) ?? []);
      if (parts.length === 0 && word.text === "") {
        word.started = cursor.at < cursor.text.length && !/\s/.test(cursor.text[cursor.at]!);
      }
      for (const [i, part] of parts.entries()) {
        if (i > 0) {
          done.push({ text: word.text, line, quoted: word.quoted, unknown: word.unknown });
          word = { text: "", quoted: false, unknown: false, started: true };
        }
        word.text += part;
      }
      word.unknown ||= unknown;
    } else {
      word.text += char;
      step(cursor);
    }
  }
  if (word.started) done.push({ text: word.text, line, quoted: word.quoted, unknown: word.unknown });
  if (cursor.at === from) step(cursor);
  return done;
}

function quotedPlain(cursor: Cursor, word: Pending): void {
  step(cursor);
  const end = cursor.text.indexOf("'", cursor.at), stop = end < 0 ? cursor.text.length : end;
  word.text += cursor.text.slice(cursor.at, stop);
  word.quoted = true;
  step(cursor, stop - cursor.at + 1);
}

/** `"${ARGS[@]}"` or `"$@"` as its items, or null. */
function wholeList(cursor: Cursor, variables: Variables): readonly string[] | null {
  const match = /^"\$(?:\{([A-Za-z_]\w*)\[[@*]\]\}|([@*]))"/.exec(cursor.text.slice(cursor.at, cursor.at + 120));
  if (match === null) return null;
  step(cursor, match[0].length);
  return match[1] === undefined ? [] : variables.get(match[1]) ?? [];
}

function quotedText(cursor: Cursor, word: Pending, variables: Variables): void {
  step(cursor);
  word.quoted = true;
  while (cursor.at < cursor.text.length && cursor.text[cursor.at] !== '"') {
    const char = cursor.text[cursor.at]!, next = cursor.text[cursor.at + 1] ?? "";
    if (char === "\\" && next === "\n") step(cursor, 2);
    else if (char === "\\" && '"$`\\'.includes(next)) {
      word.text += next;
      step(cursor, 2);
    } else if (char === "$" || char === "`") {
      const { values, unknown } = expansion(cursor, variables, 0);
      word.text += values.join(" ");
      word.unknown ||= unknown;
    } else {
      word.text += char;
      step(cursor);
    }
  }
  step(cursor);
}
