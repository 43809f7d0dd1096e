/** The lines of a shell script that the shell itself reads: not those of a text in quotes or of a here-document. @module */

/** Every line in its place; what a program is given as a text over several lines is blank. */
export const shellLines = (text: string): string[] => scanned(text).lines;

/** The line, from 1, in which the quote opens that is never closed; null where all are. */
export function openQuote(text: string): number | null {
  // Into a variable `read` takes texts as well, with apostrophes of their own.
  return /\bread\b.*<</.test(text) ? null : scanned(text).open;
}

/** What is open at a place: a quote, or inside of double quotes the output of a command, `$(…)`, which has quotes of its own. */
interface Open {
  readonly kind: '"' | "'" | "$'" | "(";
  readonly line: number;
}

function scanned(text: string): { readonly lines: string[]; readonly open: number | null } {
  const result: string[] = [], open: Open[] = [];
  let end: RegExp | null = null;
  for (const [i, line] of text.split("\n").entries()) {
    if (end !== null) {
      // Options that `read` takes into a variable are a command's, one line after the other.
      result.push("");
      if (end.test(line)) end = null;
      continue;
    }
    const isInside = open.length > 0, isComment = !isInside && /^\s*#/.test(line);
    if (!isComment) scanLine(line, i + 1, open);
    result.push(isInside ? "" : line);
    const [, dash, word] = isInside || isComment ? [] : /<<(-?)\s*["'\\]?(\w+)["']?/.exec(line) ?? [];
    if (word !== undefined && !/\bread\b/.test(line)) end = new RegExp(`^${dash ? "\\s*" : ""}${word}\\s*$`);
  }
  return { lines: result, open: open[0]?.line ?? null };
}

/** Opens and closes what a line does; a text in $'…' takes escapes, as one in double quotes does. */
function scanLine(line: string, number: number, open: Open[]): void {
  for (let at = 0; at < line.length; at++) {
    const char = line[at]!, inner = open.at(-1)?.kind ?? "", isCode = inner === "" || inner === "(";
    const begin = (kind: Open["kind"]) => open.push({ kind, line: number });
    if (char === "\\" && inner !== "'") at++;
    else if (isCode && char === "#" && /\s/.test(line[at - 1] ?? " ")) return;
    else if (isCode && char === '"') begin('"');
    else if (isCode && char === "'") begin(line[at - 1] === "$" ? "$'" : "'");
    else if (inner === '"' && char === "$" && line[at + 1] === "(") (begin("("), at++);
    else if (inner === "(" && char === "(") begin("(");
    else if (inner === "(" && char === ")" || !isCode && char === inner.at(-1)) open.pop();
  }
}
