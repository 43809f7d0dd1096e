/** Reads one image and one category of annotations, in COCO's form or in LVIS's. @module */
import { isObject } from "../cells.ts";
import { shownValue } from "./annotated_box.ts";
import { FREQUENCIES, type Frequency } from "./detection_options.ts";

export interface ImageRecord {
  readonly id: number;
  /** Path relative to the folder of images, with "/". */
  readonly file: string;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  /** Ids of categories that it is known not to show; null where only the lack of annotations says so. */
  readonly absent: readonly number[] | null;
  /** Ids of categories of which not every object is annotated. */
  readonly unfinished: readonly number[];
}

export interface ImageCategory {
  readonly id: number;
  readonly name: string;
  readonly frequency: Frequency | null;
  /** LVIS's other words for it. */
  readonly synonyms: readonly string[];
}

export const isId = (value: unknown): value is number => Number.isSafeInteger(value);

/** Throws SyntaxError, as the end of a sentence about the file. */
export function imageOf(item: unknown, place: number): ImageRecord {
  const { own, id, fail } = recordOf(item, "images", "image", place), { width, height } = own;
  if (!isSide(width) || !isSide(height)) {
    fail(`is ${shownValue(width)} × ${shownValue(height)} (width, height), want pixels, whole numbers above 0`);
  }
  const absent = own["neg_category_ids"], unfinished = own["not_exhaustive_category_ids"];
  return {
    id,
    file: fileOf(own, fail),
    width: width as number,
    height: height as number,
    absent: absent === undefined ? null : idsOf(absent, "neg_category_ids", fail),
    unfinished: unfinished === undefined ? [] : idsOf(unfinished, "not_exhaustive_category_ids", fail),
  };
}

/** Throws SyntaxError, as the end of a sentence about the file. */
export function categoryOf(item: unknown, place: number): ImageCategory {
  const { own, id, fail } = recordOf(item, "categories", "category", place), { name, frequency, synonyms = [] } = own;
  if (typeof name !== "string" || name.trim() === "" || !name.isWellFormed()) {
    return fail(`has name ${shownValue(name)}, want a text`);
  }
  const known = FREQUENCIES.find((one) => one === frequency);
  if (frequency !== undefined && known === undefined) {
    fail(`has frequency ${shownValue(frequency)}, want one of ${FREQUENCIES.join(", ")}`);
  }
  if (!Array.isArray(synonyms) || !synonyms.every((one) => typeof one === "string")) {
    return fail(`has synonyms ${shownValue(synonyms)}, want a list of texts`);
  }
  return { id, name, frequency: known ?? null, synonyms };
}

type Fail = (problem: string) => never;

function recordOf(item: unknown, list: string, thing: string, place: number) {
  const at = `item ${place} of "${list}"`;
  const failAs = (name: string): Fail => (problem) => {
    throw new SyntaxError(`${name} ${problem}`);
  };
  if (!isObject(item)) return failAs(at)(`is ${shownValue(item)}, want an object`);
  const { id } = item;
  if (!isId(id)) return failAs(at)(`has id ${shownValue(id)}, want a whole number`);
  return { own: item, id, fail: failAs(`${thing} ${id}`) };
}

const isSide = (value: unknown) => isId(value) && value > 0;

/** LVIS has no names: the address at COCO ends in the folder and the name. */
function fileOf({ file_name, coco_url }: Readonly<Record<string, unknown>>, fail: Fail): string {
  const name = file_name ?? (typeof coco_url === "string" ? coco_url.split("/").slice(-2).join("/") : coco_url);
  if (typeof name !== "string" || name.trim() === "" || !name.isWellFormed()) {
    return fail(`has file_name ${shownValue(file_name)} and coco_url ${shownValue(coco_url)}, want a text in one`);
  }
  const parts = name.split(/[/\\]/);
  if (/^[/\\]|^[a-z]+:/i.test(name) || parts.includes("..") || name.includes("\0")) {
    return fail(`has file_name ${shownValue(name)}, want a path below the folder of images`);
  }
  return name;
}

function idsOf(value: unknown, key: string, fail: Fail): readonly number[] {
  return Array.isArray(value) && value.every(isId)
    ? value
    : fail(`has ${key} ${shownValue(value)}, want a list of categories' ids`);
}
