/** Finds the images of rows, keeps those of the prompts that are kept, and looks whether each can be opened. @module */
import { dirname } from "node:path";
import { cellOf, isObject } from "../../datasets/cells.ts";
import { jsonCell } from "../../datasets/depth.ts";
import { asMessages, isImagePart } from "../../datasets/messages.ts";
import type { Row } from "../../datasets/row_batch.ts";
import { messageOf } from "../../error_text.ts";
import { decodeImage, IMAGE_LIMITS, readImageHeader } from "../../images/decode.ts";
import { sizeOfId } from "../../images/image_id.ts";
import type { ImageStore } from "../../images/image_store.ts";
import { annotatedSizeProblem } from "./annotated_size.ts";
import { imagePrompt } from "./image_prompt.ts";
import { imageBelow } from "./image_below.ts";
import { ImageFiles } from "./image_files.ts";
import { type ImageFile, sourcesIn } from "./image_source.ts";

/** What is wrong with the images of one row: such a row can be left out. */
export class ImageProblem extends RangeError {}

/** Bytes of all images of a run. */
const MOST_STORED = 20e9;
/** Images of one row, and their bytes. */
const MOST_OF_ROW = 64, MOST_BYTES_OF_ROW = 256e6;
/** Images that are decoded at a time, and their pixels together, of which each costs up to 20 bytes. */
const AT_ONCE = 4, MOST_AT_ONCE = IMAGE_LIMITS.mostPixels;

interface RowImagesOptions {
  readonly store: ImageStore;
  /** Columns, or dotted paths into their objects, that hold images. */
  readonly columns: readonly string[];
  /** Where paths begin; by default where the data file lies. */
  readonly folder?: string | undefined;
  /** Whether rows are made of annotations: their one image lies in the folder and has the size that they say. */
  readonly annotated?: boolean;
}

export class RowImages {
  readonly #options: RowImagesOptions;
  readonly #files: ImageFiles;
  /** Where the paths of the file begin whose rows are read. */
  folder = "";
  /** Images that were put by this, with their row and bytes. */
  readonly #kept = new Map<string, { readonly place: string; readonly bytes: number; readonly isNew: boolean }>();
  #bytes = 0;
  /** Those of the row that was read last. */
  #row = new Map<string, ImageFile>();

  constructor(options: RowImagesOptions) {
    this.#options = options;
    this.#files = new ImageFiles(
      undefined,
      options.annotated ? (source, folder) => imageBelow(String(source), folder) : undefined,
    );
  }

  /** The files of the row that was read last, by id. */
  get row(): ReadonlyMap<string, ImageFile> {
    return this.#row;
  }

  get columns(): readonly string[] {
    return this.#options.columns;
  }

  /** Paths of the rows that follow begin where their file lies, those of annotations where the data set does. */
  enter({ path, name }: { readonly path: string; readonly name: string }): void {
    this.folder = this.#options.annotated ? path.slice(0, -name.length) : dirname(path);
  }

  /**
   * A row's prompt with its images; null where it has none and shows none. `value` is a text or a list of messages.
   * Throws ImageProblem, as the end of a sentence about the row.
   */
  prompt(cells: Row, value: unknown): string | null {
    const { columns, folder, annotated = false } = this.#options,
      // Of annotations the cells are a text and a file's name, whatever they look like.
      list = annotated ? null : messagesOf(value),
      sources = columns.flatMap((name) => annotated ? [cells[name]] : sourcesIn(cellOf(cells, name)));
    this.#row = new Map();
    if (columns.length === 0 && !(list ?? []).some(showsImage)) return null;
    let images = 0, bytes = 0;
    const read = (source: unknown): string => {
      if (++images > MOST_OF_ROW) throw new RangeError(`it has more than ${MOST_OF_ROW} images, want fewer`);
      const { id, file } = this.#files.read(source, folder ?? this.folder);
      const problem = annotated ? annotatedSizeProblem(file.name, cells, readImageHeader(file.bytes, file.name)) : null;
      if (problem !== null) throw new RangeError(problem);
      if (!this.#row.has(id)) bytes += file.bytes.length;
      if (bytes > MOST_BYTES_OF_ROW) {
        throw new RangeError(
          `its images have more than ${MOST_BYTES_OF_ROW / 1e6} MB together, want fewer or smaller ones`,
        );
      }
      this.#row.set(id, file);
      return id;
    };
    try {
      return imagePrompt(list ?? String(value ?? ""), { sources, read });
    } catch (cause) {
      if (!(cause instanceof RangeError || cause instanceof SyntaxError)) throw cause;
      throw new ImageProblem(messageOf(cause), { cause });
    }
  }

  /** Puts the images of the row that was read last. Throws RangeError where there are too many bytes. */
  keep(place: string): void {
    for (const [id, { bytes, name }] of this.#row) {
      if (this.#kept.has(id)) continue;
      const { isNew } = this.#options.store.keep(bytes, name);
      this.#kept.set(id, { place: `${name} of ${place}`, bytes: bytes.length, isNew });
      this.#bytes += bytes.length;
      if (this.#bytes > MOST_STORED) {
        throw new RangeError(`its images have more than ${MOST_STORED / 1e9} GB together, want fewer; set limit`);
      }
    }
  }

  /** Takes out what was put for rows that are not kept, then opens every other: what is wrong, by id. */
  async end(used: ReadonlySet<string>): Promise<ReadonlyMap<string, string>> {
    const { store } = this.#options, problems = new Map<string, string>();
    for (const [id, { isNew }] of this.#kept) if (isNew && !used.has(id)) store.remove(id);
    for (const ids of decodedTogether([...used].filter((id) => this.#kept.has(id)))) {
      // A stored file that changed meanwhile is no problem of the row.
      const files = ids.map((id) => ({ ...this.#kept.get(id)!, id, bytes: store.bytes(id) }));
      const told = await Promise.all(
        files.map(({ bytes, place }) => decodeImage(bytes, place).then(() => null, problem)),
      );
      for (const [i, { id, isNew }] of files.entries()) {
        if (told[i] === null) continue;
        problems.set(id, told[i]!);
        if (isNew) store.remove(id);
      }
    }
    return problems;
  }
}

/** Ids in the same order, in groups that can be decoded at a time. */
export function decodedTogether(ids: readonly string[]): readonly (readonly string[])[] {
  const groups: string[][] = [];
  let pixels = Infinity;
  for (const id of ids) {
    const { width, height } = sizeOfId(id), own = width * height, last = groups.at(-1);
    if (last === undefined || last.length === AT_ONCE || pixels + own > MOST_AT_ONCE) groups.push([id]), pixels = own;
    else last.push(id), pixels += own;
  }
  return groups;
}

function problem(error: unknown): string {
  if (error instanceof RangeError) return error.message;
  throw error;
}

/** A cell as a list of messages, also where it is its JSON; null for another. */
function messagesOf(value: unknown): readonly unknown[] | null {
  const list = asMessages(typeof value === "string" && /^\s*\[\s*\{/.test(value) ? parsed(value) : value);
  return Array.isArray(list) && list.every(isObject) && list.length > 0 ? list : null;
}

function parsed(text: string): unknown {
  try {
    return jsonCell(text);
  } catch {
    return null; // a text that merely begins so
  }
}

const showsImage = (message: unknown) =>
  isObject(message) &&
  [message["content"], message["value"]].some((content) => Array.isArray(content) && content.some(isImagePart));
