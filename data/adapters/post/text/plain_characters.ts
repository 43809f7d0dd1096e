/** The characters that a person means: without those that nobody sees, and keyboards' and word processors' forms as logs print them. @module */
import { plainNumbers } from "./plain_numbers.ts";

/** Spaces of no width, soft hyphens, NUL, marks of the order of bytes and of the direction of writing. */
const UNSEEN = /[\0\u200b\u200c\u2060-\u2069\ufeff\u00ad\u200e\u200f\u202a-\u202e]/g;
/** Spaces of other widths; one between two figures may be a thousand's. */
const SPACE = /(?<!\d)[\u00a0\u202f]|[\u00a0\u202f](?!\d)|[\u2000-\u200a\u205f\u3000]/g;
const APOSTROPHE = /(?<=\p{L})[\u2019\u02bc](?=\p{L})/gu;
/** Full-width letters and figures, and the point or the minus of such a figure. */
const WIDE =
  /[\uff10-\uff19\uff21-\uff3a\uff41-\uff5a\uff3f]|(?<=[\d\uff10-\uff19])\uff0e(?=[\d\uff10-\uff19])|\uff0d(?=[\d\uff10-\uff19])/g;
const ANY =
  /[\0\u00a0\u00ad\u02bc\u2000-\u200f\u2019\u202a-\u202f\u205f-\u2069\u3000\ufeff\uff0d\uff0e\uff10-\uff19\uff21-\uff3a\uff3f\uff41-\uff5a]/;

const HALF = 0xfee0; // Between a full-width character and its own.

/** A line with the characters and the numbers that are meant. */
export function plainCharacters(text: string): string {
  return plainNumbers(ANY.test(text) ? narrow(text) : text);
}

function narrow(text: string): string {
  return text.replace(UNSEEN, "").replace(SPACE, " ").replace(APOSTROPHE, "'").replace(
    WIDE,
    (wide) => String.fromCharCode(wide.charCodeAt(0) - HALF),
  );
}
