/** Byte-pair encoding: the words of a text as ids (tokenizers models/bpe). @module */
import { type Part, unsupported } from "./part.ts";

const CACHED = 20_000; // Words whose ids are remembered.
const CACHED_LENGTH = 64; // Longer ones hardly come again.

export class BytePairs {
  readonly #ids: Map<string, number>;
  /** Pair of ids, as left × 2²⁶ + right, to its rank. */
  readonly #ranks = new Map<number, number>();
  /** What the pair of a rank becomes. */
  readonly #merged: Int32Array;
  readonly #bytes: readonly (number | undefined)[] | null;
  readonly #unknown: number | null;
  readonly #fuses: boolean;
  readonly #ignoresMerges: boolean;
  readonly #prefix: string;
  readonly #suffix: string;
  readonly #cache = new Map<string, readonly number[]>();

  /** Throws a RangeError for a model that is no BPE, and for a merge of what is no token. */
  constructor(part: Part) {
    if (part.type !== "BPE") throw unsupported("model.type", part.type, ["BPE"]);
    if (typeof part["dropout"] === "number" && part["dropout"] > 0) {
      throw unsupported("model.dropout", part["dropout"], ["0"]);
    }
    this.#ids = readVocabulary(part["vocab"]);
    const text = (name: string) => typeof part[name] === "string" ? part[name] : "";
    this.#prefix = text("continuing_subword_prefix");
    this.#suffix = text("end_of_word_suffix");
    this.#fuses = part["fuse_unk"] === true;
    this.#ignoresMerges = part["ignore_merges"] === true;
    this.#unknown = this.#ids.get(text("unk_token")) ?? null;
    if (text("unk_token") !== "" && this.#unknown === null) {
      throw new RangeError(`model.unk_token is "${text("unk_token")}", which is no token of its vocab`);
    }
    this.#bytes = part["byte_fallback"] === true
      ? Array.from(
        { length: 256 },
        (_, byte) => this.#ids.get(`<0x${byte.toString(16).toUpperCase().padStart(2, "0")}>`),
      )
      : null;
    this.#merged = this.#readMerges(part["merges"]);
  }

  /** Tokens to ids, without those that were added. */
  get vocabulary(): ReadonlyMap<string, number> {
    return this.#ids;
  }

