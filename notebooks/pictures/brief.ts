/** What a completion says of an image, on one line for a terminal. @module */
import { judgedText } from "../../data/boxes/judged_text.ts";
import { readBoxes } from "../../data/boxes/read_boxes.ts";

/** Boxes that are written out; of more it is said how many. */
const MOST_WRITTEN = 4;

/**
 * The part of a text that is judged: boxes as `160,420,720,880 conf. 0.5`, else its words; all of a text that cannot be read.
 * What an answer has for its confidence, which is always 1, is left out with `sure`.
 */
export function briefText(text: string, { sure = false } = {}): string {
  const { boxes, problem } = readBoxes(text);
  if (boxes.length === 0 || problem !== null) return (judgedText(text) ?? text).trim() || text;
  const written = boxes.slice(0, MOST_WRITTEN).map(({ box, confidence }) =>
    box.join() + (confidence === null || sure ? "" : ` conf. ${confidence}`)
  );
  const more = boxes.length - written.length;
  return written.join("; ") + (more > 0 ? ` and ${more} more` : "");
}
