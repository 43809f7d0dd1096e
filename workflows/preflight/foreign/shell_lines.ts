/** The lines of a shell script that the shell itself reads: not those of a text in quotes or of a here-document. @module */

/** Every line in its place; what a program is given as a text over several lines is blank. */
export function shellLines(text: string): string[] {
  const lines = text.split("\n"), result: string[] = [];
  let quote = "", end: RegExp | null = null;
  for (const line of lines) {
    if (end !== null) {
      // Options that `read` takes into a variable are a command's, one line after the other.
      result.push("");
      if (end.test(line)) end = null;
      continue;
    }
    const isInside = quote !== "", isComment = !isInside && /^\s*#/.test(line);
    if (!isComment) quote = quoteAfter(line, quote);
    result.push(isInside ? "" : line);
    const [, dash, word] = isInside || isComment ? [] : /<<(-?)\s*["'\\]?(\w+)["']?/.exec(line) ?? [];
    if (word !== undefined && !/\bread\b/.test(line)) end = new RegExp(`^${dash ? "\\s*" : ""}${word}\\s*$`);
  }
  return result;
}

/** The quote that is open at the end of a line. */
function quoteAfter(line: string, open: string): string {
  for (let at = 0; at < line.length; at++) {
    const char = line[at]!;
    if (char === "\\" && open !== "'") at++;
    else if (open === "" && char === "#" && /\s/.test(line[at - 1] ?? " ")) return "";
    else if (open === "" && (char === '"' || char === "'")) open = char;
    else if (char === open) open = "";
  }
  return open;
}
