/**
 * HTML as the lines that a person sees, each with the line of the file that it begins on; nothing in it is run or fetched.
 *
 * Preformatted text becomes a fence, a quotation `>`, a table rows of pipes, so that one reader serves all forms. @module
 */
import type { Line } from "../../source/lines.ts";
import { CellSpans } from "./cell_spans.ts";
import { withoutHidden } from "./hidden_elements.ts";

const HIDDEN =
  /<(script|style|noscript|template|svg|title|iframe|object|textarea)\b(?:"[^"]*"|'[^']*'|[^<>"']){0,4000}>[\s\S]*?(?:<\/\1\s*>|$)|<!--[\s\S]*?(?:-->|$)/gi;
const TAG = /<(\/?)([a-zA-Z][\w-]*)(?:"[^"]*"|'[^']*'|[^<>"']){0,4000}>/g;
const BREAKS = new Set([
  "p",
  "div",
  "br",
  "li",
  "ul",
  "ol",
  "h1",
  "h2",
  "h3",
  "h4",
  "h5",
  "h6",
  "section",
  "article",
  "header",
  "footer",
  "dd",
  "dt",
  "figure",
  "hr",
  "details",
  "summary",
]);
const ENTITIES: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
  ndash: "–",
  mdash: "—",
  hellip: "…",
  rarr: "→",
  times: "×",
  le: "≤",
  ge: "≥",
};
/** Tags of pages; those of completions (think, answer) are text. */
const PAGE = /<(?:!doctype|html|body|p|div|span|pre|table|td|li|br|h[1-6]|blockquote|article|section)\b/gi;

const BEGINS = /^\s*<(?:p|div|pre|table|ul|ol|h[1-6]|blockquote|article|section)\b/i;
/** Tags that make a page of a text, and of one that begins with a tag. */
const PAGE_OF = 3, SHORT = 2;

/** Cells and characters of a row; what goes on is a row of its own, so that none is copied for each of its many cells. */
const MAX_CELLS = 1000, MAX_ROW = 100_000;

/** True of a text that is a page, not one that mentions a tag. */
export function isHtml(text: string): boolean {
  return /^\s*<(?:!doctype html|html|body)\b/i.test(text) ||
    (text.match(PAGE)?.length ?? 0) >= (BEGINS.test(text) ? SHORT : PAGE_OF) &&
      /<\/(?:p|div|pre|table|li|span|td)>/i.test(text);
}

/** Characters that an entity stands for; one that is not known stays as it is. */
function decoded(text: string): string {
  return text.replace(/&(#x[\da-f]{1,6}|#\d{1,7}|\w{2,8});/gi, (whole, name: string) => {
    if (name[0] !== "#") return ENTITIES[name.toLowerCase()] ?? whole;
    const code = name[1]!.toLowerCase() === "x" ? parseInt(name.slice(2), 16) : Number(name.slice(1));
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

/** The lines that a page shows. */
export function htmlLines(html: string): Line[] {
  // What is hidden keeps its line breaks, so that the lines below count as they are written.
  const text = withoutHidden(html.replace(HIDDEN, (hidden) => hidden.replace(/[^\n]+/g, " ")));
  const lines: Line[] = [];
  let line = 1, held = "", isBlank = true, heldLine = 1, pre = 0, quote = 0, cells = 0;
  const spans = new CellSpans();
  const push = () => {
    // Columns that somebody set by spaces keep theirs.
    const body = pre > 0 ? held : held.replace(/\s+/g, (space) => space.length > 1 ? "  " : " ").trim();
    if (body !== "" || pre > 0) {
      lines.push({ text: (pre === 0 && quote > 0 ? "> " : "") + decoded(body), number: heldLine, ended: true });
    }
    held = "";
    isBlank = true;
    heldLine = line;
  };
  const add = (raw: string) => {
    for (const [i, part] of raw.split("\n").entries()) {
      if (i > 0) {
        line++;
        // A paragraph keeps its lines, a row of a table is one.
        if (pre > 0 || cells === 0) push();
        else held += " ";
      }
      if (isBlank && part.trim() !== "") [heldLine, isBlank] = [line, false];
      held += part;
    }
  };
  let from = 0;
  for (const { index, 0: whole, 1: closing, 2: name } of text.matchAll(TAG)) {
    add(text.slice(from, index));
    from = index + whole.length;
    const tag = name!.toLowerCase(), isEnd = closing === "/";
    if (tag === "pre") {
      push();
      lines.push({ text: "```", number: line, ended: true });
      pre = isEnd ? Math.max(0, pre - 1) : pre + 1;
    } else if (tag === "blockquote") {
      push();
      quote = isEnd ? Math.max(0, quote - 1) : quote + 1;
    } else if (tag === "tr") {
      if (isEnd && cells > 0) held = `${spans.endRow(held)} |`;
      push();
      cells = 0;
    } else if (tag === "td" || tag === "th") {
      if (!isEnd) {
        if (cells >= MAX_CELLS || held.length > MAX_ROW) {
          push();
          cells = 0;
        }
        held = `${spans.before(held, cells === 0)}| `;
        spans.open(whole, held.length);
        cells++;
      } else if (cells > 0) held = spans.close(held);
    } else if (tag === "table") {
      spans.clear();
      push();
    } else if (BREAKS.has(tag)) {
      const wasText = !isBlank;
      if (pre === 0 || tag === "br") push();
      if (pre === 0 && tag !== "br" && tag !== "li" && wasText) lines.push({ text: "", number: line, ended: true });
    } else if (tag === "sup") {
      if (!isEnd && /(?<![\d.,])10\s?$/.test(held.slice(-4))) held += "^"; // A power of ten.
    } else if (tag === "code") {
      if (pre === 0) held += "`";
    } else if (tag === "input" && /\stype\s*=\s*["']?checkbox/i.test(whole)) {
      held += /\schecked(?![\w-])/i.test(whole) ? "[x]" : "[ ]";
    } else if (!PAGE_TAGS.has(tag)) held += whole; // <think>, <answer>: a part of what was printed
    line += whole.split("\n").length - 1;
  }
  add(text.slice(from));
  push();
  if (pre > 0) lines.push({ text: "```", number: line, ended: true });
  return lines;
}

/** Other tags of pages, which show nothing themselves. */
const PAGE_TAGS = new Set([
  "html",
  "head",
  "body",
  "span",
  "a",
  "b",
  "i",
  "em",
  "strong",
  "table",
  "thead",
  "tbody",
  "tfoot",
  "tr",
  "td",
  "th",
  "img",
  "button",
  "label",
  "input",
  "form",
  "nav",
  "main",
  "aside",
  "small",
  "sub",
  "sup",
  "u",
  "s",
  "del",
  "kbd",
  "samp",
  "tt",
  "font",
  "center",
  "time",
  "figcaption",
  "caption",
  "colgroup",
  "col",
  "meta",
  "link",
  "picture",
  "source",
  "video",
  "audio",
  "cite",
  "mark",
  "abbr",
  "g-emoji",
  "clipboard-copy",
  "task-lists",
  "react-app",
]);
