/** Finds the files of a data set in a folder, with their splits: as `datasets` saves one, as the Hub has them, or as they lie. @module */
import { globToRegExp } from "@deno/std/path/glob_to_regexp.js";
import { join } from "@deno/std/path/join.js";
import { parse } from "yaml";
import { isFile, isFolder, listFolder, textIfThere } from "../file_system.ts";
import { parseJsonObject } from "../strict_json.ts";
import { isObject } from "./cells.ts";
import { SPLIT_NAMES } from "./split.ts";
import { formatOf } from "./formats/mod.ts";

export interface FolderFile {
  /** Relative to the folder, with "/". */
  readonly name: string;
  /** What its name, its folder or the data set's description says; null where nothing does. */
  readonly split: string | null;
}

const MOST_FILES = 10_000;
const DEEPEST = 4;
/** Files that describe, and are no rows. */
const NO_ROWS = /^(?:dataset_info|dataset_infos|dataset_dict|state|config|package|tokenizer.*|.*_config)\.json$/;
const SHARD = /[-_.](?:\d{5}-of-\d{5}(?:-[0-9a-f]+)?|part-?\d+|\d+)$/;

/** Throws RangeError for a folder without rows, or with more than one data set of which none is named by `config`. */
export function filesOfFolder(folder: string, config: string | undefined): readonly FolderFile[] {
  if (isFile(join(folder, "dataset_dict.json"))) return savedSplits(folder);
  if (isFile(join(folder, "state.json"))) return savedFiles(folder, "").map((name) => ({ name, split: null }));
  const names = [...rowFiles(folder, "", 0)].sort();
  if (names.length === 0) {
    throw new RangeError("the folder has no file of rows (Parquet, Arrow, JSON lines, JSON, CSV)");
  }
  return described(folder, names, config) ?? byName(names, config);
}

/** What the rows of a folder hang on, whichever are read: files of rows and what describes them, with "/" as paths in it. */
export function filesRead(folder: string): string[] {
  return [...rowFiles(folder, "", 0, (name) => name === "README.md" || NO_ROWS.test(name))].sort();
}

function* rowFiles(
  folder: string,
  path: string,
  depth: number,
  isAlso: (name: string) => boolean = () => false,
): Generator<string> {
  let count = 0;
  for (const name of listFolder(join(folder, path))) {
    const inner = path === "" ? name : `${path}/${name}`;
    if (name.startsWith(".") || ++count > MOST_FILES) continue;
    if (isFolder(join(folder, inner))) {
      if (depth < DEEPEST) yield* rowFiles(folder, inner, depth + 1, isAlso);
    } else if ((formatOf(name) && !NO_ROWS.test(name)) || isAlso(name)) yield inner;
  }
}

function description(folder: string, name: string): Record<string, unknown> {
  return parseJsonObject(Deno.readTextFileSync(join(folder, name)), name);
}

/** What DatasetDict.save_to_disk writes. */
function savedSplits(folder: string): FolderFile[] {
  const { splits } = description(folder, "dataset_dict.json");
  if (!Array.isArray(splits) || !splits.every((split) => typeof split === "string" && !/[/\\]|^\.*$/.test(split))) {
    throw new SyntaxError("dataset_dict.json names no list of splits");
  }
  return splits.flatMap((split: string) => savedFiles(folder, split).map((name) => ({ name, split })));
}

/** What Dataset.save_to_disk writes. */
function savedFiles(folder: string, path: string): string[] {
  const at = (name: string) => path === "" ? name : `${path}/${name}`;
  const state = description(folder, at("state.json")), files = state["_data_files"];
  if (Array.isArray(state["_indices_data_files"]) && state["_indices_data_files"].length > 0) {
    throw new RangeError(
      `${at("state.json")} chooses rows by a file of indices; call flatten_indices() before you save`,
    );
  }
  const names = Array.isArray(files) ? files.map((file) => isObject(file) ? file["filename"] : null) : [];
  const bad = names.find((name) => typeof name !== "string" || /[/\\]/.test(name));
  if (names.length === 0 || bad !== undefined) throw new SyntaxError(`${at("state.json")} names no data files`);
  for (const name of names as string[]) {
    if (!isFile(join(folder, at(name)))) throw new RangeError(`${at("state.json")} names ${name}, which is not there`);
  }
  return (names as string[]).map(at);
}

