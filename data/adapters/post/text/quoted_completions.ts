/** Completions that a sentence quotes: `every response is "!!!!!!!!!!!!"`. @module */
import type { Intake } from "../../intake/intake.ts";
import type { Line } from "../../source/lines.ts";
import { expression, has } from "../words/match.ts";
import { SUBJECTS } from "../words/subjects.ts";

const QUOTED = /["“「『]([^"“”「」『』\n]{4,400})["”」』]/gu;
const SPOKEN = expression(SUBJECTS.completions.words, SUBJECTS.completions.signs);
/** One character over and over, also without quotation marks. */
const BANGS = /!{5,}|！{5,}|�{4,}/u;
const NEAR = 60; // Characters between the word for completions and the quotation.

const LOOP = 8, FEW = 3; // Words of a line, and different ones among them, of a text that runs in a circle.

function isLoop(text: string): boolean {
  const words = text.trim().split(/\s+/, 200);
  return words.length >= LOOP && new Set(words).size <= FEW;
}

const ONE_WORD = 5, AS_LONG = 24; // Words that are one word over and over, and how often a completion then has it.

/** "hormonal hormonal hormonal …": nobody quotes all of it. */
function wholeLoop(text: string): string {
  const words = text.trim().replace(/(?:\.{2,}|…+)$/, "").trim().split(/\s+/, AS_LONG);
  return words.length >= ONE_WORD && words.every((word) => word === words[0])
    ? Array(AS_LONG).fill(words[0]).join(" ")
    : text;
}

export function quotedCompletions(intake: Intake, lines: readonly Line[]): void {
  for (const [i, { text, number }] of lines.entries()) {
    const bang = BANGS.exec(text);
    if (bang !== null) {
      intake.completion({ line: number, text: bang[0].replaceAll("！", "!").padEnd(12, "!"), cut: true });
      continue;
    }
    if (isLoop(text) && i > 0 && has(SPOKEN, lines[i - 1]!.text.slice(-NEAR))) {
      intake.completion({ line: number, text, cut: true });
      continue;
    }
    if (/["']\s*:/.test(text)) continue; // a piece of data
    for (const { index, 1: quoted } of text.matchAll(QUOTED)) {
      const before = (i > 0 ? `${lines[i - 1]!.text.slice(-NEAR)} ` : "") +
        text.slice(Math.max(0, index - NEAR), index);
      if (/^[\w./-]+$/.test(quoted!)) continue; // a name
      if (has(SPOKEN, before.slice(-NEAR))) intake.completion({ line: number, text: wholeLoop(quoted!), cut: true });
    }
  }
}
