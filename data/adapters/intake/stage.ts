/**
 * One record being read: names and values wait here until the whole record turns out to be sound.
 * @module
 */
import { type NameInfo, nameInfo } from "./name_info.ts";
import { numberScan } from "../source/scan_number.ts";

/** Names longer than this are not names of metrics. */
const MAX_NAME = 300;

/** Looks a name up once per reader; hostile names such as `__proto__` are plain keys of a Map. */
export class Names {
  readonly #map = new Map<string, NameInfo>();
  get(printed: string): NameInfo {
    let info = this.#map.get(printed);
    if (info === undefined) {
      // A copy, so that the name does not hold on to the chunk of text it was sliced from.
      const own = printed.length > MAX_NAME ? printed.slice(0, MAX_NAME) + "…" : printed;
      info = nameInfo(structuredClone(own));
      if (this.#map.size < 200_000) this.#map.set(info.printed, info);
    }
    return info;
  }
}

/** The name expected at a position of the next record: logs repeat their keys in order. */
export interface Expected {
  /** What stands in the text before the value, e.g. `'loss': `. */
  readonly text: string;
  readonly info: NameInfo;
}

export class Stage {
  readonly names: Names;
  readonly number = numberScan();
  infos: NameInfo[] = [];
  values: number[] = [];
  /** -1 full precision, -2 a printed None. */
  decimals: number[] = [];
  /** String values that are no numbers, lists and nested text. */
  texts: { name: string; value: string; quoted: boolean; at: number }[] = [];
  /** Where each name starts in the text. */
  ats: number[] = [];
  /** Every number was printed in quotes, as transformers 5 does. */
  quoted = 0;
  count = 0;
  readonly expected: Expected[] = [];
  /** The name expected second: two kinds of records often take turns. */
  readonly alternate: Expected[] = [];

  constructor(names: Names = new Names()) {
    this.names = names;
  }

  reset(): void {
    this.count = 0;
    this.quoted = 0;
    if (this.texts.length > 0) this.texts = [];
  }

  add(info: NameInfo, value: number, decimals: number, at: number): void {
    const i = this.count++;
    this.infos[i] = info;
    this.values[i] = value;
    this.decimals[i] = decimals;
    this.ats[i] = at;
  }
}
