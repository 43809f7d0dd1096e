/** Says of a line of YAML that stands in no column of those above it, which of them it should stand in. @module */

/** A column that keys or list items stand in, both from 0, and the line it was last seen in, from 1. */
interface Column {
  readonly indent: number;
  readonly isItem: boolean;
  readonly line: number;
}

/**
 * What is wrong with the indentation at or right after an offset of an error; null where the line is deeper than all
 * above it, or stands in one of their columns.
 */
export function indentMistake(text: string, error: number): { readonly at: number; readonly message: string } | null {
  const lines = text.split("\n");
  const errorLine = text.slice(0, error).split("\n").length - 1;
  const start = text.lastIndexOf("\n", error - 1) + 1;
  const isBefore = text.slice(start, error).trim() === "";
  const wrong = isBefore ? errorLine : lines.findIndex((line, i) => i > errorLine && isContent(line));
  if (wrong < 0 || !isContent(lines[wrong]!)) return null;
  const open: Column[] = [];
  for (let i = 0; i < wrong; i++) {
    if (isContent(lines[i]!)) stand(open, columnsOf(lines[i]!, i + 1));
  }
  const [found] = columnsOf(lines[wrong]!, wrong + 1) as [Column];
  const beside = open.filter(({ isItem }) => isItem === found.isItem);
  const isDeeper = open.every(({ indent }) => indent < found.indent);
  if (isDeeper || beside.length === 0 || beside.some(({ indent }) => indent === found.indent)) return null;
  const distance = ({ indent }: Column) => Math.abs(indent - found.indent);
  const least = Math.min(...beside.map(distance));
  const want = beside.filter((column) => distance(column) === least)
    .map(({ indent, line }) => `${indent} (as line ${line})`);
  const spaces = `${found.indent} space${found.indent === 1 ? "" : "s"}`;
  return {
    at: lines.slice(0, wrong).reduce((sum, line) => sum + line.length + 1, 0) + found.indent,
    message: `this line is indented by ${spaces}, want ${want.join(" or ")}`,
  };
}

const isContent = (line: string) => /^\s*[^\s#]/.test(line);

/** A line's own columns: of its dash, and of the key behind it. */
function columnsOf(text: string, line: number): Column[] {
  const [head, spaces, dash] = /^( *)(- +)?/.exec(text)!;
  const key = { indent: head.length, isItem: false, line };
  return dash === undefined ? [key] : [{ indent: spaces!.length, isItem: true, line }, key];
}

/** Columns deeper than a line's first end with it. */
function stand(open: Column[], own: readonly Column[]): void {
  const [first] = own as [Column];
  const kept = open.filter(({ indent, isItem }) =>
    indent < first.indent || (indent === first.indent && isItem !== first.isItem)
  );
  open.splice(0, open.length, ...kept, ...own);
}
