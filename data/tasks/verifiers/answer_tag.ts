/** Finds the answer inside tags, where a completion explains itself first. @module */

/** The text between the last opening tag and its closing tag, or null; without a tag the whole text. */
export function answerText(text: string, tag: string | undefined): string | null {
  if (tag === undefined) return text;
  const open = `<${tag}>`, close = `</${tag}>`;
  const end = text.lastIndexOf(close);
  const start = end < 0 ? -1 : text.lastIndexOf(open, end);
  return start < 0 ? null : text.slice(start + open.length, end);
}
