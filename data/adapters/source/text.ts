/** Bytes to text: encodings, and what a terminal would have hidden. @module */

import { isUtf8, LEGACY, legacyEncoding } from "./legacy_encoding.ts";

type Encoding = "utf-8" | "utf-16le" | "utf-16be" | "binary" | (typeof LEGACY)[number];

/** What was guessed of the first bytes of a source: every format asks. */
const GUESSED = new WeakMap<Uint8Array, Encoding>();

/** Guesses the encoding from the first bytes; "binary" where they are no text. */
export function encodingOf(head: Uint8Array): Encoding {
  const known = GUESSED.get(head) ?? guessed(head);
  GUESSED.set(head, known);
  return known;
}

function guessed(head: Uint8Array): Encoding {
  if (head[0] === 0xff && head[1] === 0xfe) return "utf-16le";
  if (head[0] === 0xfe && head[1] === 0xff) return "utf-16be";
  let n = Math.min(head.length, 8192), even = 0, odd = 0, control = 0, runs = 0;
  while (n > 0 && head[n - 1] === 0) n--; // A crash leaves them behind a log.
  if (n === 0) return head.length === 0 ? "utf-8" : "binary";
  for (let i = 0; i < n; i++) {
    const byte = head[i]!;
    if (byte === 0) {
      i % 2 === 0 ? even++ : odd++;
      if (head[i - 1] !== 0) runs++;
    } else if (byte < 8 || (byte > 13 && byte < 27)) control++;
  }
  if (odd > n / 4 && even < n / 50) return "utf-16le";
  if (even > n / 4 && odd < n / 50) return "utf-16be";
  const nuls = even + odd;
  if (control > n / 20 || nuls > n / 100 && !isTextBetween(head, { nuls: runs, rest: n - nuls, control })) {
    return "binary";
  }
  return isUtf8(head) ? "utf-8" : legacyEncoding(head) ?? "utf-8";
}

/** NUL bytes here and there in what is text otherwise: a crash leaves them too. An archive of texts is none. */
function isTextBetween(
  head: Uint8Array,
  { nuls, rest, control }: { readonly nuls: number; readonly rest: number; readonly control: number },
): boolean {
  const isArchive = ARCHIVE.every((byte, i) => head[ARCHIVE_AT + i] === byte);
  return !isArchive && nuls <= rest / 50 && control <= rest / 1000 && isUtf8(head);
}

const ARCHIVE = new TextEncoder().encode("ustar"), ARCHIVE_AT = 257;

/** Decodes the pieces of a text whose first bytes are known: a letter of an unknown encoding is none of a model's. */
export function decoderOf(head: Uint8Array): (bytes?: Uint8Array) => string {
  const encoding = encodingOf(head), decoder = new TextDecoder(encoding === "binary" ? "utf-8" : encoding);
  const isLost = encoding === "utf-8" && !isUtf8(head);
  return (bytes) => {
    const text = bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream: true });
    return isLost ? text.replaceAll("\ufffd", "?") : text;
  };
}

/** An encoding that a reader may not expect; null of UTF-8, UTF-16 and of what is no text. */
export function unusualEncoding(head: Uint8Array): string | null {
  const encoding = encodingOf(head);
  return (LEGACY as readonly string[]).includes(encoding) ? encoding : null;
}

/** Decodes the head for a sniff; null where it is binary. */
export function headText(head: Uint8Array): string | null {
  return encodingOf(head) === "binary" ? null : decoderOf(head)(head).replaceAll("\0", "");
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
