/** The tokenizer of a model folder: text to ids and back, with the ids that begin, end and pad. @module */
import { Tokenizer } from "@huggingface/tokenizers";
import { parseJsonObject } from "../strict_json.ts";
import { readFolderText } from "./model_folder.ts";

export interface HubTokenizer {
  /** One more than the highest id. The model may have more embedding rows. */
  readonly vocabSize: number;
  /** Ids that end a completion: generation_config.json, else config.json, else the tokenizer's eos_token. */
  readonly eosIds: readonly number[];
  /** Id that fills up a batch: pad_token, else config, else the first end. It never counts in a mask. */
  readonly padId: number;
  readonly bosId: number | null;
  readonly specialIds: ReadonlySet<number>;
  /** Jinja source, or null. */
  readonly chatTemplate: string | null;
  /** bos_token, eos_token, pad_token, … as texts, for the chat template. */
  readonly specialTokens: Readonly<Record<string, string>>;
  /** The files read, for an export: file name to text. */
  readonly files: ReadonlyMap<string, string>;
  encode(text: string, options?: { addSpecialTokens?: boolean }): number[];
  /** Special tokens are left out unless `skipSpecialTokens` is false. */
  decode(ids: ArrayLike<number>, options?: { skipSpecialTokens?: boolean }): string;
  idToToken(id: number): string | null;
  tokenToId(token: string): number | null;
}

/** Files a tokenizer may consist of. */
const TOKENIZER_FILES = [
  "tokenizer.json",
  "tokenizer_config.json",
  "special_tokens_map.json",
  "chat_template.jinja",
  "chat_template.json",
] as const;

/** Reads the tokenizer of a folder. Throws RangeError when it has no tokenizer.json or no id ends a completion. */
export function loadTokenizer(folder: string): HubTokenizer {
  const files = new Map<string, string>();
  for (const name of [...TOKENIZER_FILES, "config.json", "generation_config.json"]) {
    const text = readFolderText(folder, name);
    if (text !== null) files.set(name, text);
  }
  return makeTokenizer(files, folder);
}

/** The same from files in memory. `where` names them in errors. */
export function makeTokenizer(files: ReadonlyMap<string, string>, where: string): HubTokenizer {
  const object = (name: string) => {
    const text = files.get(name);
    return text === undefined ? {} : parseJsonObject(text, `${name} of ${where}`);
  };
  if (!files.has("tokenizer.json")) {
    throw new RangeError(`Cannot load a tokenizer from ${where}: it has no tokenizer.json`);
  }
  const model = object("tokenizer.json");
  const settings = object("tokenizer_config.json");
  const tokenizer = makeLibraryTokenizer(model, settings, where);
  const specialTokens = readSpecialTokens({ ...object("special_tokens_map.json"), ...settings });
  const added = tokenizer.get_added_tokens_decoder();
  const specialIds = new Set([...added].filter(([, token]) => token.special).map(([id]) => id));
  let vocabSize = 0; // No spread: a call takes some 120,000 arguments at most.
  for (const id of tokenizer.get_vocab(true).values()) vocabSize = Math.max(vocabSize, id + 1);
  return {
    vocabSize,
    ...boundaryIds(tokenizer, specialTokens, object("config.json"), object("generation_config.json"), where, vocabSize),
    specialIds,
    specialTokens,
    chatTemplate: readChatTemplate(files, settings, object("chat_template.json")),
    files: new Map([...files].filter(([name]) => (TOKENIZER_FILES as readonly string[]).includes(name))),
    encode: (text, { addSpecialTokens = false } = {}) =>
      tokenizer.encode(text, { add_special_tokens: addSpecialTokens }).ids,
    decode(ids, { skipSpecialTokens = true } = {}) {
      const list = Array.from(ids);
      const kept = skipSpecialTokens ? list.filter((id) => !specialIds.has(id)) : list;
      return kept.length === 0 ? "" : tokenizer.decode(kept, { skip_special_tokens: false });
    },
    idToToken: (id) => tokenizer.id_to_token(id) ?? null,
    tokenToId: (token) => tokenizer.token_to_id(token) ?? null,
  };
}

