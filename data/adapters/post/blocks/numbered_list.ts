/** Lists whose numbers are train steps: `100：胜率 52.9，长度 288`, three lines and more, the numbers rising. @module */
import type { Intake } from "../../intake/intake.ts";
import type { Line } from "../../source/lines.ts";
import { mentionsIn } from "../mentions.ts";
import { readStepLine } from "./step_line.ts";

const ITEM = /^\s*(\d{1,7})\s*(?:[:：]|\s[–—-]\s|[)）]\s)\s*(\S.*)$/u;
const LEAST = 3, FAR = 10; // Lines, and how far apart train steps lie that number no points of a list.

/** Takes such a list; false where the lines are none. */
export function readNumberedList(intake: Intake, lines: readonly Line[]): boolean {
  const found = lines.map(({ text }) => ITEM.exec(text));
  if (lines.length < LEAST || found.some((one) => one === null)) return false;
  const steps = found.map((one) => Number(one![1]));
  if (steps.some((step, i) => i > 0 && step <= steps[i - 1]!) || steps.at(-1)! - steps[0]! < FAR) return false;
  if (!found.every((one) => mentionsIn(one![2]!).some(({ name }) => name !== null))) return false;
  return lines.map((line, i) => readStepLine(intake, line, { step: steps[i]!, rest: found[i]![2]! }, [])).includes(
    true,
  );
}
