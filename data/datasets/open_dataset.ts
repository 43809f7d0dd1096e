/** Opens a data set: a file, or a folder of files with splits; its rows are read some at a time. @module */
import { basename } from "@deno/std/path/basename.js";
import { join } from "@deno/std/path/join.js";
import { notAFile } from "../file_system.ts";
import { columnsOf } from "./cells.ts";
import { remainingFractions, type Split, SPLIT_NAMES, type SplitFractions } from "./split.ts";
import type { Encoding } from "./text_encoding.ts";
import type { DataFile, OpenFile } from "./data_file.ts";
import { DETECTION_COLUMNS, type DetectionOptions } from "./detection/detection_options.ts";
import { filesOfFolder, type FolderFile } from "./folder_files.ts";
import { holdsAnnotations, openAnnotations } from "./formats/coco.ts";
import { formatOf, FORMATS } from "./formats/mod.ts";
import type { RowBatch } from "./row_batch.ts";

export interface DatasetOptions {
  /** What the rows are, for errors; prompts by default. */
  readonly what?: string;
  /** Of a text; UTF-8 by default, or what a byte order mark says. */
  readonly encoding?: Encoding | undefined;
  /** Of a folder with several data sets: which. */
  readonly config?: string | undefined;
  /** Of a folder: our splits, and what it calls them; others are not read. By default all, by their usual names. */
  readonly take?: Readonly<Partial<Record<Split, string>>> | undefined;
  /** Of annotations of images: what is asked of them; every category that they show, by default. */
  readonly detection?: DetectionOptions | undefined;
  /** Of annotations: how images are split; all are train's by default. */
  readonly splits?: SplitFractions | undefined;
}

interface DataPart {
  readonly path: string;
  /** Relative to the folder; the file's name where it is one. */
  readonly name: string;
  readonly split: Split | null;
  readonly bytes: number;
}

export interface Dataset {
  /** For errors: the name of the file or folder. */
  readonly name: string;
  readonly format: string;
  readonly parts: readonly DataPart[];
  /** Of annotations of images: the columns of the rows that they become; else null. */
  readonly annotated: readonly string[] | null;
  /** The rows of all parts, with the columns that are wanted (a dotted path as the column it leads into). */
  batches(columns?: readonly string[], hear?: (part: DataPart, file: DataFile) => void): AsyncGenerator<RowBatch>;
}

/**
 * Looks at the file or folder; nothing but descriptions is read. Throws RangeError for what is no data set, and from
 * `batches` SyntaxError with the place for a file that is broken.
 */
export async function openDataset(path: string, options: DatasetOptions = {}): Promise<Dataset> {
  const name = basename(path) as string, what = options.what ?? "prompts";
  const fail = (problem: string, cause?: unknown): never => {
    throw new RangeError(`Cannot load ${what} from ${name}: ${problem}`, { cause });
  };
  const info = await Deno.stat(path).catch((error) => {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    if (!formatOf(name)) {
      return fail(`want a file ending in ${Object.keys(FORMATS).join(", ")}, or a folder of such`, error);
    }
    return fail(`there is no file ${path}`, error);
  });
  const parts = info.isDirectory ? foldersParts(path, options, fail) : [fileOf(path, name, info, options, fail)];
  const isAnnotated = await areAnnotations(parts, options, fail);
  const formats = isAnnotated ? ["annotations"] : [...new Set(parts.map((part) => formatOf(part.name)!.name))];
  const { splits = ALL_TRAIN } = options,
    fractions = remainingFractions(splits, new Set(parts.map(({ split }) => split)));
  const openerOf = ({ name, split }: DataPart): OpenFile =>
    isAnnotated
      ? openAnnotations(options.detection ?? {}, { folder: folderOf(name), split, fractions })
      : formatOf(name)!.open;
  return {
    name,
    format: formats.join(", "),
    parts,
    annotated: isAnnotated ? DETECTION_COLUMNS : null,
    async *batches(columns, hear = () => {}) {
      const told = { ...options, name, what };
      for (const part of parts) yield* partBatches(part, openerOf(part), parts.length > 1, told, columns, hear);
    },
  };
}

type Fail = (problem: string, cause?: unknown) => never;

const folderOf = (name: string) => name.split("/").slice(0, -1).join("/");

