/** Decodes the bytes of a file of prompts: UTF-8 by default, another encoding when it is named, never a guess. @module */

/** Encodings that `encoding` may name (WHATWG labels). */
export const ENCODINGS = [
  "utf-8",
  "utf-16le",
  "utf-16be",
  "gb18030",
  "big5",
  "shift_jis",
  "euc-jp",
  "euc-kr",
  "windows-1251",
  "windows-1252",
] as const;

export type Encoding = (typeof ENCODINGS)[number];

/** How a byte order mark says it: that is no guess. */
const MARKS: readonly (readonly [bytes: readonly number[], encoding: Encoding])[] = [
  [[0xff, 0xfe], "utf-16le"],
  [[0xfe, 0xff], "utf-16be"],
];

/** How sure a text looks like one of an encoding's usual ones: the share of its letters beyond ASCII that are common. */
const COMMON: Partial<Record<Encoding, RegExp>> = {
  shift_jis: /[\u3040-\u30ff]/gu,
  "euc-jp": /[\u3040-\u30ff]/gu,
  gb18030: /[\u4e00-\u9fff\u3000-\u3011\uff01-\uff5e]/gu,
  big5: /[\u4e00-\u9fff\u3000-\u3011\uff01-\uff5e]/gu,
  "euc-kr": /[\uac00-\ud7a3]/gu,
  "windows-1252": /[À-ÿ‘’“”–—€]/gu,
  "windows-1251": /[а-яА-ЯёЁ]/gu,
};

/**
 * The text, without its byte order mark. Throws SyntaxError, with the line, for bytes that are no text of the encoding;
 * where none is named, it says which encodings the bytes may be.
 *
 * first   number of the first line, for errors
 */
export function decodeText(bytes: Uint8Array, encoding: Encoding | null, first = 1): string {
  const used = encoding ?? markOf(bytes) ?? "utf-8";
  try {
    return new TextDecoder(used, { fatal: true }).decode(bytes);
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
    const { number, bytes: broken } = brokenLine(bytes, used), line = { number: number + first - 1, bytes: broken };
    const likely = encoding === null ? likelyEncodings(line.bytes) : [];
    const hint = likely.length === 0
      ? "; save it as UTF-8"
      : `; as ${
        likely.map(({ name, text }) => `${name} the line reads ${JSON.stringify(text)}`).join(", as ")
      }: set encoding: ${likely[0]!.name}, or save it as UTF-8`;
    throw new SyntaxError(`line ${line.number} is no ${used} text${hint}`, { cause });
  }
}

/** The encoding that a byte order mark says; null without one, and for that of UTF-8. */
export function markOf(bytes: Uint8Array): Encoding | null {
  return MARKS.find(([mark]) => mark.every((byte, i) => bytes[i] === byte))?.[1] ?? null;
}

/** The first line that does not decode. */
function brokenLine(bytes: Uint8Array, encoding: Encoding): { readonly number: number; readonly bytes: Uint8Array } {
  for (let from = 0, number = 1; from < bytes.length; number++) {
    const found = bytes.indexOf(10, from), end = found < 0 ? bytes.length : found;
    const line = bytes.subarray(from, end);
    if (decoded(line, encoding) === null) return { number, bytes: line };
    from = end + 1;
  }
  return { number: 1, bytes };
}

function likelyEncodings(bytes: Uint8Array): { readonly name: Encoding; readonly text: string }[] {
  const scored = Object.entries(COMMON).flatMap(([name, common]) => {
    const text = decoded(bytes.subarray(0, 4096), name as Encoding);
    // deno-lint-ignore no-control-regex
    const beyond = text?.replaceAll(/[\u0000-\u007f]/g, "") ?? "";
    if (text === null || beyond === "") return [];
    // Two bytes a letter are denser than one: of two readings that are all common, the shorter is the likelier.
    const share = (beyond.match(common!)?.length ?? 0) / [...beyond].length;
    return share < 0.7 ? [] : [{ name: name as Encoding, text: text.slice(0, 24), share, length: beyond.length }];
  });
  scored.sort((a, b) => a.length - b.length || b.share - a.share);
  return scored.slice(0, 2);
}

function decoded(bytes: Uint8Array, encoding: Encoding): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}
