/** Rules on images: that something reads those of prompts, and that the model says how they are cut. @module */
import { imagesIn } from "../../data/datasets/prompt_images.ts";
import { firstLineOf } from "../../data/error_text.ts";
import { NO_TOWER } from "../../gpu/models/vision/image_input.ts";
import { type PixelBounds, processorOf } from "../../steps/resources/prompt_images.ts";
import type { ModelFacts } from "./model_facts.ts";
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

/** A model with a tower is not loaded without a file that says how images are cut, and that fits the tower and the step. */
export function imagesCut({ model }: Facts): Report[] {
  if (model === null || model.config === null) return [];
  const { step, params: { min_pixels, max_pixels } } = model.loaded;
  const message = cutProblem(model, { min_pixels, max_pixels });
  if (message === null) return [];
  const bound = min_pixels === undefined ? "max_pixels" : "min_pixels", isOfStep = cutProblem(model, {}) === null;
  return [{ severity: "error", refuses: true, message, path: at(step, isOfStep ? bound : "model") }];
}

function cutProblem({ config, processor }: ModelFacts, bounds: PixelBounds): string | null {
  try {
    processorOf(config!, processor, bounds);
    return null;
  } catch (error) {
    return firstLineOf(error);
  }
}
