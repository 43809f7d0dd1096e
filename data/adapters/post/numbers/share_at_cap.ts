/** A `clip_ratio` right behind a length is the share of completions that were cut at the cap, and none of clipped tokens. @module */
import { type Mention, mentionsIn } from "../mentions.ts";

const CLIP_RATIO = /^clip(?:ped)?_ratio$/i;
const BEFORE = 80; // Characters between the two.

/** The mentions of a clause, with such a one as what verl prints as `response_length/clip_ratio`. */
export function shareAtCap(mentions: readonly Mention[], text: string, sentence: string): readonly Mention[] {
  return mentions.map((one, i) => {
    if (one.subject !== "clip_fraction" || !CLIP_RATIO.test(text.slice(one.at, one.end))) return one;
    const at = sentence.indexOf(text) + one.at;
    const last = mentions[i - 1] ?? mentionsIn(sentence.slice(Math.max(0, at - BEFORE), at)).at(-1);
    return last?.subject === "completion_length"
      ? { ...one, subject: "truncation", name: "response_length/clip_ratio" }
      : one;
  });
}
