/** Values alone, one a line, as a notebook prints them: `tensor(3.2207, device='cuda:0')`, `nan`; the code before says of what. @module */
import type { Intake } from "../../intake/intake.ts";
import { ALL_DIGITS } from "../../intake/stage.ts";
import type { Line } from "../../source/lines.ts";
import { mentionsIn } from "../mentions.ts";

const LONGEST = 200; // Characters of a line that is one value.
const VALUE =
  /^\s*(?:tensor\(\s*)?\[?\s*([-+]?(?:\d+\.?\d*(?:[eE][-+]?\d+)?|nan|inf))\s*\]?(?:\s*,\s*(?:device|dtype|grad_fn|requires_grad)=.*)?\)?\s*,?\s*$/i;
const LEAST = 3;

/** The metric that a piece of code prints; null where it prints none, or several. */
export function printedBy(lines: readonly Line[]): string | null {
  const calls = lines.flatMap(({ text }) => /\bprint\((.*)\)/.exec(text)?.[1] ?? []);
  return calls.length === 1 ? metricOf(calls[0]!.replace(/["'][^"']*["']/g, " ")) : null;
}

/** The one metric that a text speaks of. */
export function metricOf(text: string): string | null {
  const names = new Set(mentionsIn(text.replace(/[.(]\w*/g, " ")).flatMap(({ name }) => name ?? []));
  return names.size === 1 ? [...names][0]! : null;
}

/** Takes such lines as records of a metric, which is asked for where they are; false where they are none. */
export function readBareValues(intake: Intake, lines: readonly Line[], metric: () => string | null): boolean {
  const filled = lines.filter(({ text }) => text.trim() !== "");
  if (filled.length < LEAST || !filled.every(({ text }) => text.length <= LONGEST && VALUE.test(text))) return false;
  const { stage } = intake, name = metric();
  if (name === null) return false;
  filled.forEach(({ number: line, text }) => {
    const raw = VALUE.exec(text)![1]!.toLowerCase();
    stage.reset();
    stage.add(stage.info(name), /nan/.test(raw) ? NaN : /inf/.test(raw) ? Infinity : Number(raw), ALL_DIGITS);
    intake.commit({ line, metrics: true });
  });
  return true;
}
