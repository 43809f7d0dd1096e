/** A labelled text of a report on a terminal. @module */
import { printable, type Screen, wrapped } from "../terminal/terminal.ts";

const LABEL = 10;
const NARROWEST = 40; // Columns of text, however narrow the terminal says it is.

/** A number and its unit; they stay on one line. */
const FIGURE = /(?<=\d) (?=(?:%|ms|s|min|h|EUR|USD)(?![\w]))/g;

/** A text for the terminal, broken into lines of at most `width` columns. */
export function wrappedFigures(text: string, width: number): string[] {
  return wrapped(printable(text).replaceAll(FIGURE, "\u00a0"), width).map((line) => line.replaceAll("\u00a0", " "));
}

/** "  Label     text", wrapped to the terminal. */
export function field(label: string, text: string, out: Screen): string[] {
  const width = Math.max(NARROWEST, out.columns - LABEL - 3);
  return wrappedFigures(text, width).map((l, i) => `  ${out.style((i ? "" : label).padEnd(LABEL), "dim")}${l}`);
}
