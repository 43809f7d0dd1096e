/**
 * Which of many words a text may hold, told in one pass over its bytes: what needs a word that is not there need not look.
 *
 * Of each word its four rarest letters in a row are looked for, in any case, in a table of all fours; of a shorter one all
 * it has. Other fours share a place with them, so a word may be told that is not there, and none that is there is missed.
 * @module
 */

const LONGEST = 1 << 16; // Bytes of a text that is looked through; a longer one may hold anything.
const LETTERS = 4, SHIFT = 5, BITS = LETTERS * SHIFT, MASK = (1 << BITS) - 1; // A place is made of the last four letters.
const MOST = 32; // Groups, one bit each.
const FIRST_FOREIGN = 0x80;
/** From common to rare in what programs print; what is no letter stands in the middle. */
const RARITY = " etaoinsrldc?pmughfbvwykxzqj";
/** What lines without a word of ours are full of. */
const USUAL = "checkpoint model train training examples skipped inputs enable grad logging loading parameters requests";

const bytes = new Uint8Array(LONGEST), encoder = new TextEncoder();
/** Letters without their case; nothing of what is not ASCII. */
const FOLDED = Uint8Array.from({ length: 256 }, (_, byte) => byte < FIRST_FOREIGN ? folded(byte) : 0);

function folded(byte: number): number {
  return String.fromCharCode(byte).toLowerCase().charCodeAt(0);
}

export class WordFilter<Group extends string> {
  /** The bit of each group in what `groupsIn` tells. */
  readonly bits: Readonly<Record<Group, number>>;
  /** By place and by single letter: groups with a word there. */
  readonly #fours = new Uint32Array(1 << BITS);
  readonly #letters = new Uint32Array(256);
  /** Groups with a word that is not all ASCII. */
  #foreign = 0;

  constructor(groups: Readonly<Record<Group, readonly string[]>>) {
    const names = Object.keys(groups) as Group[];
    if (names.length > MOST) throw new RangeError(`Cannot tell ${names.length} groups of words apart: want ${MOST}`);
    this.bits = Object.fromEntries(names.map((name, at) => [name, 1 << at])) as Record<Group, number>;
    for (const name of names) for (const word of groups[name]) this.#add(word.toLowerCase(), this.bits[name]);
  }

  /** The bits of the groups one word of which a text may hold. */
  groupsIn(text: string): number {
    if (text.length > LONGEST) return ~0;
    const { read, written } = encoder.encodeInto(text, bytes), fours = this.#fours, letters = this.#letters;
    if (read < text.length) return ~0;
    let seen = 0, place = 0, all = 0;
    for (let at = 0; at < written; at++) {
      const byte = bytes[at]!, letter = FOLDED[byte]!;
      all |= byte;
      place = ((place << SHIFT) ^ letter) & MASK;
      seen |= fours[place]! | letters[letter]!;
    }
    return all >= FIRST_FOREIGN ? seen | this.#foreign : seen;
  }

  #add(word: string, bit: number): void {
    // deno-lint-ignore no-control-regex
    if (!/^[\x00-\x7f]+$/.test(word)) this.#foreign |= bit;
    else if (word.length === 1) this.#letters[word.charCodeAt(0)]! |= bit;
    else {
      const letters = rarest(word), own = SHIFT * letters.length;
      let place = 0;
      for (const letter of letters) place = ((place << SHIFT) ^ letter.charCodeAt(0)) & MASK;
      // Before a word of two or three letters anything may stand.
      for (let before = 0; before < 1 << (BITS - own); before++) this.#fours[place ^ (before << own)]! |= bit;
    }
  }
}

/** The letters in a row of a word that are seldom together. */
function rarest(word: string): string {
  const rarity = (letter: string) => RARITY.indexOf(RARITY.includes(letter) ? letter : "?");
  const sum = (letters: string) =>
    USUAL.includes(letters) ? 0 : [...letters].reduce((sum, letter) => sum + rarity(letter), 0);
  const rows = Array.from(
    { length: Math.max(1, word.length - LETTERS + 1) },
    (_, at) => word.slice(at, at + LETTERS),
  );
  return rows.reduce((best, letters) => sum(letters) > sum(best) ? letters : best);
}
