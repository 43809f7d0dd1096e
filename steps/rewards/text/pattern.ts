/** A regular expression as a parameter. @module */
import { fromFileUrl } from "@deno/std/path/from_file_url.js";
import { z } from "zod";

/** The file that tries a person's pattern on completions, in the sandbox. */
export const MATCHES = fromFileUrl(new URL("./matches.ts", import.meta.url)) as string;

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
