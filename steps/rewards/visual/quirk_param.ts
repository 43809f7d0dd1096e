/** The option of Visual-RFT's rewards that reproduces what its program does, mistakes included. @module */
import { z } from "zod";

export const quirk = z.boolean().default(false).describe(
  "exactly as Visual-RFT computes it: equal numbers picked out by Math-Verify earn 1 whatever the boxes are",
);
