/** What every page is made of: the document, its head, sections, lists, tables and figures. @module */
import { PALETTE } from "../charts/palette.ts";
import { escapeHtml } from "../plain_text.ts";
import { STYLE } from "./style.ts";

export { escapeHtml };

/** Says, within the first bytes of a page, that we wrote it: such a page, and no other file, may be replaced by one. */
export const PAGE_MARK = '<meta name="generator" content="Nonzero">';

/**
 * A self-contained document, light and dark, without network. `title` and `footer` are text, `body` HTML; `scripts` is what
 * `pages/interactive.ts` makes, empty for a page without any; `head` is HTML that comes before all of them, `look` style
 * that this page alone has.
 */
export function htmlPage(
  title: string,
  body: string,
  footer: string,
  scripts = "",
  { head = "", look = "" }: { readonly head?: string; readonly look?: string } = {},
): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
${PAGE_MARK}
${head}<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<style>${STYLE}${look}</style>
</head>
<body>
${body}
<footer>${escapeHtml(footer)}</footer>
${scripts}</body>
</html>
`;
}

/** What a page begins with: whose it is, its name with a status beside it, one line about it. */
export function heading(brand: string, name: string, status: { text: string; look: string }, about: string): string {
  return `<p class="brand">${escapeHtml(brand)}</p>
<h1>${escapeHtml(name)} <span class="status ${escapeHtml(status.look)}">${escapeHtml(status.text)}</span></h1>
<p class="about">${escapeHtml(about)}</p>`;
}

/** A part of a page under its title; `body` is HTML. */
export function section(title: string, body: string, id = ""): string {
  return `<section${id && ` id="${id}"`}><h2>${escapeHtml(title)}</h2>${body}</section>`;
}

/** Lines of text with a bullet each. */
export function bullets(lines: readonly string[]): string {
  return `<ul>${lines.map((line) => `<li>${escapeHtml(line)}</li>`).join("")}</ul>`;
}

/** Short facts by name, in a row. */
export function factList(facts: Readonly<Record<string, string>>): string {
  const items = Object.entries(facts).map(([name, fact]) =>
    `<div><dt>${escapeHtml(name)}</dt><dd>${escapeHtml(fact)}</dd></div>`
  );
  return `<dl class="facts">${items.join("")}</dl>`;
}

/**
 * A table that scrolls by itself; `rows` are HTML, a `tr` each. On a narrow screen a `stacked` one, whose cells say their
 * name in data-name, is a list of rows; the first column of a `named` one stays. Columns of numbers end at one edge.
 */
export function scrollTable(
  head: readonly string[],
  rows: readonly string[],
  look: "" | "stacked" | "named" = "",
): string {
  const cells = rows.map((row) => row.split("<td").slice(1)).filter(({ length }) => length === head.length);
  const isNumber = (i: number) => cells.length > 0 && cells.every((of) => of[i]!.startsWith(' class="number'));
  const titles = head.map((title, i) => `<th${isNumber(i) ? ' class="number"' : ""}>${escapeHtml(title)}</th>`).join(
    "",
  );
  return `<div class="scroll${look && ` ${look}`}" tabindex="0" role="group" aria-label="${
    escapeHtml(head.join(", "))
  }"><table><thead><tr>${titles}</tr></thead><tbody>${rows.join("")}</tbody></table></div>`;
}

/** A name whose parts may stand on lines of their own: `visual/confidence` is as wide as its longer part. */
export function breakable(name: string): string {
  return name.replaceAll("/", "/\u200b");
}

/** A drawing under its title and a line about it; its ids begin with `name`, since many stand on one page. */
export function figure(title: string, about: string, svg: string, name: string): string {
  return `<figure id="chart-${name}"${isTall(svg) ? ' class="tall"' : ""}><figcaption><b>${escapeHtml(title)}</b>${
    escapeHtml(about)
  }</figcaption>${themed(svg, name)}</figure>`;
}

/** A drawing as high as it is wide has the place of two beside it. */
function isTall(svg: string): boolean {
  const [, width, height] = /<svg [^>]*?width="(\d+)" height="(\d+)"/.exec(svg) ?? [];
  return Number(height) > 0.9 * Number(width);
}

/** Text as it was written: a workflow, lines to paste. */
export function codeBlock(text: string): string {
  return `<pre class="code">${escapeHtml(text)}</pre>`;
}

/** HTML that is shown when its summary, a text, is opened. */
export function folded(summary: string, body: string): string {
  return `<details><summary>${escapeHtml(summary)}</summary>${body}</details>`;
}

/** Colours become CSS variables, ids get a name before them, the width follows the page. */
function themed(svg: string, name: string): string {
  let out = svg.replaceAll('id="', `id="${name}_`).replaceAll("url(#", `url(#${name}_`);
  for (const [key, color] of Object.entries(PALETTE)) out = out.replaceAll(color, `var(--${key})`);
  return out.replace(/<svg ([^>]*?)width="(\d+)" height="(\d+)"/, '<svg $1width="100%"');
}
