/** Bytes to text: encodings, and what a terminal would have hidden. @module */

type Encoding = "utf-8" | "utf-16le" | "utf-16be" | "binary";

/** Guesses the encoding from the first bytes; "binary" where they are no text. */
export function encodingOf(head: Uint8Array): Encoding {
  if (head[0] === 0xff && head[1] === 0xfe) return "utf-16le";
  if (head[0] === 0xfe && head[1] === 0xff) return "utf-16be";
  const n = Math.min(head.length, 8192);
  let even = 0, odd = 0, control = 0;
  for (let i = 0; i < n; i++) {
    const byte = head[i]!;
    if (byte === 0) i % 2 === 0 ? even++ : odd++;
    else if (byte < 8 || (byte > 13 && byte < 27)) control++;
  }
  if (odd > n / 4 && even < n / 50) return "utf-16le";
  if (even > n / 4 && odd < n / 50) return "utf-16be";
  if (even + odd > n / 100 || control > n / 20) return "binary";
  return "utf-8";
}

/** Decodes the head for a sniff; null where it is binary. */
export function headText(head: Uint8Array): string | null {
  const encoding = encodingOf(head);
  return encoding === "binary" ? null : new TextDecoder(encoding).decode(head);
}

// deno-lint-ignore no-control-regex
const ANSI = /\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\-_])/g;

/** Takes terminal colours and cursor moves out of a line. */
export function stripAnsi(line: string): string {
  return line.includes("\x1b") ? line.replace(ANSI, "") : line;
}

const FULL_WIDTH = "，：（）｛｝｜‘’“”＝−–";
const PLAIN = `,:(){}|''""=--`; // The same, letter by letter.

/** Pastes from pictures and chats carry full-width commas and curly quotes: the plain ones, outside of prose. */
export function plainPunctuation(line: string): string {
  return /[，：｛｝‘’“”]/.test(line)
    ? line.replace(/[，：（）｛｝｜‘’“”＝−–]/g, (c) => PLAIN[FULL_WIDTH.indexOf(c)]!)
    : line;
}
