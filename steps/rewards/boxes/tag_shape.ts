/** The shape of a completion that reasons, then answers. @module */

/**
 * True of one reasoning block, where `think` wants it, and one answer block, in this order, neither of them blank, with
 * nothing but white space around them and no further such tag. In time proportional to the text.
 */
export function hasTagShape(text: string, think: boolean): boolean {
  const tags = think ? ["<think>", "</think>", "<answer>", "</answer>"] : ["<answer>", "</answer>"];
  // What lies before, between and behind the tags: white space outside of blocks, more than that inside.
  let at = 0;
  for (const [i, tag] of tags.entries()) {
    const next = text.indexOf(tag, at);
    if (next < 0) return false;
    const isInside = i % 2 === 1, isBlank = text.slice(at, next).trim() === "";
    if (isInside === isBlank) return false;
    at = next + tag.length;
  }
  return text.slice(at).trim() === "" && (text.match(/<\/?(?:think|answer)>/g) ?? []).length === tags.length;
}
