/** How many rows the data of a configuration have, where they lie on this machine, and the steps that epochs then are. @module */
import { homedir } from "node:os";
import { dirname, extname, resolve } from "node:path";
import { orElse } from "../../data/file_system.ts";
import { readRows } from "../../data/tasks/rows/read_rows.ts";
import type { Given } from "./table.ts";
import { isRecord, type Value, valueText, type Written } from "./written.ts";

/** Options that name the data, in every system. */
const DATA = new Set([
  "train_dataset.data_files",
  "dataset_name",
  "train_dataset",
  "dataset",
  "data.train_files",
  "data.dataset",
  "data.prompt_dataset",
  "prompt_data",
]);
const ENDINGS = new Set([".jsonl", ".ndjson", ".json", ".csv", ".tsv", ".parquet"]);
const MOST_BYTES = 200e6; // Larger files would keep a translation waiting.

/**
 * Rows of all files that the options name; null where one of them is not here or cannot be read, where the rows are drawn
 * from (`train[:10%]`), and where a part of them is kept out of training.
 */
export async function countRows(options: readonly Written[], path: string): Promise<number | null> {
  const last = new Map(options.map(({ name, value }) => [name.replaceAll("-", "_"), value]));
  const named = options.findLast(({ name }) => DATA.has(name.replaceAll("-", "_")) && filesOf(last, name) !== null);
  if (named === undefined || isPart(last)) return null;
  // LLaMA-Factory's limit is that of each data set, those of the others of all together.
  const own = last.get("max_samples"), each = last.has("stage") && typeof own === "number" ? own : Infinity;
  let rows = 0;
  for (const name of filesOf(last, named.name)!) {
    const [file, most] = splitLimit(name), place = placeOf(file, last, path);
    const own = place === null ? null : await rowsOf(place);
    if (own === null) return null;
    rows += Math.min(own, most, each);
  }
  const limits = ["data.train_max_samples", "data.max_samples"].map((name) => last.get(name));
  if (!last.has("stage")) limits.push(last.get("max_samples"));
  return limits.reduce<number>((least, one) => typeof one === "number" && one > 0 ? Math.min(least, one) : least, rows);
}

/** The names that an option gives: one, a list, or those under "train". */
function filesOf(options: ReadonlyMap<string, Value>, name: string): string[] | null {
  const value = options.get(name.replaceAll("-", "_"))!, own = isRecord(value) ? value["train"] ?? null : value;
  const list = Array.isArray(own) ? own : typeof own === "string" ? own.split(",") : [];
  return list.length > 0 && list.every((one) => typeof one === "string") ? list as string[] : null;
}

/** Rows are drawn, or some of them are kept for evaluation: how many train is not said by the file. */
function isPart(options: ReadonlyMap<string, Value>): boolean {
  const splits = ["dataset_train_split", "train_dataset.split", "dataset.split"].map((name) => options.get(name) ?? "");
  const shares = ["split_dataset_ratio", "val_size"].map((name) => options.get(name) ?? 0);
  return splits.some((split) => /[[+]/.test(valueText(split))) || shares.some((share) => share !== 0) ||
    options.get("packing") === true || options.get("streaming") === true;
}

/** ms-swift's `name#1000` is so many rows of it. */
function splitLimit(name: string): [string, number] {
  const limit = /#(\d+)$/.exec(name);
  return limit === null ? [name, Infinity] : [name.slice(0, limit.index), Number(limit[1])];
}

/** Where a file lies: beside the configuration or where the command is typed; LLaMA-Factory's names have a list. */
function placeOf(name: string, options: ReadonlyMap<string, Value>, path: string): string | null {
  const folders = [dirname(path), "."], home = name.replace(/^~(?=\/)/, homedir());
  const lists = folders.map((folder) => resolve(folder, valueText(options.get("dataset_dir") ?? "data")));
  const listed = lists.flatMap((folder) => {
    const info = orElse(() => JSON.parse(Deno.readTextFileSync(resolve(folder, "dataset_info.json"))), null);
    const file = isRecord(info) && isRecord(info[name]) ? info[name]["file_name"] : null;
    return typeof file === "string" ? [resolve(folder, file)] : [];
  });
  return [...folders.map((folder) => resolve(folder, home)), ...listed].find((place) =>
    ENDINGS.has(extname(place)) && orElse(() => Deno.statSync(place).isFile, false)
  ) ?? null;
}

async function rowsOf(file: string): Promise<number | null> {
  if (orElse(() => Deno.statSync(file).size, Infinity) > MOST_BYTES) return null;
  try {
    return (await readRows(file, { what: "rows" })).rows.length || null;
  } catch (error) {
    // What cannot be read is not counted: the steps that load it say what is wrong.
    if (error instanceof RangeError || error instanceof SyntaxError) return null;
    throw error;
  }
}

/** Batches of `epochs` passes over the rows, at least one; null where the rows are not known. `rest` counts the last, smaller one. */
export function passesOver(given: Given, batch: number, epochs: number, rest: boolean): number | null {
  if (given.rows == null || !(epochs > 0) || !(batch > 0)) return null;
  const each = given.rows / batch, batches = Math.max(1, rest ? Math.ceil(each) : Math.floor(each));
  return Math.max(1, Math.ceil(epochs * batches));
}
