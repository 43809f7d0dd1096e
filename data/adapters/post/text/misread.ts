/** Words as a picture's reader gives them, made whole again: a 1 for an l, a 0 for an o, a space within a name. @module */
import { nameInfo } from "../../intake/name_info.ts";

/** A figure within a word of small letters: no name has that. */
const WORD = /(?<![\w./=-])[A-Za-z]?[a-z]+[01][a-z]{2,}(?![\w/=([-]|\.\w)/g;
const LEAST = 5; // Characters of such a word: what is shorter may be a name ("r1v", "t0pp").
/** Words with a figure that mean it. */
const MEANT =
  /^(?:r1\w*|f1\w*|s1\w*|t0\w*|p[01]\w{0,2}|o1\w*|k1\w*|l[01]\w*|h1\w*|v[01]\w*|q[01]\w*|step[01]\w*|layer[01]\w*|phase[01]\w*|stage[01]\w*|top1\w*|pass1\w*)$/i;
/** A name that ends in the mark which joins its parts, and its other part. */
const SPLIT = /(?<![\w/*])([A-Za-z][A-Za-z\d]*(?:[_/][A-Za-z\d]+)*[_/]) ([A-Za-z][\w/]*)(?![\w/*])/g;

/** A line of prose without such mistakes. */
export function mendedWords(text: string): string {
  const whole = /[_/] [A-Za-z]/.test(text)
    ? text.replace(SPLIT, (split, first: string, rest: string) => {
      const name = first + rest, info = nameInfo(name);
      return info.mapped || info.isOption || first.endsWith("_") ? name : split;
    })
    : text;
  if (!/[a-z][01][a-z]/.test(whole)) return whole;
  return whole.replace(
    WORD,
    (word) => word.length < LEAST || MEANT.test(word) ? word : word.replace("1", "l").replace("0", "o"),
  );
}
