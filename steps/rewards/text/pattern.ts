/** A regular expression as a parameter. @module */
import { z } from "zod";

/** A text that compiles as a regular expression with the flags it will be used with. */
export function pattern(flags: string) {
  return z.string().min(1).superRefine((text, context) => {
    try {
      new RegExp(text, flags);
    } catch (error) {
      context.addIssue({ code: "custom", message: (error as Error).message });
    }
  });
}
