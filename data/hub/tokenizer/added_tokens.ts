/** Tokens that are looked for in a text before it is taken apart: special ones and those that were added. @module */
import type { Normalizer } from "./normalizer.ts";

export interface AddedToken {
  readonly id: number;
  readonly content: string;
  readonly single_word: boolean;
  /** Takes the white space before it, or behind it. */
  readonly lstrip: boolean;
  readonly rstrip: boolean;
  /** Looked for in the normalized text. */
  readonly normalized: boolean;
  readonly special: boolean;
}

/** A stretch of text: a token, or what is between them. */
type Stretch = { readonly id: number } | { readonly text: string; readonly isFirst: boolean };

const SPACE = /\p{White_Space}/u;
const WORD = /[\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\p{Join_Control}]/u;

interface Node {
  readonly next: Map<string, Node>;
  token: AddedToken | null;
}

/** Reads `added_tokens`. Throws a RangeError for an entry that is no token. */
export function readAddedTokens(list: unknown): AddedToken[] {
  if (!Array.isArray(list ?? [])) throw new RangeError("added_tokens is no list");
  return ((list ?? []) as Readonly<Record<string, unknown>>[]).map((entry, index) => {
    const { id, content } = entry ?? {};
    if (!Number.isSafeInteger(id) || (id as number) < 0 || typeof content !== "string") {
      throw new RangeError(
        `added_tokens[${index}] is ${JSON.stringify(entry)?.slice(0, 100)}, want an id and a content`,
      );
    }
    const is = (name: string) => entry[name] === true, special = is("special");
    const normalized = typeof entry["normalized"] === "boolean" ? entry["normalized"] : !special;
    return {
      id: id as number,
      content,
      single_word: is("single_word"),
      lstrip: is("lstrip"),
      rstrip: is("rstrip"),
      normalized,
      special,
    };
  });
}

/** Finds added tokens, the raw ones first, then in what is between them, normalized, the others (tokenizers added_vocabulary.rs). */
export class AddedTokens {
  readonly #raw: Node | null;
  readonly #normalized: Node | null;

  constructor(tokens: readonly AddedToken[], private readonly normalize: Normalizer) {
    this.#raw = trie(tokens.filter(({ normalized }) => !normalized).map((token) => [token.content, token]));
    this.#normalized = trie(
      tokens.filter(({ normalized }) => normalized).map((token) => [normalize(token.content), token]),
    );
  }

  /** The stretches of a text, those between tokens normalized. */
  split(text: string): Stretch[] {
    return matches(text, this.#raw, true).flatMap((stretch) =>
      "id" in stretch ? [stretch] : matches(this.normalize(stretch.text), this.#normalized, stretch.isFirst)
    );
  }
}

function trie(entries: readonly (readonly [string, AddedToken])[]): Node | null {
  const root: Node = { next: new Map(), token: null };
  for (const [content, token] of entries) {
    let node = root;
    for (const unit of content.split("")) {
      let next = node.next.get(unit);
      if (next === undefined) node.next.set(unit, next = { next: new Map(), token: null });
      node = next;
    }
    if (content !== "") node.token = token;
  }
  return root.next.size === 0 ? null : root;
}

/**
 * The leftmost token, of those the longest; then from its end on: white space that it took is looked at again, as in
 * tokenizers.
 */
function matches(text: string, root: Node | null, isFirst: boolean): Stretch[] {
  if (text === "") return [];
  if (root === null) return [{ text, isFirst }];
  const found: Stretch[] = [];
  let done = 0;
  for (let at = 0; at < text.length;) {
    const token = longest(text, at, root);
    if (token === null) {
      at++;
      continue;
    }
    let start = at, end = at + token.length;
    at = end;
    if (token.token.single_word && !standsAlone(text, start, end)) continue;
    if (token.token.lstrip) { while (start > done && SPACE.test(text[start - 1]!)) start--; }
    if (token.token.rstrip) { while (end < text.length && SPACE.test(text[end]!)) end++; }
    if (start > done) found.push({ text: text.slice(done, start), isFirst: isFirst && done === 0 });
    found.push({ id: token.token.id });
    done = end;
  }
  if (done < text.length) found.push({ text: text.slice(done), isFirst: isFirst && done === 0 });
  return found;
}

function longest(
  text: string,
  start: number,
  root: Node,
): { readonly token: AddedToken; readonly length: number } | null {
  let best: { token: AddedToken; length: number } | null = null, node: Node | undefined = root;
  for (let at = start; at < text.length && (node = node.next.get(text[at]!)) !== undefined; at++) {
    if (node.token !== null) best = { token: node.token, length: at + 1 - start };
  }
  return best;
}

/** No letter, digit or underscore touches it. */
function standsAlone(text: string, start: number, end: number): boolean {
  const before = [...text.slice(Math.max(0, start - 2), start)].at(-1), after = text.codePointAt(end);
  return !(before !== undefined && WORD.test(before)) &&
    !(after !== undefined && WORD.test(String.fromCodePoint(after)));
}
