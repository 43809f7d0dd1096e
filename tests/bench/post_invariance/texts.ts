/** A post printed in another way: as plain text, as a page, with other fences, breaks and spaces. @module */
import { changeLines, joined, type PostLine, postLines, SPOKEN } from "./lines.ts";

/** Marks of Markdown within a line. */
const bare = (text: string) =>
  text.replace(/\[([^\][]*)\]\([^()]*\)/g, "$1").replace(/\*\*(?=\S)(.+?)\*\*|`([^`]+)`/g, "$1$2");

const isRule = (row: string) => /^[\s|:-]+$/.test(row);
const cellsOf = (row: string) => row.trim().replace(/^\||\|$/g, "").split("|").map((cell) => cell.trim());

/** What a page shows of it when it is copied: no marks, cells with tabs between them. */
export function asPlain(text: string): string {
  return joined(
    postLines(text).flatMap(({ text, kind }) => {
      if (kind === "mark" || kind === "row" && isRule(text)) return [];
      if (kind === "row") return [cellsOf(text).map(bare).join("\t")];
      if (kind === "heading") return [bare(text.replace(/^#+\s+/, ""))];
      return [kind === "fenced" || kind === "blank" ? text : bare(text)];
    }),
  );
}

const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
const inline = (text: string) =>
  escaped(text).replace(/\*\*(?=\S)(.+?)\*\*/g, "<strong>$1</strong>").replace(/`([^`]+)`/g, "<code>$1</code>");

/** The page that a forum makes of it. */
export function asHtml(text: string): string {
  const out: string[] = [], lines = postLines(text);
  for (let i = 0; i < lines.length;) {
    const { kind } = lines[i]!, group: PostLine[] = [];
    if (kind === "mark") {
      const end = lines.findIndex((line, at) => at > i && line.kind === "mark"), stop = end < 0 ? lines.length : end;
      const body = lines.slice(i + 1, stop).map(({ text }) => escaped(text)).join("\n");
      out.push(`<pre><code>${body}\n</code></pre>`);
      i = stop + 1;
      continue;
    }
    while (i < lines.length && lines[i]!.kind === kind) group.push(lines[i++]!);
    const texts = group.map(({ text }) => text);
    if (kind === "row") out.push(htmlTable(texts));
    else if (kind === "quote") {
      out.push(
        `<blockquote><p>${texts.map((one) => inline(one.replace(/^\s*>\s?/, ""))).join("<br>\n")}</p></blockquote>`,
      );
    } else if (kind === "heading") out.push(...texts.map((one) => `<h2>${inline(one.replace(/^#+\s+/, ""))}</h2>`));
    else if (kind === "point") {
      out.push(
        `<ul>\n${
          texts.map((one) => `<li>${inline(one.replace(/^\s*(?:[-*+•]|\d+[.)])\s+/, ""))}</li>`).join("\n")
        }\n</ul>`,
      );
    } else if (kind !== "blank") out.push(`<p>${texts.map((one) => inline(one.trim())).join("<br>\n")}</p>`);
  }
  return `<!doctype html>\n<html><body>\n<article>\n${out.join("\n")}\n</article>\n</body></html>\n`;
}

function htmlTable(rows: readonly string[]): string {
  const [head, ...others] = rows.filter((row) => !isRule(row)).map(cellsOf);
  const row = (cells: readonly string[], tag: string) =>
    `<tr>${cells.map((cell) => `<${tag}>${inline(cell)}</${tag}>`).join("")}</tr>`;
  return `<table>\n${[row(head ?? [], "th"), ...others.map((cells) => row(cells, "td"))].join("\n")}\n</table>`;
}

const decoded = (text: string) =>
  text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"').replaceAll("&nbsp;", " ").replaceAll(
    "&amp;",
    "&",
  );

