/** Reads annotations of images in COCO's format, or LVIS's, and holds what boxes are asked by. @module */
import type { Box } from "../../boxes/iou.ts";
import { briefly } from "../../error_text.ts";
import { isObject } from "../cells.ts";
import { LIMITS } from "../limits.ts";
import { listsOfFile } from "../lists_of_file.ts";
import { pixelBox, shownValue } from "./annotated_box.ts";
import { categoryOf, type ImageCategory, imageOf, type ImageRecord, isId } from "./annotation_records.ts";

/** Annotations that are held: those of LVIS are 1.3 million, at some 100 bytes each. */
const MOST_ANNOTATIONS = 10e6;
const NUMBERS = 4;

/** The boxes of an image, by the place of their category. */
interface ImageBoxes {
  /** Those of its objects that stand alone, in the order of the file. */
  readonly boxes: readonly Box[];
  /** What is wrong with one of them, with its name; null where nothing. */
  readonly problem: string | null;
}

export interface Annotations {
  readonly images: readonly ImageRecord[];
  readonly categories: readonly ImageCategory[];
  /** Whether images say themselves which categories they are known not to show, as LVIS's do. */
  readonly isFederated: boolean;
  /** What is wrong with annotations of which nothing says to which image and category they belong. */
  readonly strays: readonly string[];
  /** Of the image at that place; a category of which only crowds are marked has no boxes. */
  boxesOf(image: number): ReadonlyMap<number, ImageBoxes>;
}

/**
 * Throws SyntaxError or RangeError, as the end of a sentence about the file, for one that is broken, has no images,
 * annotations or categories, or whose images or categories cannot be told apart.
 */
export async function readAnnotations(path: string): Promise<Annotations> {
  const reader = new Reader();
  for await (const { key, items, first } of listsOfFile(path)) {
    if (key === "images" || key === "annotations" || key === "categories") {
      if (items === null) throw new SyntaxError(`its "${key}" is no list`);
      reader.add(key, items, first);
    }
  }
  return reader.end();
}

type List = "images" | "annotations" | "categories";

class Reader {
  readonly #seen = new Set<List>();
  readonly #images: ImageRecord[] = [];
  readonly #categories: ImageCategory[] = [];
  /** Four numbers a box; NaN where it is no box. */
  readonly #boxes: number[] = [];
  readonly #imageIds: number[] = [];
  readonly #categoryIds: number[] = [];
  readonly #ids: number[] = [];
  readonly #crowds = new Set<number>();
  /** By the place of the annotation. */
  readonly #problems = new Map<number, string>();
  readonly #known = new Set<number>();

