/** What tokenizer_config.json and special_tokens_map.json add to the tokens of tokenizer.json, as transformers 5 does. @module */
import type { AddedToken } from "./added_tokens.ts";

/** Names under which a special token stands. */
const NAMED = ["bos_token", "eos_token", "unk_token", "sep_token", "pad_token", "cls_token", "mask_token"];
const LISTS = ["additional_special_tokens", "extra_special_tokens"];

type Settings = Readonly<Record<string, unknown>>;

/** `"x"` or `{ "content": "x" }` for each name that ends in `_token`. */
export function namedTokens(settings: Settings): Record<string, string> {
  const tokens: Record<string, string> = {};
  for (const [name, value] of Object.entries(settings)) {
    const content = contentOf(value);
    if (name.endsWith("_token") && content !== null) tokens[name] = content;
  }
  return tokens;
}

function contentOf(value: unknown): string | null {
  const content = typeof value === "object" && value !== null
    ? (value as { readonly content?: unknown }).content
    : value;
  return typeof content === "string" ? content : null;
}

/**
 * The added tokens with those of the settings: `added_tokens_decoder`, then special tokens that are none yet.
 *
 * added       those of tokenizer.json
 * vocabulary  the model's tokens to ids
 * settings    tokenizer_config.json over special_tokens_map.json
 *
 * Throws a RangeError for an id of `added_tokens_decoder` that the token would not get.
 */
export function withConfigTokens(
  added: readonly AddedToken[],
  vocabulary: ReadonlyMap<string, number>,
  settings: Settings,
): AddedToken[] {
  const tokens = new Map(added.map((token) => [token.content, token]));
  let next = 1 + added.reduce((most, { id }) => Math.max(most, id), vocabulary.size - 1);
  const add = (token: Omit<AddedToken, "id">) => {
    const id = tokens.get(token.content)?.id ?? vocabulary.get(token.content) ?? next++;
    tokens.set(token.content, { ...token, id });
    return id;
  };
  const decoder = Object.entries((settings["added_tokens_decoder"] ?? {}) as Settings).sort(([a], [b]) =>
    Number(a) - Number(b)
  );
  for (const [key, entry] of decoder) {
    const content = contentOf(entry);
    if (content === null) {
      throw new RangeError(`added_tokens_decoder of tokenizer_config.json has no content for ${key}`);
    }
    const is = (name: string) => (entry as Settings)[name] === true,
      special = is("special"),
      given = (entry as Settings)["normalized"];
    const normalized = typeof given === "boolean" ? given : !special;
    const id = add({
      content,
      single_word: is("single_word"),
      lstrip: is("lstrip"),
      rstrip: is("rstrip"),
      normalized,
      special,
    });
    if (id === Number(key)) continue;
    throw new RangeError(
      `added_tokens_decoder of tokenizer_config.json has id ${key} for ${
        JSON.stringify(content)
      }, which is ${id} by tokenizer.json`,
    );
  }
  const plain = { single_word: false, lstrip: false, rstrip: false, normalized: false, special: true };
  const names = namedTokens(settings);
  for (const content of NAMED.flatMap((name) => names[name] ?? [])) {
    const known = tokens.get(content);
    if (known === undefined) add({ ...plain, content });
    else if (!known.special) tokens.set(content, { ...known, special: true });
  }
  for (const value of LISTS.flatMap((name) => Array.isArray(settings[name]) ? settings[name] as unknown[] : [])) {
    const content = contentOf(value);
    if (content !== null && !tokens.has(content)) add({ ...plain, content });
  }
  return [...tokens.values()];
}
