/** What a text becomes before it is taken apart (tokenizers: normalizers). @module */
import { compiledPattern } from "./pattern.ts";
import { type Part, partsAt, unsupported } from "./part.ts";

export type Normalizer = (text: string) => string;

const FORMS = ["NFC", "NFD", "NFKC", "NFKD"];
const KNOWN = ["Sequence", ...FORMS, "Replace", "Prepend", "Strip"];

/** The function of a normalizer. Throws a RangeError for one whose result would be another than that of tokenizers. */
export function normalizerOf(part: Part | null, place = "normalizer"): Normalizer {
  if (part === null) return (text) => text;
  if (FORMS.includes(part.type)) return (text) => text.normalize(part.type);
  switch (part.type) {
    case "Sequence": {
      const all = partsAt(`${place}.normalizers`, part["normalizers"]).map((one, i) =>
        normalizerOf(one, `${place}.normalizers[${i}]`)
      );
      return (text) => all.reduce((now, normalize) => normalize(now), text);
    }
    case "Replace": {
      const pattern = compiledPattern(part["pattern"], `${place}.pattern`), content = String(part["content"] ?? "");
      requireShort(`${place}.content`, content);
      return (text) => bounded(text.replace(pattern, () => content), text, place);
    }
    case "Prepend": {
      const prepend = String(part["prepend"] ?? "");
      requireShort(`${place}.prepend`, prepend);
      return (text) => text === "" ? "" : prepend + text;
    }
    case "Strip": {
      const left = part["strip_left"] === true ? /^\p{White_Space}+/u : null;
      const right = part["strip_right"] === true ? /\p{White_Space}+$/u : null;
      return (text) => [left, right].reduce((now, side) => side ? now.replace(side, "") : now, text);
    }
  }
  throw unsupported(`${place}.type`, part.type, KNOWN);
}

/** What real tokenizers put in has a character or three; a stranger's could fill the memory. */
const MOST_PUT_IN = 64;
/** Characters that may come of one, once there are more than `FREELY`. */
const MOST_GROWTH = 8, FREELY = 1e6;

function requireShort(place: string, content: string): void {
  if (content.length <= MOST_PUT_IN) return;
  throw new RangeError(`"${place}" has ${content.length} characters, want at most ${MOST_PUT_IN}`);
}

function bounded(after: string, before: string, place: string): string {
  if (after.length <= FREELY || after.length <= MOST_GROWTH * before.length) return after;
  throw new RangeError(
    `Cannot tokenize: "${place}" of tokenizer.json makes ${after.length} characters of ${before.length}, want at most ` +
      `${MOST_GROWTH} of each`,
  );
}
