/** The tokenizer of a model folder: text to ids and back, with the ids that begin, end and pad. @module */
import { join } from "node:path";
import { listFolder } from "../file_system.ts";
import { parseJsonObject } from "../strict_json.ts";
import { MORE_TEMPLATES, OTHER_TOKENIZERS, TOKENIZER_FILES } from "./model_files.ts";
import { folderFile, readFolderText } from "./model_folder.ts";
import { hubSource } from "./remote/cache.ts";
import { namedTokens } from "./tokenizer/config_tokens.ts";
import { type Pipeline, pipelineOf } from "./tokenizer/pipeline.ts";
import { type ChatTemplates, readTemplates } from "./tokenizer/templates.ts";

export interface HubTokenizer extends ChatTemplates {
  /** One more than the highest id. The model may have more embedding rows. */
  readonly vocabSize: number;
  /** Ids that end a completion: generation_config.json, else config.json, else the tokenizer's eos_token. */
  readonly eosIds: readonly number[];
  /** Id that a text is ended with: the tokenizer's eos_token where it is one of them, whatever the list has first; else the first. */
  readonly eosId: number;
  /** Id that fills up a batch: pad_token, else config, else the first end. It never counts in a mask. */
  readonly padId: number;
  readonly bosId: number | null;
  readonly specialIds: ReadonlySet<number>;
  /** Ids that the tokenizer puts before a plain text, such as that of bos_token; a chat template writes its own. */
  readonly begins: readonly number[];
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

const isKept = (name: string) =>
  (TOKENIZER_FILES as readonly string[]).includes(name) || name.startsWith(`${MORE_TEMPLATES}/`);

/** Reads the tokenizer of a folder. Throws RangeError when it has no tokenizer.json or no id ends a completion. */
export function loadTokenizer(folder: string): HubTokenizer {
  const files = new Map<string, string>();
  for (const name of [...TOKENIZER_FILES, "config.json", "generation_config.json"]) {
    const text = readFolderText(folder, name);
    if (text !== null) files.set(name, text);
  }
  for (const name of listFolder(join(folder, MORE_TEMPLATES))) {
    const text = name.endsWith(".jinja") ? readFolderText(join(folder, MORE_TEMPLATES), name) : null;
    if (text !== null) files.set(`${MORE_TEMPLATES}/${name}`, text);
  }
  if (!files.has("tokenizer.json")) {
    for (const name of OTHER_TOKENIZERS) if (folderFile(folder, name) !== null) files.set(name, "");
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
    const other = OTHER_TOKENIZERS.filter((name) => files.has(name));
    const cached = hubSource(where);
    const how = other.length === 0
      ? cached === null ? "" : ` in the cache; fetch what is missing: pull ${cached.name}`
      : `, only ${other.join(" and ")}; write one where transformers is installed: ` +
        "AutoTokenizer.from_pretrained(DIR).save_pretrained(DIR)";
    throw new RangeError(`Cannot load a tokenizer from ${where}: it has no tokenizer.json${how}`);
  }
  const model = object("tokenizer.json");
  const settings = object("tokenizer_config.json");
  const named = { ...object("special_tokens_map.json"), ...settings }, specialTokens = namedTokens(named);
  const tokenizer = readPipeline(model, named, where);
  const specialIds = new Set(tokenizer.added.filter(({ special }) => special).map(({ id }) => id));
  let vocabSize = 0;
  for (const id of tokenizer.tokens.keys()) vocabSize = Math.max(vocabSize, id + 1);
  const { before, after } = tokenizer.frame;
  return {
    vocabSize,
    ...boundaryIds(tokenizer, specialTokens, object("config.json"), object("generation_config.json"), where, vocabSize),
    specialIds,
    specialTokens,
    begins: before,
    ...readTemplates(files, settings, object("chat_template.json"), where),
    files: new Map([...files].filter(([name]) => isKept(name))),
    encode(text, { addSpecialTokens = false } = {}) {
      const ids = tokenizer.encode(text);
      return addSpecialTokens ? [...before, ...ids, ...after] : ids;
    },
    decode(ids, { skipSpecialTokens = true } = {}) {
      const list = Array.from(ids);
      return tokenizer.decode(skipSpecialTokens ? list.filter((id) => !specialIds.has(id)) : list);
    },
    idToToken: (id) => tokenizer.tokens.get(id) ?? null,
    tokenToId: (token) => tokenizer.idOf(token) ?? null,
  };
}

/** The ids that begin, end and pad, by the model's configuration and the tokenizer's own tokens. */
function boundaryIds(
  tokenizer: Pipeline,
  specialTokens: Readonly<Record<string, string>>,
  config: Record<string, unknown>,
  generation: Record<string, unknown>,
  where: string,
  vocabSize: number,
): Pick<HubTokenizer, "eosIds" | "eosId" | "padId" | "bosId"> {
  const idOf = (name: string) => {
    const token = specialTokens[name];
    return [token === undefined ? undefined : tokenizer.idOf(token)].filter((id) => id !== undefined);
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
  const own = idOf("eos_token").filter((id) => eosIds.includes(id));
  return { eosIds, eosId: [...own, ...eosIds][0]!, padId, bosId };
}

function readPipeline(model: Record<string, unknown>, settings: Record<string, unknown>, where: string): Pipeline {
  try {
    return pipelineOf(model, settings);
  } catch (cause) {
    throw new SyntaxError(
      `Cannot load a tokenizer from ${where}: tokenizer.json is not understood: ${(cause as Error).message}`,
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
