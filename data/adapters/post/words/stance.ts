/** Words that say how a clause is meant: not as a fact of this run, denied, of another run, for how long (stance.json). @module */
import STANCE_WORDS from "./stance.json" with { type: "json" };
import { wordsOf } from "./match.ts";

const words = (name: keyof typeof STANCE_WORDS): readonly [words: string, signs: string] => {
  const found = wordsOf(STANCE_WORDS[name]);
  return [found.words, found.signs ?? ""];
};

/** A guess, a wish, a condition, what others say: no statement of what this run does. */
export const NOT_STATED = words("not_stated");

/** Now and then: no statement of a run as a whole, but one of single peaks. */
export const RARELY = words("rarely");

/** A denial right before or after a predicate. */
export const DENIAL = words("denial");

/** Another run, another setting, another time: what is said there is not of the run that is reported. */
export const ELSEWHERE = words("elsewhere");

/** All along: what is said holds for the whole run. */
export const THROUGHOUT = words("throughout");
