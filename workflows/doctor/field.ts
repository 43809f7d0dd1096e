/** A labelled text of a report on a terminal. @module */
import { printable, type Screen, wrapped } from "../terminal/terminal.ts";

const LABEL = 10;
const NARROWEST = 40; // Columns of text, however narrow the terminal says it is.

/** "  Label     text", wrapped to the terminal. */
export function field(label: string, text: string, out: Screen): string[] {
  const width = Math.max(NARROWEST, out.columns - LABEL - 3);
  return wrapped(printable(text), width).map((l, i) => `  ${out.style((i ? "" : label).padEnd(LABEL), "dim")}${l}`);
}
