/** What tasks whose prompts are drawn have among their parameters. @module */
import { z } from "zod";

export const DRAWN_PROMPTS = z.int().min(1).max(1_000_000).default(10_000)
  .describe("prompts to draw, all splits together");

/** Parameters whose shortest length is not above the longest. */
export function lengthsInOrder<Params extends z.ZodType<{ min_length: number; max_length: number }>>(params: Params) {
  return params.refine(({ min_length, max_length }) => min_length <= max_length, {
    path: ["min_length"],
    message: "min_length is above max_length",
  });
}
