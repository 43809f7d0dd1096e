/** The part of a completion that Visual-RFT's rewards judge. @module */
import { strip } from "./python_text.ts";

const OPEN = "<answer>", CLOSE = "</answer>";

/**
 * What stands in the first answer tags within one line, trimmed; without such the whole text. The original's pattern
 * `<answer>(.*?)</answer>` has no DOTALL, so that an answer with a line end counts as without tags. Searched without
 * a pattern: 10⁵ tags that are not closed would take a pattern minutes.
 */
export function taggedAnswer(text: string): string {
  let close = -1, line = -1;
  for (let open = text.indexOf(OPEN); open >= 0; open = text.indexOf(OPEN, open + 1)) {
    const start = open + OPEN.length;
    if (close < start) close = text.indexOf(CLOSE, start);
    if (close < 0) break;
    if (line < start) line = text.indexOf("\n", start);
    if (line < 0 || line > close) return strip(text.slice(start, close));
  }
  return strip(text);
}