  add(list: List, items: readonly unknown[], first: number): void {
    this.#seen.add(list);
    if (list === "annotations") items.forEach((item, i) => this.#annotation(item, first + i));
    else if (list === "images") {
      for (const [i, item] of items.entries()) {
        this.#images.push(imageOf(item, first + i));
      }
    } else for (const [i, item] of items.entries()) this.#categories.push(categoryOf(item, first + i));
    if (this.#images.length > LIMITS.rows) throw new RangeError(`it has more than ${LIMITS.rows} images`);
    if (this.#categories.length > LIMITS.columns) {
      throw new RangeError(`it has more than ${LIMITS.columns} categories`);
    }
    if (this.#ids.length > MOST_ANNOTATIONS) throw new RangeError(`it has more than ${MOST_ANNOTATIONS} annotations`);
  }

  #annotation(item: unknown, place: number): void {
    const at = this.#ids.length, own = isObject(item) ? item : {};
    const id = own["id"], crowd = own["iscrowd"], box = own["bbox"];
    const name = isId(id) ? `annotation ${id}` : `item ${place} of "annotations"`;
    const bad = (problem: string) => this.#problems.set(at, `${name} ${problem}`);
    if (!isObject(item)) bad(`is ${shownValue(item)}, want an object`);
    else if (!isId(id)) bad(`has id ${shownValue(id)}, want a whole number`);
    else if (this.#known.has(id)) bad("has the id of one before it");
    else if (![undefined, 0, 1, false, true].includes(crowd as number | undefined)) {
      bad(`has iscrowd ${shownValue(crowd)}, want 0 or 1`);
    }
    if (crowd === 1 || crowd === true) this.#crowds.add(at);
    if (isId(id)) this.#known.add(id);
    const isBox = Array.isArray(box) && box.length === NUMBERS && box.every(Number.isFinite);
    if (!isBox && !this.#crowds.has(at) && !this.#problems.has(at)) {
      bad(box === undefined ? "has no bbox" : `has bbox ${shownValue(box)}, want [x, y, width, height] in pixels`);
    }
    for (let i = 0; i < NUMBERS; i++) this.#boxes.push(isBox ? box[i] as number : NaN);
    const idOf = (key: string) => isId(own[key]) ? own[key] as number : NaN;
    if (isObject(item)) {
      for (const key of ["image_id", "category_id"]) {
        if (!isId(own[key])) bad(`has ${key} ${shownValue(own[key])}, want a whole number`);
      }
    }
    this.#imageIds.push(idOf("image_id"));
    this.#categoryIds.push(idOf("category_id"));
    this.#ids.push(isId(id) ? id : NaN);
  }

  end(): Annotations {
    for (const list of ["images", "annotations", "categories"] as const) {
      if (!this.#seen.has(list)) {
        throw new SyntaxError(
          `it has no "${list}", want the images, annotations and categories of COCO's instances or of LVIS`,
        );
      }
    }
    if (this.#categories.length === 0) throw new SyntaxError('its "categories" are none, want one at least');
    const imageAt = places(this.#images.map(({ id }) => id), (id) => `image ${id} is in it twice`);
    const categoryAt = places(this.#categories.map(({ id }) => id), (id) => `category ${id} is in it twice`);
    places(this.#images.map(({ file }) => file), (file) => `two of its images are ${briefly(file)}`);
    places(
      this.#categories.map(({ name }) => name),
      (name) => `two of its categories are called "${briefly(name)}"; rename one`,
    );
    const strays: string[] = [], known = new Map<number, number[]>();
    this.#ids.forEach((id, at) => {
      const image = imageAt.get(this.#imageIds[at]!), category = categoryAt.get(this.#categoryIds[at]!);
      if (image !== undefined && category !== undefined) {
        const own = known.get(image);
        own ? own.push(at) : known.set(image, [at]);
        return;
      }
      const [what, unknown] = image === undefined
        ? ["image_id", this.#imageIds[at]]
        : ["category_id", this.#categoryIds[at]];
      strays.push(this.#problems.get(at) ?? `annotation ${id} has ${what} ${unknown}, which is none of the file's`);
    });
    return {
      images: this.#images,
      categories: this.#categories,
      isFederated: this.#images.some(({ absent }) => absent !== null),
      strays,
      boxesOf: (image) => this.#boxesOf(known.get(image) ?? [], this.#images[image]!, categoryAt),
    };
  }

  #boxesOf(
    annotations: readonly number[],
    image: ImageRecord,
    categoryAt: ReadonlyMap<number, number>,
  ): ReadonlyMap<number, ImageBoxes> {
    const found = new Map<number, { readonly boxes: Box[]; problem: string | null }>();
    for (const at of annotations) {
      const category = categoryAt.get(this.#categoryIds[at]!)!;
      if (!found.has(category)) found.set(category, { boxes: [], problem: null });
      const own = found.get(category)!, problem = this.#problems.get(at);
      if (problem !== undefined) own.problem ??= problem;
      else if (!this.#crowds.has(at)) {
        const box = pixelBox(this.#boxes.slice(NUMBERS * at, NUMBERS * (at + 1)), image);
        if (typeof box === "string") own.problem ??= `annotation ${this.#ids[at]} ${box}`;
        else own.boxes.push(box);
      }
    }
    return found;
  }
}

/** Where each value stands. Throws SyntaxError for one that is there twice. */
function places<Value>(values: readonly Value[], twice: (value: Value) => string): ReadonlyMap<Value, number> {
  const found = new Map<Value, number>();
  values.forEach((value, at) => {
    if (found.has(value)) throw new SyntaxError(twice(value));
    found.set(value, at);
  });
  return found;
}
