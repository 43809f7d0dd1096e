/** One record being read: names and values wait here until the whole record turns out to be sound. @module */
import { numberScan } from "../source/scan_number.ts";
import { type NameInfo, nameInfo } from "./name_info.ts";

/** In place of a number of decimals: all digits are printed, or the value is a printed None (NaN stands for it). */
export const ALL_DIGITS = -1, NONE = -2;

const MAX_NAME = 300; // Names longer than this are not names of metrics.

/** The name expected at a position of the next record: logs repeat their keys in order. */
export interface Expected {
  /** What stands in the text before the value, e.g. `'loss': `. */
  readonly text: string;
  /** The same in UTF-8. */
  readonly bytes: Uint8Array;
  readonly info: NameInfo;
}

/** A name as it is expected in the next record; a copy, so that it does not hold on to the text it stands in. */
export function expectedName(printed: string, info: NameInfo): Expected {
  const bytes = new TextEncoder().encode(printed);
  return { text: new TextDecoder().decode(bytes), bytes, info };
}

export class Stage {
  readonly number = numberScan();
  infos: NameInfo[] = [];
  values: number[] = [];
  /** As printed, or ALL_DIGITS or NONE. */
  decimals: number[] = [];
  /** String values that are no numbers, lists and nested text. */
  texts: { name: string; value: string; quoted: boolean; at: number }[] = [];
  /** Where each name starts in the text. */
  ats: number[] = [];
  count = 0;
  readonly expected: Expected[] = [];
  /** The name expected second: two kinds of records often take turns. */
  readonly alternate: Expected[] = [];
  readonly #infos = new Map<string, NameInfo>();

  reset(): void {
    this.count = 0;
    if (this.texts.length > 0) this.texts = [];
  }

  /** What a printed name means, looked up once; hostile names such as `__proto__` are plain keys of a Map. */
  info(printed: string): NameInfo {
    let info = this.#infos.get(printed);
    if (info === undefined) {
      // A copy, so that the name does not hold on to the chunk of text it was sliced from.
      const own = printed.length > MAX_NAME ? printed.slice(0, MAX_NAME) + "…" : printed;
      info = nameInfo(structuredClone(own));
      if (this.#infos.size < 200_000) this.#infos.set(info.printed, info);
    }
    return info;
  }

  add(info: NameInfo, value: number, decimals = ALL_DIGITS, at = 0): void {
    const i = this.count++;
    this.infos[i] = info;
    this.values[i] = value;
    this.decimals[i] = decimals;
    this.ats[i] = at;
  }

  /** Adds what stands under a printed name; null is a printed None. */
  put(printed: string, value: number | null): void {
    this.add(this.info(printed), value ?? NaN, value === null ? NONE : ALL_DIGITS);
  }
}
