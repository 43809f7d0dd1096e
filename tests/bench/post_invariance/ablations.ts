/** A post without one piece of what it says: what is left may be too little, but must not say something else. @module */
import type { PostText } from "./changes.ts";
import { joined, postLines, SPOKEN } from "./lines.ts";

export interface Ablation extends PostText {
  /** What was taken out. */
  readonly without: string;
}

const SENTENCE = /[。！？；]|[.!?;](?=\s|$)/g;
const MOST = 12; // Pieces of one post.

/** Sentences of a line with what ends them. */
function sentencesOf(line: string): string[] {
  const out: string[] = [];
  let from = 0;
  for (const { index, 0: end } of line.matchAll(SENTENCE)) {
    out.push(line.slice(from, index + end.length));
    from = index + end.length;
  }
  return [...out, line.slice(from)].filter((one) => /[\p{L}\d]/u.test(one));
}

/** One after another without a sentence or a line of those that are numbered (from 1); of a page nothing. */
export function ablations({ file, text }: PostText, numbers: readonly number[]): Ablation[] {
  if (file.endsWith(".html")) return [];
  const lines = postLines(text), found: Ablation[] = [];
  for (const number of new Set(numbers)) {
    const line = lines[number - 1];
    if (line === undefined || line.kind === "mark" || line.kind === "blank") continue;
    const parts = SPOKEN.includes(line.kind) ? sentencesOf(line.text) : [line.text];
    for (const part of parts) {
      const rest = parts.length === 1 ? null : line.text.replace(part, "").trim();
      const left = lines.flatMap((one, i) => i !== number - 1 ? [one.text] : rest === null ? [] : [rest]);
      found.push({ file, text: joined(left), without: part.trim() });
    }
  }
  // Of many those that lie evenly apart.
  const every = Math.max(1, found.length / MOST);
  return found.filter((_, i) => Math.floor(i / every) !== Math.floor((i - 1) / every));
}

/** The lines that somebody wrote. */
export const spokenLines = (text: string): number[] =>
  postLines(text).flatMap(({ kind }, i) => SPOKEN.includes(kind) ? [i + 1] : []);
