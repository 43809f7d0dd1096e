/** Decides which categories of annotations are asked, and of which of them of held-out images alone. @module */
import { briefly } from "../../error_text.ts";
import { didYouMean } from "../../did_you_mean.ts";
import type { ImageCategory } from "./annotation_records.ts";
import type { DetectionOptions, Frequency } from "./detection_options.ts";

/** By the place of a category: whether it is asked of all images (base) or of held-out ones alone (novel). */
type AskedCategories = ReadonlyMap<number, "base" | "novel">;

/**
 * The categories in the order of the file. Throws RangeError, as the end of a sentence about the file, for a name that
 * it does not have, a frequency that it does not say, and where none is left.
 */
export function askedCategories(categories: readonly ImageCategory[], options: DetectionOptions): AskedCategories {
  const { frequency, held_out_frequency = [], categories: names, held_out_categories = [] } = options;
  const base = names && new Set(namesOf(categories, names, "categories"));
  const novel = new Set(namesOf(categories, held_out_categories, "held_out_categories"));
  const wanted = [...frequency ?? [], ...held_out_frequency];
  if (wanted.length > 0 && categories.some((one) => one.frequency === null)) {
    throw new RangeError(
      "its categories have no frequency, as LVIS's have; leave out frequency and held_out_frequency",
    );
  }
  const isOf = (list: readonly Frequency[], one: ImageCategory) => list.includes(one.frequency!);
  const asked = new Map<number, "base" | "novel">();
  categories.forEach((one, at) => {
    const isNovel = novel.has(one.name) || (isOf(held_out_frequency, one) && (base?.has(one.name) ?? true));
    if (isNovel) asked.set(at, "novel");
    else if ((base?.has(one.name) ?? true) && (frequency === undefined || isOf(frequency, one))) asked.set(at, "base");
  });
  if (asked.size === 0) throw new RangeError(`none of its ${categories.length} categories is asked`);
  return asked;
}

function namesOf(categories: readonly ImageCategory[], names: readonly string[], option: string): readonly string[] {
  const known = categories.map(({ name }) => name), all = new Set(known);
  for (const name of names) {
    if (all.has(name)) continue;
    const same = categories.find(({ synonyms }) => synonyms.includes(name))?.name;
    const hint = same === undefined ? didYouMean(name, known) : `; it calls it "${briefly(same)}"`;
    throw new RangeError(`it has no category "${briefly(name)}" (option detection.${option})${hint}`);
  }
  return names;
}
