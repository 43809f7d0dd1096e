/** Texts in columns of a terminal: a Chinese character or an emoji takes two, an accent none. @module */
import stringWidth from "string-width";

/** Columns that a text takes. */
export function textWidth(text: string): number {
  return /^[\u0020-\u007e]*$/.test(text) ? text.length : stringWidth(text);
}

/** The text followed, or preceded, by as many spaces as make it `width` columns. */
export function padded(text: string, width: number, side: "left" | "right" = "right"): string {
  const spaces = " ".repeat(Math.max(0, width - textWidth(text)));
  return side === "right" ? text + spaces : spaces + text;
}

/** The text, or as much of its beginning as leaves room for "…" in `width` columns; characters are never cut apart. */
export function shortened(text: string, width: number): string {
  if (textWidth(text) <= width) return text;
  let out = "", used = 1;
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    used += textWidth(segment);
    if (used > width) break;
    out += segment;
  }
  return `${out}…`;
}

/** A text broken at spaces into lines of at most `width` columns; a longer word stays whole. */
export function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line && textWidth(line) + 1 + textWidth(word) > width) {
      lines.push(line);
      line = word;
    } else line = line ? `${line} ${word}` : word;
  }
  return [...lines, line];
}

/** Columns as wide as their widest cell; numbers right-aligned. */
export function textTable(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const widths = head.map((h, i) => Math.max(textWidth(h), ...rows.map((r) => textWidth(r[i] ?? ""))));
  const right = head.map((_, i) =>
    rows.length > 0 && rows.every((r) => /^[-−+]?(?:[\d.,]+( ?[%a-zA-Zμ/]+)?|NaN|Infinity)$|^[–-]?$/.test(r[i] ?? ""))
  );
  const line = (cells: readonly string[]) =>
    cells.map((c, i) => padded(c, widths[i]!, right[i] ? "left" : "right")).join("  ").trimEnd();
  return [line(head), ...rows.map(line)];
}