/** A page as Markdown: fences, rows of pipes, points, quotations. */
export function asMarkdown(html: string): string {
  const fences: string[] = [];
  const text = html.replace(/<(script|style|title|head)\b[\s\S]*?<\/\1>|<!--[\s\S]*?-->/gi, "")
    .replace(/<pre\b[^>]*>([\s\S]*?)<\/pre>/gi, (_, body: string) => {
      fences.push(decoded(body.replace(/<\/?(?:code|span)\b[^>]*>/gi, "")).replace(/^\n|\n$/g, ""));
      return `\n\n@@${fences.length - 1}@@\n\n`;
    })
    .replace(/\s*\n\s*/g, "\n")
    .replace(/<\/t[dh]>\s*<t[dh]\b[^>]*>/gi, " | ").replace(/<tr\b[^>]*>\s*<t[dh]\b[^>]*>/gi, "\n| ")
    .replace(/<\/t[dh]>\s*<\/tr>/gi, " |").replace(/<li\b[^>]*>/gi, "\n- ").replace(/<br\b[^>]*>/gi, "\n")
    .replace(
      /<blockquote\b[^>]*>([\s\S]*?)<\/blockquote>/gi,
      (_, body: string) => `\n\n> ${body.replace(/<[^>]+>/g, "").trim().replace(/\n+/g, "\n> ")}\n\n`,
    )
    .replace(/<\/?(?:p|div|h\d|ul|ol|table|section|article|header|footer|hr)\b[^>]*>/gi, "\n\n")
    .replace(/<\/?(?!think|answer)[a-z!][^>]*>/gi, "");
  return decoded(text).replace(/@@(\d+)@@/g, (_, at) => `\`\`\`\n${fences[Number(at)]}\n\`\`\``).replace(
    /\|\n{2,}(?=\| )/g,
    "|\n",
  ).replace(
    /\n{3,}/g,
    "\n\n",
  )
    .trim() + "\n";
}

/** Fences without a language; null where none has one. */
export const fencesBare = (text: string) =>
  changeLines(text, ["mark"], (line) => line.replace(/^(\s*(?:`{3,}|~{3,})).*$/, "$1"));

/** Code set by four spaces; null where there is no fence. */
export function fencesIndented(text: string): string | null {
  const lines = postLines(text);
  if (!lines.some(({ kind }) => kind === "mark")) return null;
  return joined(lines.map(({ text, kind }) => kind === "mark" ? "" : kind === "fenced" ? `    ${text}` : text));
}

const WIDE = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6]/u;

/** What somebody wrote in lines of a width, as mails and pictures have them; null where no line is that long. */
export function wrappedProse(text: string, columns: number): string | null {
  return changeLines(text, ["prose", "point"], (line) => {
    const indent = /^\s*(?:[-*+•]|\d+[.)])\s/.test(line) ? "  " : "", out: string[] = [];
    let row = "", width = 0;
    for (
      const piece of line.match(
        /[\u2e80-\ua4cf\uf900-\ufaff\uff00-\uff60]|[^\s\u2e80-\ua4cf\uf900-\ufaff\uff00-\uff60]+|\s+/gu,
      ) ?? []
    ) {
      const own = [...piece].reduce((sum, one) => sum + (WIDE.test(one) ? 2 : 1), 0);
      // No line begins with the mark that ends a sentence.
      if (width + own > columns && row.trim() !== "" && !/^[，。、；：！？）」』\s]/u.test(piece)) {
        out.push(row.trimEnd());
        [row, width] = [indent, indent.length];
      }
      if (row.trim() === "" && /^\s+$/.test(piece) && out.length > 0) continue;
      row += piece;
      width += own;
    }
    return [...out, row].join("\n");
  });
}

export const tabbed = (text: string): string | null => {
  const after = text.replace(/(?<=\S) {2,}(?=\S)/g, "\t").replace(
    /^( {4})+/gm,
    (spaces) => "\t".repeat(spaces.length / 4),
  );
  return after === text ? null : after;
};

/** Spaces that do not break between the words of every third line. */
export const unbroken = (text: string) =>
  changeLines(text, SPOKEN, (line, at) => at % 3 === 0 ? line.replace(/(?<=\S) (?=\S)/g, "\u00a0") : line);

/** Spaces that are not seen: before lines, behind commas, within long words. */
export const zeroWidth = (text: string) =>
  changeLines(
    text,
    SPOKEN,
    (line) => `\u200b${line}`.replace(/[,，。]\s?/g, "$&\u200b").replace(/\b([a-z]{4})(?=[a-z]{4,}\b)/g, "$1\u200b"),
  );

/** An empty line between any two of prose. */
export const spaced = (text: string) => changeLines(text, ["prose"], (line) => `${line}\n`);
