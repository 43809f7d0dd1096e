/** Makes rows of annotations: one for each image and category that is asked of it. @module */
import { briefly } from "../../error_text.ts";
import type { Row } from "../row_batch.ts";
import { contentFraction, type Split, splitOf } from "../split.ts";
import type { Annotations } from "./annotations.ts";
import type { ImageRecord } from "./annotation_records.ts";
import { askedCategories } from "./asked_categories.ts";
import type { DetectionOptions, ImageSource } from "./detection_options.ts";
import { answerOf, promptOf, usualTemplate } from "./detection_texts.ts";

export interface DetectionRow {
  /** Cells by the names of `DETECTION_COLUMNS`; none where nothing can be asked. */
  readonly row: Row;
  /** What an error calls it. */
  readonly place: string;
  /** What is wrong with its annotations; null where nothing. */
  readonly problem: string | null;
}

/**
 * Rows image by image, in the order of the file, of each in the order of the categories, then those of categories that it
 * does not show. All rows of an image are in one split.
 *
 * Not asked are a category of which not every object is annotated, one of which only crowds are, and in train and
 * validation those that are held out. A box that cannot be read takes the whole row with it: without that box its answer
 * would be wrong. Throws RangeError as `askedCategories`.
 */
export function* detectionRows(
  annotations: Annotations,
  options: DetectionOptions,
  source: ImageSource,
): Generator<DetectionRow> {
  const { images, categories, isFederated, strays } = annotations,
    { negatives = 0, box_unit: unit = "thousandths" } = options;
  const asked = askedCategories(categories, options), placeOf = new Map(categories.map(({ id }, at) => [id, at]));
  const template = options.prompt_template ?? usualTemplate(unit);
  for (const problem of strays) yield { row: {}, place: "a stray annotation", problem };
  for (const [at, image] of images.entries()) {
    const split = splitOfImage(image, source), found = annotations.boxesOf(at), unfinished = new Set(image.unfinished);
    const isAsked = (category: number) =>
      asked.has(category) && (asked.get(category) === "base" || split === "held_out");
    const rowOf = (category: number, boxes: Parameters<typeof answerOf>[0], problem: string | null): DetectionRow => {
      const { name } = categories[category]!, { id, file, width, height } = image;
      return {
        row: {
          image: source.folder === "" ? file : `${source.folder}/${file}`,
          prompt: promptOf(template, name),
          answer: answerOf(boxes, image, unit),
          split,
          image_id: id,
          category: name,
          category_split: asked.get(category)!,
          width,
          height,
        },
        place: `"${briefly(name)}" in image ${id}`,
        problem,
      };
    };
    for (const [category, { boxes, problem }] of [...found].sort(([a], [b]) => a - b)) {
      if (!isAsked(category) || unfinished.has(categories[category]!.id)) continue;
      if (boxes.length > 0 || problem !== null) yield rowOf(category, boxes, problem);
    }
    if (negatives === 0) continue;
    const absent = isFederated ? [...new Set(image.absent)].flatMap((id) => placeOf.get(id) ?? []) : [...asked.keys()];
    const free = absent.filter((category) => isAsked(category) && !found.has(category));
    for (const category of drawn(free, negatives, image.id, (one) => categories[one]!.name)) {
      yield rowOf(category, [], null);
    }
  }
}

function splitOfImage({ id }: ImageRecord, { split, fractions }: ImageSource): Split {
  return split === null || split === "train" ? splitOf(`image ${id}`, fractions) : split;
}

/** Some of them, by a hash of image and name: the same whatever else is asked before them, and in every run. */
function drawn(free: readonly number[], count: number, image: number, nameOf: (one: number) => string): number[] {
  const keyed = free.map((one) => [contentFraction(`absent ${image} ${nameOf(one)}`), one] as const);
  return keyed.sort(([a, first], [b, second]) => a - b || first - second).slice(0, count).map(([, one]) => one);
}
