/** Tokens back to text (tokenizers: decoders). @module */
import { byteCharacters } from "../byte_level_tokenizer.ts";
import { compiledPattern } from "./pattern.ts";
import { type Part, partsAt, unsupported } from "./part.ts";

type Decoder = (tokens: readonly string[]) => string[];

const KNOWN = ["Sequence", "ByteLevel", "ByteFallback", "Replace", "Fuse", "Strip", "Metaspace"];
const BYTE_OF = new Map(byteCharacters().characterOf.map((character, byte) => [character, byte]));
const encoder = new TextEncoder();

/** The function of a decoder; without one, tokens stand apart by spaces. Throws a RangeError for one that is not here. */
export function decoderOf(part: Part | null): (tokens: readonly string[]) => string {
  if (part === null) return (tokens) => tokens.join(" ");
  const decode = chainOf(part, "decoder");
  return (tokens) => decode(tokens).join("");
}

function chainOf(part: Part, place: string): Decoder {
  switch (part.type) {
    case "Sequence": {
      const all = partsAt(`${place}.decoders`, part["decoders"]).map((one, i) =>
        chainOf(one, `${place}.decoders[${i}]`)
      );
      return (tokens) => all.reduce<string[]>((now, decode) => decode(now), [...tokens]);
    }
    case "ByteLevel":
      return (tokens) => [lossy(Uint8Array.from(tokens.flatMap(bytesOf)))];
    case "ByteFallback":
      return byteFallback;
    case "Replace": {
      const pattern = compiledPattern(part["pattern"], `${place}.pattern`), content = String(part["content"] ?? "");
      return (tokens) => tokens.map((token) => token.replace(pattern, () => content));
    }
    case "Fuse":
      return (tokens) => [tokens.join("")];
    case "Strip":
      return stripping(String(part["content"] ?? ""), Number(part["start"] ?? 0), Number(part["stop"] ?? 0));
    case "Metaspace": {
      const replacement = String(part["replacement"] ?? "▁");
      const drops = (part["prepend_scheme"] ?? (part["add_prefix_space"] === false ? "never" : "always")) !== "never";
      return (tokens) => tokens.map((token, i) => token.replaceAll(replacement, i === 0 && drops ? "" : " "));
    }
  }
  throw unsupported(`${place}.type`, part.type, KNOWN);
}

/** What is no UTF-8 becomes U+FFFD, one for each longest beginning of a character. */
function lossy(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}

/** The bytes that a token of byte characters stands for; of another token, such as an added one, its own. */
function bytesOf(token: string): number[] {
  const bytes = Array.from(token, (character) => BYTE_OF.get(character));
  return bytes.includes(undefined) ? [...encoder.encode(token)] : bytes as number[];
}

/** `<0xE2>` … as characters; a run of them that is no UTF-8 becomes one U+FFFD for each. */
function byteFallback(tokens: readonly string[]): string[] {
  const texts: string[] = [];
  let run: number[] = [];
  const flush = () => {
    if (run.length === 0) return;
    const text = orNull(Uint8Array.from(run));
    if (text === null) texts.push(...run.map(() => "\ufffd"));
    else texts.push(text);
    run = [];
  };
  for (const token of tokens) {
    const byte = /^<0x([0-9A-Fa-f]{2})>$/.exec(token)?.[1];
    if (byte !== undefined) run.push(parseInt(byte, 16));
    else {
      flush();
      texts.push(token);
    }
  }
  flush();
  return texts;
}

function orNull(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null; // no UTF-8
  }
}

function stripping(content: string, start: number, stop: number): Decoder {
  return (tokens) =>
    tokens.map((token) => {
      const characters = [...token];
      let from = 0, to = characters.length;
      while (from < start && from < to && characters[from] === content) from++;
      while (characters.length - to < stop && to > from && characters[to - 1] === content) to--;
      return characters.slice(from, to).join("");
    });
}
