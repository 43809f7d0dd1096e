/**
 * Which of many alternatives may match in a text: those whose texts it holds, found in one pass over it.
 *
 * From each place of a text letters are followed for as long as one of the texts begins with them, by hashes. @module
 */
import { type Choice, rarity } from "./literals.ts";

/** What is looked for, with what a text must hold for it. */
interface Entry<Owner> {
  readonly owner: Owner;
  /** The place in the order in which its owner tries them. */
  readonly place: number;
  /** Numbers of texts; one of each is needed. Without any it is always looked for. */
  readonly needs: readonly (readonly number[])[];
  /** The pass in which it was looked at last. */
  seen: number;
}

const FOLLOWED = 12; // Letters; of longer texts the rest is compared.
const SLOT_BITS = 17;
const LETTER = 3; // A text with a letter more is met in so many times fewer places.

export class LiteralIndex<Owner> {
  readonly #numbers = new Map<string, number>();
  readonly #texts: string[] = [];
  /** By a hash: does a text begin so; the last of the texts that are so; and for each the one before it. */
  readonly #begins = new Uint8Array(1 << SLOT_BITS);
  readonly #last = new Int32Array(1 << SLOT_BITS).fill(-1);
  readonly #before: number[] = [];
  /** How many alternatives ask for a text: words that many ask for are those that people use. */
  readonly #asked: number[] = [];
  /** The pass in which a text was met last. */
  readonly #met: number[] = [];
  /** What is looked at where a text is met. */
  readonly #needing: Entry<Owner>[][] = [];
  readonly #always: Entry<Owner>[] = [];
  /** Not under one of its texts yet. */
  #fresh: Entry<Owner>[] = [];
  #pass = 0;

  add(owner: Owner, place: number, needs: readonly Choice[]): void {
    const numbers = needs.map((choice) => choice.map((text) => this.#numberOf(text)));
    for (const choice of numbers) for (const number of choice) this.#asked[number]!++;
    this.#fresh.push({ owner, place, needs: numbers, seen: 0 });
  }

  #numberOf(text: string): number {
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    const number = this.#texts.length;
    let sum = 0;
    for (let i = 0; i < text.length && i < FOLLOWED; i++) {
      sum = mixed(sum, text.charCodeAt(i));
      this.#begins[slotOf(sum)] = 1;
    }
    this.#numbers.set(text, number);
    this.#texts.push(text);
    this.#before.push(this.#last[slotOf(sum)]!);
    this.#last[slotOf(sum)] = number;
    this.#asked.push(0);
    this.#met.push(0);
    this.#needing.push([]);
    return number;
  }

  /** Each under the texts that are met least often. */
  #settle(): void {
    const often = (choice: readonly number[]) =>
      choice.reduce((sum, number) => sum + this.#asked[number]! * LETTER ** -rarity(this.#texts[number]!), 0);
    for (const entry of this.#fresh) {
      if (entry.needs.length === 0) this.#always.push(entry);
      else {
        const first = entry.needs.length === 1
          ? entry.needs[0]!
          : entry.needs.reduce((best, choice) => often(choice) < often(best) ? choice : best);
        for (const number of first) this.#needing[number]!.push(entry);
      }
    }
    this.#fresh = [];
  }

  /** The places of each owner that may match in a text, in their order. */
  in(text: string): Map<Owner, number[]> {
    if (this.#fresh.length > 0) this.#settle();
    const found = new Map<Owner, number[]>(), pass = ++this.#pass;
    for (const entry of this.#always) take(found, entry);
    for (const number of this.#meet(text)) {
      for (const entry of this.#needing[number]!) {
        if (entry.seen === pass) continue;
        entry.seen = pass;
        if (this.#isHeld(entry)) take(found, entry);
      }
    }
    for (const places of found.values()) if (places.length > 1) places.sort((a, b) => a - b);
    return found;
  }

  /** Does the text hold one of each of its needs? */
  #isHeld({ needs }: Entry<Owner>): boolean {
    for (const choice of needs) {
      let isMet = false;
      for (let i = 0; i < choice.length && !isMet; i++) isMet = this.#met[choice[i]!] === this.#pass;
      if (!isMet) return false;
    }
    return true;
  }

  /** The numbers of all texts that stand in a text, each once. */
  #meet(text: string): number[] {
    const numbers: number[] = [], pass = this.#pass;
    for (let at = 0; at < text.length; at++) {
      const end = Math.min(at + FOLLOWED, text.length);
      for (let next = at, sum = 0; next < end; next++) {
        sum = mixed(sum, text.charCodeAt(next));
        const slot = slotOf(sum);
        if (this.#begins[slot] === 0) break;
        for (let number = this.#last[slot]!; number >= 0; number = this.#before[number]!) {
          if (this.#met[number] === pass || !text.startsWith(this.#texts[number]!, at)) continue;
          this.#met[number] = pass;
          numbers.push(number);
        }
      }
    }
    return numbers;
  }
}

function take<Owner>(found: Map<Owner, number[]>, { owner, place }: Entry<Owner>): void {
  const places = found.get(owner);
  if (places === undefined) found.set(owner, [place]);
  else places.push(place);
}

/** A hash of letters, one after another. */
const mixed = (sum: number, code: number) => Math.imul(sum ^ code, 0x9e3779b1) ^ sum >>> 15;
const slotOf = (sum: number) => sum >>> 32 - SLOT_BITS;