/** The ids that begin, end and pad, by the model's configuration and the tokenizer's own tokens. */
function boundaryIds(
  tokenizer: Tokenizer,
  specialTokens: Readonly<Record<string, string>>,
  config: Record<string, unknown>,
  generation: Record<string, unknown>,
  where: string,
  vocabSize: number,
): Pick<HubTokenizer, "eosIds" | "padId" | "bosId"> {
  const idOf = (name: string) => {
    const token = specialTokens[name];
    return [token === undefined ? undefined : tokenizer.token_to_id(token)].filter((id) => id !== undefined);
  };
  const first = (...lists: number[][]) => lists.find((list) => list.length > 0) ?? [];
  // That the tokenizer has more tokens than the embedding rows is told apart: by `vocabularyProblem`.
  const size = typeof config.vocab_size === "number" ? Math.max(config.vocab_size, vocabSize) : vocabSize;
  const idsOf = (key: string) => {
    const [own, generated] = [[config, "config.json"], [generation, "generation_config.json"]] as const;
    return { config: writtenIds(key, own, size, where), generation: writtenIds(key, generated, size, where) };
  };
  const [eos, pad, bos] = [idsOf("eos_token_id"), idsOf("pad_token_id"), idsOf("bos_token_id")];
  const eosIds = first(eos.generation, eos.config, idOf("eos_token"));
  if (eosIds.length === 0) {
    throw new RangeError(
      `Cannot load a tokenizer from ${where}: no eos_token and no eos_token_id; completions would not end`,
    );
  }
  const padId = first(idOf("pad_token"), pad.config, pad.generation, eosIds)[0]!;
  const bosId = first(idOf("bos_token"), bos.config, bos.generation)[0] ?? null;
  return { eosIds, padId, bosId };
}

function makeLibraryTokenizer(
  model: Record<string, unknown>,
  settings: Record<string, unknown>,
  where: string,
): Tokenizer {
  try {
    return new Tokenizer(model, settings);
  } catch (cause) {
    throw new SyntaxError(
      `Cannot load a tokenizer from ${where}: tokenizer.json is not understood (${(cause as Error).message})`,
      { cause },
    );
  }
}

/** The ids under a key, none where it is null or absent; throws a RangeError for what is no id of the vocabulary. */
function writtenIds(
  key: string,
  [file, name]: readonly [Readonly<Record<string, unknown>>, string],
  size: number,
  where: string,
): number[] {
  const value = file[key] ?? [], list: unknown[] = Array.isArray(value) ? value : [value];
  if (key === "pad_token_id" && value === -1) return []; // So LLaMA's first folders say that there is none.
  const isId = (id: unknown): id is number => Number.isSafeInteger(id) && (id as number) >= 0 && (id as number) < size;
  if (list.every(isId)) return list;
  throw new RangeError(
    `Cannot load a tokenizer from ${where}: ${key} of ${name} is ${
      JSON.stringify(value)
    }, want a whole number from 0 to ` +
      `${size - 1}, or null; correct it, or take the folder that the model came in`,
  );
}

/** `"x"` or `{ "content": "x" }` for each name that ends in `_token`. */
function readSpecialTokens(settings: Record<string, unknown>): Record<string, string> {
  const tokens: Record<string, string> = {};
  for (const [name, value] of Object.entries(settings)) {
    if (!name.endsWith("_token")) continue;
    const content = typeof value === "object" && value !== null ? (value as { content?: unknown }).content : value;
    if (typeof content === "string") tokens[name] = content;
  }
  return tokens;
}

/** chat_template.jinja, else tokenizer_config.json (one text, or a list of which "default" counts), else chat_template.json. */
function readChatTemplate(
  files: ReadonlyMap<string, string>,
  settings: Record<string, unknown>,
  separate: Record<string, unknown>,
): string | null {
  const own = settings.chat_template;
  const listed = Array.isArray(own)
    ? (own as { name?: unknown; template?: unknown }[]).find((entry) => entry?.name === "default")?.template
    : own;
  for (const text of [files.get("chat_template.jinja"), listed, separate.chat_template]) {
    if (typeof text === "string") return text;
  }
  return null;
}
