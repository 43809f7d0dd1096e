/**
 * Which of many alternatives may match in a text: those whose texts it holds, found in one pass over it.
 *
 * A table by the first letters of each text; a text is looked up at every place. @module
 */
import type { Choice } from "./literals.ts";

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

const KEY = 4; // Letters by which texts are kept.
const SLOTS = 1 << 14;

export class LiteralIndex<Owner> {
  readonly #numbers = new Map<string, number>();
  readonly #texts: string[] = [];
  /** Texts by a hash of their first letters, for each length up to KEY: the last one, and for each the one before it. */
  readonly #last = Array.from({ length: KEY + 1 }, () => new Int32Array(SLOTS).fill(-1));
  readonly #before: number[] = [];
  readonly #hasLength: boolean[] = new Array(KEY + 1).fill(false);
  /** The pass in which a text was met last. */
  readonly #met: number[] = [];
  /** What needs a text before all. */
  readonly #needing: Entry<Owner>[][] = [];
  readonly #always: Entry<Owner>[] = [];
  #pass = 0;

  add(owner: Owner, place: number, needs: readonly Choice[]): void {
    const entry = { owner, place, needs: needs.map((choice) => choice.map((text) => this.#numberOf(text))), seen: 0 };
    if (entry.needs.length === 0) this.#always.push(entry);
    else for (const number of entry.needs[0]!) this.#needing[number]!.push(entry);
  }

  #numberOf(text: string): number {
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    const number = this.#texts.length, length = Math.min(text.length, KEY), slot = hash(text, 0, length);
    this.#numbers.set(text, number);
    this.#texts.push(text);
    this.#before.push(this.#last[length]![slot]!);
    this.#last[length]![slot] = number;
    this.#hasLength[length] = true;
    this.#met.push(0);
    this.#needing.push([]);
    return number;
  }

  /** The places of each owner that may match in a text, in their order. */
  in(text: string): Map<Owner, number[]> {
    const pass = ++this.#pass, found = new Map<Owner, number[]>();
    const take = ({ owner, place }: Entry<Owner>) => {
      const places = found.get(owner);
      if (places === undefined) found.set(owner, [place]);
      else places.push(place);
    };
    for (const entry of this.#always) take(entry);
    for (const number of this.#meet(text, pass)) {
      for (const entry of this.#needing[number]!) {
        if (entry.seen === pass) continue;
        entry.seen = pass;
        if (entry.needs.every((choice, i) => i === 0 || choice.some((one) => this.#met[one] === pass))) take(entry);
      }
    }
    for (const places of found.values()) if (places.length > 1) places.sort((a, b) => a - b);
    return found;
  }

  /** The numbers of all texts that stand in a text, each once. */
  #meet(text: string, pass: number): number[] {
    const numbers: number[] = [];
    for (let at = 0; at < text.length; at++) {
      for (let length = 1; length <= KEY && at + length <= text.length; length++) {
        if (!this.#hasLength[length]) continue;
        let number = this.#last[length]![hash(text, at, length)]!;
        for (; number >= 0; number = this.#before[number]!) {
          if (this.#met[number] === pass || !text.startsWith(this.#texts[number]!, at)) continue;
          this.#met[number] = pass;
          numbers.push(number);
        }
      }
    }
    return numbers;
  }
}

function hash(text: string, at: number, length: number): number {
  let sum = 0;
  for (let i = 0; i < length; i++) sum = Math.imul(sum ^ text.charCodeAt(at + i), 0x9e3779b1) ^ sum >>> 15;
  return sum >>> 18;
}
