/** Elements of a page that nobody sees, or that are struck out. @module */

const TAG = /<(\/?)([a-zA-Z][\w-]*)((?:"[^"]*"|'[^']*'|[^<>"']){0,4000})>/g;
const VOID = new Set(["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr"]);
const STRUCK = new Set(["s", "del", "strike"]);
/** A page that waits for its script hides itself as a whole. */
const WHOLE = new Set(["html", "body", "main"]);
const STYLE = /\sstyle\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i,
  UNSEEN = /display\s*:\s*none|visibility\s*:\s*hidden/i;

/** Does a tag of some attributes hide what stands in it? */
function hides(tag: string, attributes: string): boolean {
  if (STRUCK.has(tag)) return true;
  if (VOID.has(tag) || WHOLE.has(tag)) return false;
  const [, double, single, bare] = STYLE.exec(attributes) ?? [];
  return /\shidden(?![\w-])/i.test(attributes.replace(/"[^"]*"|'[^']*'/g, '""')) ||
    UNSEEN.test(double ?? single ?? bare ?? "");
}

/** The page without them; what goes keeps its line breaks, so that lines count as they are written. */
export function withoutHidden(html: string): string {
  let kept = "", from = 0, open: { readonly tag: string; readonly at: number; depth: number } | null = null;
  for (const { index, 0: whole, 1: closing, 2: name, 3: attributes } of html.matchAll(TAG)) {
    const tag = name!.toLowerCase();
    if (open === null) {
      if (closing === "" && !attributes!.endsWith("/") && hides(tag, attributes!)) open = { tag, at: index, depth: 1 };
    } else if (tag === open.tag) {
      open.depth += closing === "" ? 1 : -1;
      if (open.depth > 0) continue;
      kept += html.slice(from, open.at) + html.slice(open.at, index).replace(/[^\n]+/g, " ");
      from = index + whole.length;
      open = null;
    }
  }
  // An element without an end hides nothing: where it ends is a guess.
  return kept + html.slice(from);
}
