/** Reward functions in pasted code that give one value whatever the text is. @module */
import type { Intake } from "../../intake/intake.ts";
import type { Line } from "../../source/lines.ts";

const FUNCTION = /^\s*(?:async )?def (\w*(?:reward|score|verif)\w*)\s*\(/i;
/** What a function gives: of a list, or one by one. */
const GIVEN = /\breturn\s+(.+?)\s*(?:#.*)?$|\.append\((.+?)\)\s*(?:#.*)?$/;
const CONSTANT =
  /^(?:\[\s*)?(-?\d+(?:\.\d+)?)(?:\s*\])?(?:\s*\*\s*len\(\w+\)|\s+for\s+[\w, ]+\s+in\s+(?:\w+|range\(\s*len\(\s*\w+\s*\)\s*\)|(?:zip|enumerate)\([\w, ]+\))\s*\])?$/;
const NAME = /^[A-Za-z_]\w*$/;

const MAX_CODE = 500; // Characters of a line.
const MAX_NAMES = 3; // That a function returns.

/** A function, the line of its head, and what it always gives. */
interface ConstantFunction {
  readonly name: string;
  readonly line: number;
  /** As it is written. */
  readonly value: string;
}

/** Notes each function whose every value is the same number; `lines` are those of one block of code. */
export function readRewardCode(intake: Intake, lines: readonly Line[]): void {
  for (const { name, line, value } of constantFunctions(lines, FUNCTION)) {
    intake.message("constant_reward_function", `${name} gives ${value} for every completion`, Number(value), line);
  }
}

/** The functions whose head matches (its first group the name) and whose every value is the same number. */
export function constantFunctions(
  lines: readonly Pick<Line, "text" | "number">[],
  heads: RegExp,
): readonly ConstantFunction[] {
  const found: ConstantFunction[] = [];
  let open: { readonly name: string; readonly line: number; readonly indent: number; readonly body: string[] } | null =
    null;
  const close = () => {
    if (open === null) return;
    const { name, line, body } = open, value = constantOf(body);
    open = null;
    if (value !== null) found.push({ name, line, value });
  };
  for (const { text: whole, number } of lines) {
    const text = whole.slice(0, MAX_CODE);
    const starts = heads.exec(text), indent = text.length - text.trimStart().length;
    if (open !== null && text.trim() !== "" && indent <= open.indent) close();
    // What a function within it returns is not what it returns: nothing is said of it.
    if (starts !== null) open = { name: starts[1]!, line: number, indent, body: [text.slice(starts[0].length)] };
    else if (open !== null) open.body.push(text);
  }
  close();
  return found;
}

/** The number that a function's lines always give, as it is written; null where it may be another. */
function constantOf(body: readonly string[]): string | null {
  const given: string[] = [], names = new Set<string>();
  for (const text of body) {
    const found = GIVEN.exec(text), returned = found?.[1]?.trim();
    if (returned !== undefined && NAME.test(returned)) names.add(returned);
    else if (found !== null) given.push((returned ?? found[2]!).trim());
  }
  if (names.has("None") || names.size > MAX_NAMES) return null;
  for (const name of names) {
    const own = new RegExp(`\\b${name}\\b`), starts = new RegExp(`^\\s*${name}\\s*(?::[^=]*)?=\\s*(.+?)\\s*(?:#.*)?$`);
    const adds = new RegExp(
      `^\\s*(?:(?:if|else|elif|for)\\b.*:\\s*)?(?:${name}\\.append\\(.*\\)|return\\s+${name})\\s*(?:#.*)?$`,
    );
    for (const text of body.filter((line) => own.test(line) && !adds.test(line))) {
      const value = starts.exec(text)?.[1];
      if (value === undefined) return null; // It gets something else.
      if (!/^(?:\[\s*\]|list\(\))$/.test(value)) given.push(value);
    }
  }
  const values = given.map((text) => CONSTANT.exec(text)?.[1]);
  return values.every((value) => value !== undefined && value === values[0]) ? values[0] ?? null : null;
}
