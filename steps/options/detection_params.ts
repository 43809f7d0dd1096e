/** The option `detection`: what is asked of annotated images. @module */
import { z } from "zod";
import { FREQUENCIES } from "../../data/datasets/detection/detection_options.ts";
import { CATEGORY_MARK } from "../../data/datasets/detection/detection_texts.ts";
import { BOX_UNITS } from "../../data/images/boxes.ts";

const names = z.array(z.string().min(1)).min(1);
const frequencies = z.array(z.enum(FREQUENCIES)).min(1);

export const detection = z.strictObject({
  categories: names.optional().describe("names of the categories that are asked; left out, all"),
  held_out_categories: names.optional().describe(
    "categories that are asked of held-out images alone, beside those of categories",
  ),
  frequency: frequencies.optional().describe(
    "only categories that are so frequent in LVIS: r (rare), c (common), f (frequent)",
  ),
  held_out_frequency: frequencies.optional().describe(
    "categories that are so frequent in LVIS are asked of held-out images alone, e.g. [r]",
  ),
  negatives: z.int().min(0).max(1000).default(0).describe(
    "categories that are asked of each image though it shows none of them, whose answer is No Objects; of LVIS only " +
      "those that it names as not shown",
  ),
  box_unit: z.enum(BOX_UNITS).default("thousandths").describe(
    "coordinates of the answers: thousandths of width and height, or pixels of the image; whole numbers",
  ),
  prompt_template: z.string().min(1).refine((text) => text.includes(CATEGORY_MARK), `it has no ${CATEGORY_MARK}`)
    .optional().describe(
      "the prompt, in which {category} is the category's name; left out, one that says the answer's form",
    ),
}).optional().describe(
  "file: of annotations in the format of COCO or LVIS, one .json with images, annotations and categories: what is asked; " +
    "left out, every category of the images that show it",
);
