/** Looks at the images of rows: how many, how large, which cannot be read, and a fair sample to show. @module */
import { cellOf } from "../datasets/cells.ts";
import type { PromptColumns } from "../datasets/conventions.ts";
import { asMessages, shownPrompt } from "../datasets/messages.ts";
import type { Row } from "../datasets/row_batch.ts";
import { placeInOrder } from "../datasets/split.ts";
import { sizeOfId } from "../images/image_id.ts";
import { ImageStore } from "../images/image_store.ts";
import { imagesIn, markedText } from "../datasets/prompt_images.ts";
import { Quantiles, type Spread } from "../statistics/mod.ts";
import { textOf } from "../tasks/rows/cell_text.ts";
import type { ImageFile } from "../tasks/rows/image_source.ts";
import { ImageProblem, RowImages } from "../tasks/rows/row_images.ts";
import type { Use } from "./used_for.ts";

export interface ImagesFound {
  readonly columns: readonly string[];
  readonly images: number;
  readonly rows: number;
  /** Rows whose images cannot be read, or are more or fewer than their places. */
  readonly unreadable: number;
  /** Pixels, after orientation. */
  readonly width: Spread;
  readonly height: Spread;
}

/** A row to show. */
export interface Picture {
  readonly place: string;
  readonly prompt: string;
  readonly answer: string;
  readonly images: readonly ImageFile[];
}

export class ImageSurvey {
  readonly #most: number;
  readonly #width = new Quantiles();
  readonly #height = new Quantiles();
  #images: RowImages | null = null;
  #found = { images: 0, rows: 0, unreadable: 0 };
  #sample: { readonly order: number; readonly picture: Picture }[] = [];
  #prompt: string | null = null;
  /** Where the file lies whose rows are read. */
  folder = "";

  /** `most` rows at most are kept to be shown. */
  constructor(most = 0) {
    this.#most = most;
  }

  /** The prompt of the row that was looked at last, with its images; null where it has none. */
  get prompt(): string | null {
    return this.#prompt;
  }

  /** Looks at a row of prompts; says what `load_prompts` would of its images, null where nothing. */
  add(row: Row, { step, options }: Use, place: string): string | null {
    this.#prompt = null;
    if (step !== "load_prompts") return null;
    const { image_column = [], prompt_column, answer_column, messages_column } = options as PromptColumns & {
      readonly image_column?: string | readonly string[];
    };
    // Nothing is put into it: only headers are looked at.
    const images = this.#images ??= new RowImages({ store: new ImageStore(""), columns: [image_column].flat() });
    images.folder = this.folder;
    const list = messages_column === undefined ? null : asMessages(cellOf(row, messages_column));
    const value = Array.isArray(list) ? list.slice(0, -1) : cellOf(row, messages_column ?? prompt_column!);
    const answer = Array.isArray(list)
      ? JSON.stringify(list.slice(-1))
      : textOf(cellOf(row, answer_column ?? "") ?? "");
    try {
      const prompt = this.#prompt = images.prompt(row, value);
      if (prompt !== null) this.#take(prompt, shownPrompt(answer), place, [...images.row.values()]);
      return null;
    } catch (error) {
      if (!(error instanceof ImageProblem)) throw error;
      this.#found.unreadable++;
      return error.message;
    }
  }

  #take(prompt: string, answer: string, place: string, images: readonly ImageFile[]): void {
    const ids = imagesIn(prompt);
    if (ids.length === 0) return;
    this.#found.rows++;
    this.#found.images += ids.length;
    for (const { width, height } of ids.map(sizeOfId)) {
      this.#width.add(width);
      this.#height.add(height);
    }
    const order = placeInOrder(prompt), last = this.#sample.at(-1);
    if (this.#most === 0 || (this.#sample.length === this.#most && order >= last!.order)) return;
    this.#sample.push({ order, picture: { place, prompt: markedText(prompt), answer, images } });
    this.#sample = this.#sample.sort((a, b) => a.order - b.order).slice(0, this.#most);
  }

  /** Null where no row has images. */
  end(): ImagesFound | null {
    if (this.#found.images + this.#found.unreadable === 0) return null;
    const none = { least: 0, median: 0, p95: 0, most: 0 },
      spread = (of: Quantiles) => this.#found.images > 0 ? of.end() : none;
    return { columns: this.#images!.columns, ...this.#found, width: spread(this.#width), height: spread(this.#height) };
  }

  /** Rows in an order that has nothing to do with the file's. */
  get pictures(): readonly Picture[] {
    return this.#sample.map(({ picture }) => picture);
  }
}
