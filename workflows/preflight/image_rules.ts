/** Rules on prompts with images: that something reads them. @module */
import { imagesIn } from "../../data/images/prompt_images.ts";
import { NO_TOWER } from "../../gpu/models/vision/image_input.ts";
import type { Facts } from "./facts.ts";
import { at, type Report } from "./finding.ts";

const hasImages = ({ prompts }: Facts) => prompts?.rows.some(({ prompt }) => imagesIn(prompt).length > 0) === true;

/** A model without a tower throws at the first prompt with an image. */
export function imagesRead(facts: Facts): Report[] {
  const { model } = facts;
  if (model === null || model.config === null || model.config.vision !== null || !hasImages(facts)) return [];
  const message = NO_TOWER.replace(/^Cannot read prompts with images: /, "the prompts have images and ");
  return [{ severity: "error", refuses: true, message, path: at(model.loaded.step, "model") }];
}
