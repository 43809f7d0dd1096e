/** What tasks with pictures of digits have as columns and parameters of their own. @module */
import { z } from "zod";
import type { Column } from "../../columns.ts";
import type { Split } from "../../datasets/split.ts";

export const DIGIT_COLUMNS = {
  label: { type: "utf8", unit: "", about: "the digit that is asked for, 0 to 9" },
  writer: {
    type: "utf8",
    unit: "",
    about:
      "numbers of the forms that the picture's digits were written on, separated by commas; the split goes by them",
  },
} as const satisfies Record<string, Column>;

export const DRAWN_BY_SEED = z.int().min(0).max(2 ** 31).default(0);

const scenes = (split: string) => z.int().min(1).max(100_000).describe(`pictures to draw for ${split}`);

export const SCENE_PARAMS = {
  train_scenes: scenes("train").default(4000),
  validation_scenes: scenes("validation").default(200),
  held_out_scenes: scenes("held_out").default(200),
  seed: DRAWN_BY_SEED.describe("of what is in the scenes"),
};

/** Scenes of each split, as the parameters have them. */
export function sceneCounts(
  given: { readonly train_scenes: number; readonly validation_scenes: number; readonly held_out_scenes: number },
): readonly (readonly [Split, number])[] {
  return [["train", given.train_scenes], ["validation", given.validation_scenes], ["held_out", given.held_out_scenes]];
}
