/** The lines of a post in Markdown, each with what it is, so that a change meets prose alone, or fences, or tables. @module */

type Kind = "blank" | "mark" | "fenced" | "row" | "quote" | "heading" | "point" | "printed" | "prose";

export interface PostLine {
  readonly text: string;
  readonly kind: Kind;
}

const FENCE = /^\s*(?:`{3,}|~{3,})/;
/** What a program printed, an option, code: figures and names with few words. */
const PRINTED =
  /^(?: {4}|\t)|^\s*(?:[[{(<]|--|Traceback|File "|\w*(?:Error|Warning|Exception)\s*:|\$ |>>>|import |from |def |\w+\s*=|[\w./-]+\s*[:=]\s*\S+\s*$|step\b|epoch\b|\d)|['"][\w/]+['"]\s*:|[{}]|\S\s{2,}\S|\t/i;
const WORD = /\p{L}[\p{L}'’]+/gu;
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu;
const LEAST = 4, LEAST_UNSPACED = 6; // Words of a line that somebody wrote, and characters.

const isWritten = (text: string) =>
  !PRINTED.test(text) &&
  ((text.match(WORD)?.length ?? 0) >= LEAST || (text.match(UNSPACED)?.length ?? 0) >= LEAST_UNSPACED);

export function postLines(text: string): PostLine[] {
  let isFenced = false;
  return text.replace(/\n$/, "").split("\n").map((text): PostLine => {
    if (FENCE.test(text)) {
      isFenced = !isFenced;
      return { text, kind: "mark" };
    }
    if (isFenced) return { text, kind: "fenced" };
    if (text.trim() === "") return { text, kind: "blank" };
    if (/\|.*\|/.test(text)) return { text, kind: "row" };
    if (/^\s*>/.test(text)) return { text, kind: "quote" };
    if (/^#{1,6}\s/.test(text)) return { text, kind: "heading" };
    if (/^\s*(?:[-*+•]|\d+[.)])\s/.test(text)) return { text, kind: "point" };
    return { text, kind: isWritten(text) ? "prose" : "printed" };
  });
}

export const joined = (lines: readonly (PostLine | string)[]) =>
  `${lines.map((line) => typeof line === "string" ? line : line.text).join("\n")}\n`;

/** Lines of some kinds changed; null where that changes none. */
export function changeLines(text: string, kinds: readonly Kind[], change: (text: string, at: number) => string) {
  const lines = postLines(text);
  const after = lines.map(({ text, kind }, i) => kinds.includes(kind) ? change(text, i) : text);
  return after.every((one, i) => one === lines[i]!.text) ? null : joined(after);
}

export const SPOKEN: readonly Kind[] = ["prose", "point", "heading"];
