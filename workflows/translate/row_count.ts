/** What the rows of a configuration's data say, where they lie on this machine: how many steps epochs then are. @module */
import { homedir } from "node:os";
import { dirname, resolve } from "node:path";
import { orElse } from "../../data/file_system.ts";
import { cellOf } from "../../data/datasets/cells.ts";
import { type FileRows, hasRows, readRows } from "../../data/datasets/read_rows.ts";
import { callerFolder } from "../terminal/caller.ts";
import type { Given } from "./table.ts";
import { isRecord, isUnresolved, type Value, valueText, type Written } from "./written.ts";

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
const MOST_BYTES = 200e6; // Larger files would keep a translation waiting.

/** What is known of rows without training on them. */
interface LocalRows {
  readonly rows: number;
  /** Every ground truth of verl's rows is a number. */
  readonly areNumbers: boolean;
}

/**
 * Rows of all files that the options name; null where one of them is not here or cannot be read, where the rows are drawn
 * from (`train[:10%]`), and where a part of them is kept out of training.
 *
 * path     the configuration; its data may lie beside it
 * placed   where the workflow reads its rows: that file counts where the one that is named is not found
 */
export async function localRows(
  options: readonly Written[],
  path: string,
  placed: string | null = null,
): Promise<LocalRows | null> {
  const last = new Map(options.map(({ name, value }) => [name.replaceAll("-", "_"), value]));
  const named = options.findLast(({ name }) => DATA.has(name.replaceAll("-", "_")) && filesOf(last, name) !== null);
  if (named === undefined || isPart(last)) return null;
  // LLaMA-Factory's limit is that of each data set, those of the others of all together.
  const own = last.get("max_samples"), each = last.has("stage") && typeof own === "number" ? own : Infinity;
  let count = 0, areNumbers = true;
  const names = filesOf(last, named.name)!;
  for (const name of names) {
    const [file, most] = splitLimit(name), place = placeOf(file, last, path) ?? (names.length === 1 ? placed : null);
    const own = place === null ? null : await rowsOf(place);
    if (own === null) return null;
    count += Math.min(own.length, most, each);
    areNumbers &&= own.every((row) => isNumberText(cellOf(row, GROUND_TRUTH)));
  }
  const limits = ["data.train_max_samples", "data.max_samples"].map((name) => last.get(name));
  if (!last.has("stage")) limits.push(last.get("max_samples"));
  const rows = limits.reduce<number>(
    (least, one) => typeof one === "number" && one > 0 ? Math.min(least, one) : least,
    count,
  );
  return { rows, areNumbers };
}

/** Where verl's rows hold their answer. */
export const GROUND_TRUTH = "reward_model.ground_truth";

const isNumberText = (cell: unknown) => /^\s*[-+]?\$?[\d,]*\.?\d+\s*$/.test(String(cell ?? ""));

/** The names that an option gives: one, a list, or those under "train". */
function filesOf(options: ReadonlyMap<string, Value>, name: string): string[] | null {
  const value = options.get(name.replaceAll("-", "_"))!, own = isRecord(value) ? value["train"] ?? null : value;
  // A name that only the program knows is none, yet its rows may lie where the workflow reads them.
  const list = Array.isArray(own) ? own : isUnresolved(own) ? [""] : typeof own === "string" ? own.split(",") : [];
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
  const folders = [dirname(path), callerFolder()], home = name.replace(/^~(?=\/)/, homedir());
  const lists = folders.map((folder) => resolve(folder, valueText(options.get("dataset_dir") ?? "data")));
  const listed = lists.flatMap((folder) => {
    const info = orElse(() => JSON.parse(Deno.readTextFileSync(resolve(folder, "dataset_info.json"))), null);
    const file = isRecord(info) && isRecord(info[name]) ? info[name]["file_name"] : null;
    return typeof file === "string" ? [resolve(folder, file)] : [];
  });
  return [...folders.map((folder) => resolve(folder, home)), ...listed].find((place) =>
    hasRows(place) && orElse(() => Deno.statSync(place).isFile, false)
  ) ?? null;
}

async function rowsOf(file: string): Promise<FileRows["rows"] | null> {
  if (orElse(() => Deno.statSync(file).size, Infinity) > MOST_BYTES) return null;
  try {
    const { rows } = await readRows(file, { what: "rows" });
    return rows.length > 0 ? rows : null;
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
