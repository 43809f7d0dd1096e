/** What is asked of annotated images: which categories, of which images, in which words. @module */
import type { BoxUnit } from "../../images/boxes.ts";
import type { Split, SplitFractions } from "../split.ts";

/** How often a category of LVIS occurs in its train images: rarely (up to 10), commonly (up to 100), frequently. */
export const FREQUENCIES = ["r", "c", "f"] as const;
export type Frequency = (typeof FREQUENCIES)[number];

export interface DetectionOptions {
  /** Names of the categories that are asked; all by default. */
  readonly categories?: readonly string[] | undefined;
  /** Categories that are asked of held-out images alone, beside those of `categories`. */
  readonly held_out_categories?: readonly string[] | undefined;
  /** Asked are only categories that are so frequent; LVIS says it. */
  readonly frequency?: readonly Frequency[] | undefined;
  /** Categories that are so frequent are asked of held-out images alone. */
  readonly held_out_frequency?: readonly Frequency[] | undefined;
  /** Categories that are asked of each image though it shows none of them. */
  readonly negatives?: number;
  /** In which coordinates answers are; thousandths by default. */
  readonly box_unit?: BoxUnit;
  /** `{category}` in it is the category's name; a text of ours by default. */
  readonly prompt_template?: string | undefined;
}

/** Where the images of a file lie, and how they get their splits: a file of one split gives it, else a hash decides. */
export interface ImageSource {
  /** Of the file in its data set's folder: its images lie beside it, or in the same one below the folder of images. */
  readonly folder: string;
  readonly split: Split | null;
  readonly fractions: SplitFractions;
}

/** Columns of the rows that annotations become. */
export const DETECTION_COLUMNS = [
  "image",
  "prompt",
  "answer",
  "split",
  "image_id",
  "category",
  "category_split",
  "width",
  "height",
] as const;

/** Those that hold images: known before there are rows to be looked at. */
export const OF_IMAGES: readonly (typeof DETECTION_COLUMNS)[number][] = ["image"];
