/** The part of a completion that is judged, where it may reason before it answers. @module */

const OPEN = "<answer>", CLOSE = "</answer>", THOUGHT = "</think>";

/**
 * What stands in the last answer tags, trimmed, line ends and all; without such tags what follows the reasoning, or the
 * whole text. Null where the last answer is not closed: the completion was cut off, or never ends.
 */
export function judgedText(text: string): string | null {
  const open = text.lastIndexOf(OPEN);
  if (open < 0) {
    const thought = text.lastIndexOf(THOUGHT);
    return text.slice(thought < 0 ? 0 : thought + THOUGHT.length).trim();
  }
  const start = open + OPEN.length, end = text.indexOf(CLOSE, start);
  return end < 0 ? null : text.slice(start, end).trim();
}