  encode(word: string): readonly number[] {
    const known = this.#cache.get(word);
    if (known !== undefined) return known;
    const whole = this.#ignoresMerges ? this.#ids.get(word) : undefined;
    const ids = whole === undefined ? this.#merge(this.#characters(word)) : [whole];
    if (word.length <= CACHED_LENGTH) {
      if (this.#cache.size >= CACHED) this.#cache.clear();
      this.#cache.set(word, ids);
    }
    return ids;
  }

  #readMerges(merges: unknown): Int32Array {
    if (!Array.isArray(merges)) throw new RangeError("model.merges is no list");
    const merged = new Int32Array(merges.length);
    merges.forEach((merge, rank) => {
      let left: unknown, right: unknown;
      if (typeof merge === "string") {
        const space = merge.indexOf(" ");
        [left, right] = [merge.slice(0, space), merge.slice(space + 1)];
      } else [left, right] = Array.isArray(merge) && merge.length === 2 ? merge : [];
      const [a, b] = [left, right].map((one) => this.#ids.get(one as string));
      const whole = typeof right === "string" && right.startsWith(this.#prefix)
        ? right.slice(this.#prefix.length)
        : right;
      const id = this.#ids.get(`${left}${whole}`);
      if (a === undefined || b === undefined || id === undefined) {
        throw new RangeError(
          `model.merges[${rank}] is ${
            JSON.stringify(merge)?.slice(0, 100)
          }, want two tokens of the vocab whose union is one`,
        );
      }
      this.#ranks.set(pair(a, b), rank);
      merged[rank] = id;
    });
    return merged;
  }

  /** An id for each character, or for its bytes; the unknown token where there is neither. */
  #characters(word: string): number[] {
    const ids: number[] = [], characters = [...word];
    let pending = false;
    const flush = () => {
      if (pending) ids.push(this.#unknown!);
      pending = false;
    };
    characters.forEach((character, index) => {
      const text = (index > 0 ? this.#prefix : "") + character + (index === characters.length - 1 ? this.#suffix : "");
      const id = this.#ids.get(text);
      if (id !== undefined) {
        flush();
        ids.push(id);
        return;
      }
      const bytes = this.#bytes === null
        ? null
        : Array.from(new TextEncoder().encode(text), (byte) => this.#bytes![byte]);
      // The library writes the bytes at once, before an unknown token that waits for its neighbour.
      if (bytes !== null && bytes.every((byte) => byte !== undefined)) ids.push(...bytes as number[]);
      else if (this.#unknown !== null) {
        if (!this.#fuses) flush();
        pending = true;
      }
    });
    flush();
    return ids;
  }

  /** Joins the pair of the lowest rank, the leftmost of equal ones, until none is left. */
  #merge(ids: number[]): number[] {
    if (ids.length < 2) return ids;
    const next = ids.map((_, i) => i + 1 < ids.length ? i + 1 : -1), before = ids.map((_, i) => i - 1);
    const queue = new Queue();
    const offer = (at: number) => {
      const other = at < 0 ? -1 : next[at]!;
      const rank = other < 0 ? undefined : this.#ranks.get(pair(ids[at]!, ids[other]!));
      if (rank !== undefined) queue.push(rank * POSITIONS + at);
    };
    for (let at = 0; at + 1 < ids.length; at++) offer(at);
    for (let key = queue.pop(); key !== undefined; key = queue.pop()) {
      const at = key % POSITIONS, other = next[at]!;
      if (ids[at] === GONE || other < 0) continue;
      // It may be of a pair that was joined meanwhile: what counts is what would come of it.
      const rank = this.#ranks.get(pair(ids[at]!, ids[other]!)), wanted = this.#merged[Math.floor(key / POSITIONS)]!;
      if (rank === undefined || this.#merged[rank] !== wanted) continue;
      ids[at] = wanted;
      ids[other] = GONE;
      next[at] = next[other]!;
      if (next[at]! >= 0) before[next[at]!] = at;
      offer(before[at]!);
      offer(at);
    }
    return ids.filter((id) => id !== GONE);
  }
}

const GONE = -1;
const LIMIT = 2 ** 26; // More tokens than any vocabulary has.
const POSITIONS = 2 ** 26; // More characters than a word has.
const pair = (left: number, right: number) => left * LIMIT + right;

function readVocabulary(vocab: unknown): Map<string, number> {
  if (typeof vocab !== "object" || vocab === null || Array.isArray(vocab)) {
    throw new RangeError("model.vocab is no object");
  }
  const ids = new Map<string, number>();
  for (const token in vocab) {
    const id = (vocab as Record<string, unknown>)[token];
    if (!Number.isSafeInteger(id) || (id as number) < 0 || (id as number) >= LIMIT) {
      throw new RangeError(
        `model.vocab has id ${JSON.stringify(id)} for ${JSON.stringify(token.slice(0, 50))}, want a whole number`,
      );
    }
    ids.set(token, id as number);
  }
  return ids;
}

/** Numbers, the smallest first. */
class Queue {
  readonly #heap: number[] = [];

  push(key: number): void {
    const heap = this.#heap;
    let at = heap.length;
    heap.push(key);
    while (at > 0) {
      const up = (at - 1) >> 1;
      if (heap[up]! <= key) break;
      heap[at] = heap[up]!;
      at = up;
    }
    heap[at] = key;
  }

  pop(): number | undefined {
    const heap = this.#heap, first = heap[0], last = heap.pop();
    if (heap.length === 0 || last === undefined) return first;
    let at = 0;
    for (let down = 1; down < heap.length; down = 2 * at + 1) {
      if (down + 1 < heap.length && heap[down + 1]! < heap[down]!) down++;
      if (heap[down]! >= last) break;
      heap[at] = heap[down]!;
      at = down;
    }
    heap[at] = last;
    return first;
  }
}
