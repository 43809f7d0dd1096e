/** Which files of a Hugging Face folder matter, by name: settings, tokenizer, chat templates, weights. @module */
import { readFolderObject } from "./model_folder.ts";

/** Files that a tokenizer may consist of, beside named templates, and the one that says how pictures are prepared. */
export const TOKENIZER_FILES = [
  "tokenizer.json",
  "tokenizer_config.json",
  "special_tokens_map.json",
  "chat_template.jinja",
  "chat_template.json",
  "preprocessor_config.json",
] as const;

/** Tokenizers of SentencePiece, tiktoken and slow ones: known only to be named. */
export const OTHER_TOKENIZERS = ["tokenizer.model", "spiece.model", "tekken.json", "vocab.json", "merges.txt"] as const;

/** A folder with templates of other names than the default. */
export const MORE_TEMPLATES = "additional_chat_templates";

/** The name of one of them, by its path; null for another file. */
export const templateName = (path: string): string | null =>
  new RegExp(`^${MORE_TEMPLATES}/([\\w.-]+)\\.jinja$`).exec(path)?.[1] ?? null;

const isTokenizers = (path: string) =>
  ([...TOKENIZER_FILES, ...OTHER_TOKENIZERS, "added_tokens.json"] as readonly string[]).includes(path) ||
  templateName(path) !== null;

/** What tells of a repository: its card, its licence. */
export const isCard = (path: string) => /(?:^|\/)(?:README\.md|LICEN[CS]E[\w.-]*)$/.test(path);

/** A file that is read, or that a person wants, beside the weights. */
export const isBesideWeights = (path: string) =>
  /^(?:config|generation_config|adapter_config|processor_config)\.json$/.test(path) || isTokenizers(path) ||
  (isCard(path) && !path.includes("/"));

/** What a folder of weights is called by: a model's, or an adapter's of PEFT. */
export type Stem = "model" | "adapter_model";

export const weightsName = (stem: Stem) => `${stem}.safetensors`;
export const indexName = (stem: Stem) => `${weightsName(stem)}.index.json`;

/** A file of weights, whole or a shard. */
export const isWeights = (path: string) => /^(?:model|adapter_model)(?:-\d{5}-of-\d{5})?\.safetensors$/.test(path);

/** What a model folder may hold: what is read, the same under names that trainers give it, any weights of this format. */
export const isOfModelFolder = (name: string) =>
  isBesideWeights(name) || /^(?:[\w.-]+\.safetensors|(?:[\w.-]*config|[\w.-]+\.index|\w+_map)\.json)$/.test(name);

/** The shard of each tensor, by the index of a folder; null where there is none. Throws a SyntaxError for what is no index. */
export function weightMap(folder: string, stem: Stem): Readonly<Record<string, string>> | null {
  const index = readFolderObject(folder, indexName(stem));
  if (index === null) return null;
  const map = index["weight_map"];
  const isMap = typeof map === "object" && map !== null && Object.values(map).every((name) => typeof name === "string");
  if (isMap) return map as Record<string, string>;
  throw new SyntaxError(`Cannot read ${indexName(stem)} of ${folder}: its weight_map is not an object of file names`);
}

/** The files that an index names, sorted. */
export const shardNames = (map: Readonly<Record<string, string>>): string[] => [...new Set(Object.values(map))].sort();