const ALL_TRAIN: SplitFractions = { train: 1, validation: 0, held_out: 0 };

async function areAnnotations(parts: readonly DataPart[], { detection }: DatasetOptions, fail: Fail): Promise<boolean> {
  const found = await Promise.all(parts.map(({ path }) => holdsAnnotations(path)));
  if (found.every((one) => one)) return true;
  const other = parts[found.indexOf(false)]!.name;
  if (detection !== undefined) {
    fail(
      `${other} has no annotations of images, which detection is for: a .json file with the lists images, annotations ` +
        "and categories, as COCO's and LVIS's",
    );
  }
  if (found.includes(true)) fail(`${parts[found.indexOf(true)]!.name} has annotations of images, and ${other} rows`);
  return false;
}

function fileOf(
  path: string,
  name: string,
  info: Deno.FileInfo,
  { take, config }: DatasetOptions,
  fail: Fail,
): DataPart {
  const kind = notAFile(info);
  if (kind !== null) fail(`it is ${kind}, want a file`);
  if (!formatOf(name)) fail(`want a file ending in ${Object.keys(FORMATS).join(", ")}, or a folder of such`);
  if (take !== undefined || config !== undefined) {
    fail(`it is a file, and only a folder has ${take === undefined ? "a config" : "splits to take"}; leave that out`);
  }
  return { path, name, split: null, bytes: info.size };
}

function foldersParts(folder: string, { take, config }: DatasetOptions, fail: Fail): DataPart[] {
  let files: readonly FolderFile[];
  try {
    files = filesOfFolder(folder, config);
  } catch (error) {
    if (error instanceof RangeError || error instanceof SyntaxError) return fail(error.message, error);
    throw error;
  }
  const part = (name: string, split: Split | null): DataPart => {
    const path = join(folder, name) as string;
    return { path, name, split, bytes: Deno.statSync(path).size };
  };
  const theirs = [...new Set(files.map(({ split }) => split))],
    named = theirs.map((split) => split ?? "(none)").join(", ");
  if (take !== undefined) {
    return Object.entries(take).flatMap(([ours, split]) => {
      const found = files.filter((file) => file.split === split);
      return found.length > 0
        ? found.map(({ name }) => part(name, ours as Split))
        : fail(`it has no split "${split}" (option take), want one of ${named}`);
    });
  }
  const unknown = theirs.filter((split) => split !== null && !SPLIT_NAMES[split.toLowerCase()]);
  if (unknown.length > 0 || (theirs.includes(null) && theirs.length > 1)) {
    fail(`its splits are ${named}; say which are meant, such as take: { train: ${unknown[0] ?? theirs[0]} }`);
  }
  return files.map(({ name, split }) => part(name, split === null ? null : SPLIT_NAMES[split.toLowerCase()]!));
}

async function* partBatches(
  part: DataPart,
  open: OpenFile,
  isOneOfMany: boolean,
  { name, what, encoding }: DatasetOptions & { readonly name: string; readonly what: string },
  columns: readonly string[] | undefined,
  hear: (part: DataPart, file: DataFile) => void,
): AsyncGenerator<RowBatch> {
  const where = isOneOfMany ? `${name}/${part.name}` : name, of = isOneOfMany ? ` of ${part.name}` : "";
  let file: DataFile | null = null, before = 0;
  const wrap = (error: unknown): unknown =>
    error instanceof Error && !(error instanceof Deno.errors.NotFound)
      ? new SyntaxError(`Cannot load ${what} from ${where}: ${error.message}`, { cause: error })
      : error;
  try {
    file = await open(part.path, encoding);
    hear(part, file);
    const batches = file.batches(columns?.flatMap(columnsOf));
    for (;;) {
      const { value, done } = await batches.next();
      if (done) break;
      const first = before, { rows, lines, places, problems } = value;
      before += rows.length;
      yield {
        rows,
        columns: value.columns,
        ...(lines && { lines }),
        ...(problems && { problems }),
        split: part.split,
        place: (i) =>
          `${places?.[i] ?? `row ${first + i + 1}`}${
            lines && lines[i] !== first + i + 1 ? ` (line ${lines[i]})` : ""
          }${of}`,
      };
    }
  } catch (error) {
    throw wrap(error);
  } finally {
    file?.close();
  }
}
