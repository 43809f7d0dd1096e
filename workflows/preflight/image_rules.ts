/** Rules on images: that something reads those of prompts, and how they are cut. @module */
import { imagesIn } from "../../data/images/prompt_images.ts";
import { NO_TOWER } from "../../gpu/models/vision/image_input.ts";
import type { Facts } from "./facts.ts";
import { processorOf } from "../../steps/resources/prompt_images.ts";
import { toldMessage } from "../terminal/told.ts";
import { at, type Report } from "./finding.ts";

const hasImages = ({ prompts }: Facts) => prompts?.rows.some(({ prompt }) => imagesIn(prompt).length > 0) === true;

/** A model without a tower throws at the first prompt with an image. */
export function imagesRead(facts: Facts): Report[] {
  const { model } = facts;
  if (model === null || model.config === null || model.config.vision !== null || !hasImages(facts)) return [];
  const message = NO_TOWER.replace(/^Cannot read prompts with images: /, "the prompts have images and ");
  return [{ severity: "error", refuses: true, message, path: at(model.loaded.step, "model") }];
}

/** What the folder says of images fits the tower, and the bounds of the step fit what it says. */
export function imageBounds({ model }: Facts): Report[] {
  if (model === null || model.config === null || model.problem !== null) return [];
  const { step, params } = model.loaded;
  try {
    processorOf(model.config, model.processor, params);
    return [];
  } catch (error) {
    const option = (["min_pixels", "max_pixels"] as const).find((name) => params[name] !== undefined);
    return [{ severity: "error", refuses: true, message: toldMessage(error), path: at(step, option ?? "model") }];
  }
}
