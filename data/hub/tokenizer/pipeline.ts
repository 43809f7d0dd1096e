/**
 * A tokenizer.json as the library tokenizers reads it: text to ids and back.
 *
 * Of npm:@huggingface/tokenizers only the translation of expressions is taken: on random strings the rest of its version
 * 0.2.0 gives other ids than tokenizers 0.23 for one in ten of Granite's and one in thirty of SmolLM2's (white space and
 * digits are JavaScript's), others with tokens that take white space (Phi), and another text for one in five lists of ids
 * where bytes fall back (Llama 2, Mistral, Gemma): runs of bytes that are no UTF-8, ids that are none.
 * @module
 */
import { type AddedToken, AddedTokens, readAddedTokens } from "./added_tokens.ts";
import { BytePairs } from "./bpe.ts";
import { withConfigTokens } from "./config_tokens.ts";
import { decoderOf } from "./decoder.ts";
import { normalizerOf } from "./normalizer.ts";
import { partAt } from "./part.ts";
import { type Frame, frameOf } from "./post_processor.ts";
import { preTokenizerOf } from "./pre_tokenizer.ts";

export interface Pipeline {
  readonly added: readonly AddedToken[];
  /** Special tokens around a text. */
  readonly frame: Frame;
  /** Every token by its id. */
  readonly tokens: ReadonlyMap<number, string>;
  /** Ids of a text, without the frame. Throws a RangeError for half a character. */
  encode(text: string): number[];
  /** The text of ids; ids that are none are left out. */
  decode(ids: readonly number[]): string;
  idOf(token: string): number | undefined;
}

/**
 * Makes the functions of a tokenizer.json, with the tokens that `settings` (tokenizer_config.json) adds. Throws a RangeError
 * that names the part which is not supported.
 */
export function pipelineOf(
  json: Readonly<Record<string, unknown>>,
  settings: Readonly<Record<string, unknown>> = {},
): Pipeline {
  const part = (name: string) => (json[name] ?? null) === null ? null : partAt(name, json[name]);
  const model = part("model");
  if (model === null) throw new RangeError("it has no model");
  const normalize = normalizerOf(part("normalizer")), split = preTokenizerOf(part("pre_tokenizer"));
  const decode = decoderOf(part("decoder")), frame = frameOf(part("post_processor"));
  const pairs = new BytePairs(model);
  const added = withConfigTokens(readAddedTokens(json["added_tokens"]), pairs.vocabulary, settings);
  const finder = new AddedTokens(added, normalize);
  const tokens = new Map<number, string>(), addedIds = new Map<string, number>();
  for (const [token, id] of pairs.vocabulary) tokens.set(id, token);
  for (const { id, content } of added) {
    tokens.set(id, content);
    addedIds.set(content, id);
  }
  return {
    added,
    frame,
    tokens,
    encode(text) {
      if (!text.isWellFormed()) {
        throw new RangeError(
          "Cannot encode a text: it holds a lone surrogate (half a character), want whole characters",
        );
      }
      const ids: number[] = [];
      for (const stretch of finder.split(text)) {
        if ("id" in stretch) ids.push(stretch.id);
        else {for (const word of split([stretch.text], stretch.isFirst)) {
            for (const id of pairs.encode(word)) ids.push(id);
          }}
      }
      return ids;
    },
    decode: (ids) => decode(ids.flatMap((id) => tokens.get(id) ?? [])),
    idOf: (token) => addedIds.get(token) ?? pairs.vocabulary.get(token),
  };
}
