/** Reward functions in pasted code that give one value whatever the text is. @module */
import type { Intake } from "../../intake/intake.ts";
import type { Line } from "../../source/lines.ts";

const FUNCTION = /^\s*(?:async )?def (\w*(?:reward|score|verif)\w*)\s*\(/i;
/** What a function gives: of a list, or one by one. */
const GIVEN = /\breturn\s+(.+?)\s*(?:#.*)?$|\.append\((.+?)\)\s*(?:#.*)?$/;
const CONSTANT = /^(?:\[\s*)?(-?\d+(?:\.\d+)?)(?:\s*\])?(?:\s*\*\s*len\(\w+\)|\s+for\s+\w+\s+in\s+\w+\s*\])?$/;

const MAX_CODE = 500; // Characters of a line.

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
  let open: { readonly name: string; readonly line: number; readonly indent: number; readonly given: string[] } | null =
    null;
  const close = () => {
    if (open === null) return;
    const { name, line, given } = open;
    open = null;
    const values = given.filter((text) => !/^[A-Za-z_]\w*$/.test(text)).map((text) => CONSTANT.exec(text)?.[1]);
    if (values.length === 0 || values.some((value) => value === undefined || value !== values[0])) return;
    found.push({ name, line, value: values[0]! });
  };
  for (const { text: whole, number } of lines) {
    const text = whole.slice(0, MAX_CODE);
    const starts = heads.exec(text), indent = text.length - text.trimStart().length;
    if (open !== null && text.trim() !== "" && indent <= open.indent) close();
    if (starts !== null) {
      close();
      open = { name: starts[1]!, line: number, indent, given: [] };
    } else if (open !== null) {
      const found = GIVEN.exec(text);
      if (found !== null) open.given.push((found[1] ?? found[2]!).trim());
    }
  }
  close();
  return found;
}
