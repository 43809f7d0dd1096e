/** Finds the answer inside tags, where a completion explains itself first. @module */
import { z } from "zod";

/** The parameter that rewards share. */
export const answerTag = z.string().regex(/^[A-Za-z][\w-]*$/).optional().describe(
  "judge only the text between the last <tag> and </tag> of this name; a completion without it is wrong",
);

/** The text between the last opening tag and its closing tag, or null; without a tag the whole text. */
export function answerText(text: string, tag: string | undefined): string | null {
  if (tag === undefined) return text;
  const open = `<${tag}>`, close = `</${tag}>`;
  const end = text.lastIndexOf(close);
  const start = end < 0 ? -1 : text.lastIndexOf(open, end);
  return start < 0 ? null : text.slice(start + open.length, end);
}
