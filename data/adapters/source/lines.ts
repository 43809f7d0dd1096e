/** The text of a source as it comes: in decoded pieces, or line by line. @module */
import type { Source } from "../adapter.ts";
import type { Intake } from "../intake/intake.ts";
import { decoderOf, unusualEncoding } from "./text.ts";

/** One line without its end. */
export interface Line {
  readonly text: string;
  /** From 1. */
  readonly number: number;
  /** False for the last line of a file that does not end with a line break: it may be cut. */
  readonly ended: boolean;
}

/**
 * Decodes a source and counts the bytes read; what is in no known encoding becomes U+FFFD or a question mark and harms no
 * number. NUL bytes, as a crash leaves them, are left out and told. No piece is empty.
 */
export async function* textPieces(source: Source, intake: Intake): AsyncGenerator<string> {
  const decode = decoderOf(source.head), unusual = unusualEncoding(source.head);
  if (unusual !== null) intake.skip(null, `no UTF-8: it is read as ${unusual}`);
  let nuls = 0, last = 0; // Of all, those at the end.
  const without = (text: string) => {
    if (text.includes("\0")) {
      const kept = text.replaceAll("\0", ""), end = text.length - trailing(text);
      nuls += text.length - kept.length;
      last = text.length - end + (end === 0 ? last : 0);
      return kept;
    }
    if (text !== "") last = 0;
    return text;
  };
  for await (const chunk of source.chunks()) {
    intake.source.bytes_read += chunk.length;
    const text = without(decode(chunk));
    if (text !== "") yield text;
  }
  const rest = without(decode());
  if (rest !== "") yield rest;
  if (nuls > 0) intake.skip(null, `${nuls} NUL byte${nuls === 1 ? "" : "s"} ${nuls === last ? "at its end" : "in it"}`);
}

/** NUL characters at the end of a text. */
function trailing(text: string): number {
  let at = text.length;
  while (at > 0 && text[at - 1] === "\0") at--;
  return text.length - at;
}

/**
 * Hands over each line. `take` returns false for a line that goes on in the next one: it gets both as one line then,
 * which is counted once. What is longer than `longest` characters is left out, and reported as a `kind` of that length.
 * With `bars` a line that carriage returns draw over comes in the pieces they end, as soon as they are read: a progress
 * bar may never end its line.
 */
export async function eachLine(
  source: Source,
  intake: Intake,
  take: (line: Line) => false | void,
  { longest = 1 << 25, kind = "line", bars = false } = {},
): Promise<void> {
  let held = "", number = 1;
  for await (const piece of textPieces(source, intake)) {
    let from = 0;
    for (let end = piece.indexOf("\n"); end >= 0; end = piece.indexOf("\n", from)) {
      const text = held + piece.slice(from, end);
      from = end + 1;
      const goesOn = take({ text, number, ended: true }) === false;
      held = goesOn ? `${text}\n` : "";
      if (!goesOn) number++;
    }
    const rest = piece.slice(from), drawn = bars ? rest.lastIndexOf("\r") : -1;
    if (drawn >= 0) take({ text: held + rest.slice(0, drawn), number, ended: true });
    held = drawn < 0 ? held + rest : rest.slice(drawn + 1);
    if (held.length > longest) {
      intake.skip(number, `a ${kind} longer than ${longest} characters`);
      held = "";
    }
  }
  if (held !== "") take({ text: held, number, ended: false });
}