/** What the head of README.md says of configurations; null where it says nothing. */
function described(folder: string, names: readonly string[], config: string | undefined): FolderFile[] | null {
  const head = /^---\r?\n([\s\S]*?)\r?\n---/.exec(textIfThere(join(folder, "README.md")) ?? "");
  const card: unknown = head ? parse(head[1]!, { maxAliasCount: 10 }) : null;
  const configs = isObject(card) && Array.isArray(card["configs"]) ? card["configs"].filter(isObject) : [];
  const withFiles = configs.filter((one) => one["data_files"] !== undefined);
  if (withFiles.length === 0) return null;
  const title = (one: Readonly<Record<string, unknown>>) => String(one["config_name"] ?? "default");
  const chosen = chooseConfig(
    withFiles.map(title),
    config ?? withFiles.filter((one) => one["default"] === true).map(title)[0],
  );
  const { data_files: files } = withFiles.find((one) => title(one) === chosen)!;
  const entries = (Array.isArray(files) && files.every(isObject) ? files : [{ path: files }]) as Record<
    string,
    unknown
  >[];
  return entries.flatMap(({ split, path }) =>
    [path].flat().flatMap((pattern) => {
      const test = globToRegExp(String(pattern), { globstar: true }), found = names.filter((name) => test.test(name));
      if (found.length > 0) {
        return found.map((name) => ({ name, split: typeof split === "string" ? split : splitIn(name) }));
      }
      throw new RangeError(`README.md names ${JSON.stringify(pattern)} as data, and the folder has no such file`);
    })
  );
}

function chooseConfig(names: readonly string[], wanted: string | undefined): string {
  const distinct = [...new Set(names)];
  if (wanted !== undefined && distinct.includes(wanted)) return wanted;
  if (wanted === undefined && distinct.length === 1) return distinct[0]!;
  if (wanted === undefined && distinct.includes("default")) return "default";
  const list = distinct.slice(0, 20).join(", ") + (distinct.length > 20 ? ", …" : "");
  throw new RangeError(
    wanted === undefined
      ? `it has ${distinct.length} configurations: ${list}; set config: ${distinct[0]}`
      : `it has no configuration "${wanted}" (option config), want one of ${list}`,
  );
}

/** By the folders and names of the files alone. */
function byName(names: readonly string[], config: string | undefined): FolderFile[] {
  const endings = new Set(names.map((name) => formatOf(name)!.name));
  if (endings.size > 1) {
    throw new RangeError(
      `the folder has files of several formats (${[...endings].join(", ")}), want one; name a file in it: ${names[0]}`,
    );
  }
  const tops = new Set(names.map(topFolder));
  const hasConfigs = (tops.size > 1 || config !== undefined) && !tops.has(null);
  const chosen = hasConfigs ? chooseConfig([...tops] as string[], config) : null;
  if (config !== undefined && !hasConfigs) throw new RangeError("it has no configurations; leave out config");
  return names.filter((name) => chosen === null || topFolder(name) === chosen)
    .map((name) => ({ name, split: splitIn(name) }));
}

/** The outer folder, where it is none that every data set has. */
function topFolder(name: string): string | null {
  const [top, ...rest] = name.split("/");
  return rest.length === 0 || top === "data" || SPLIT_NAMES[top!.toLowerCase()] ? null : top!;
}

/** `train-00000-of-00002.parquet` and `train/0.jsonl` are of "train", `gsm8k_test.csv` of "test", `train_sft.jsonl` of its own. */
function splitIn(name: string): string | null {
  const parts = name.split("/"), file = parts.pop()!.replace(/\.[A-Za-z.]+$/, "").replace(SHARD, "");
  const own = [file, ...parts.reverse()].find((part) => SPLIT_NAMES[part.toLowerCase()]);
  if (own !== undefined) return own;
  const words = file.toLowerCase().split(/[^a-z]+/).filter((word) => SPLIT_NAMES[word]);
  if (words.length === 0) return null;
  return file.toLowerCase().endsWith(words[0]!) ? words[0]! : file;
}
