/** Finds the letters of choices that a text says are wrong: "(A) is incorrect", "not B". @module */

const WRONG =
  "(?:is|was|are|can|cannot|could|seems?|looks?)?(?:\\s*n['’]t)?\\s*(?:not|no|never|wrong|false|incorrect|maybe|perhaps|the wrong|the incorrect|be (?:ruled|eliminated|excluded)|ruled|or (?:possibly |maybe )?not)\\b";
const BEFORE =
  "\\b(?:not|n['’]t|never|neither|nor|but|except|eliminate|exclude|reject|doubt|doubtful|unlikely|if|than|without|maybe|perhaps|possibly)\\b|n['’]t\\b";

/** Letters, in capitals, that the text denies or doubts. What is not certain counts as denied. */
export function deniedLetters(text: string, letters: string): Set<string> {
  const one = `[(\\[*$]*(?:\\\\boxed\\{)?\\(?([${letters}])\\b[)\\]*}$]*`, found = new Set<string>();
  const patterns = [
    new RegExp(`${one}[,\\s]*${WRONG}|${one}[,\\s]*(?:is|was)n['’]t\\b|(?<=\\b)${one}\\s*\\?`, "g"),
    new RegExp(`(?:${BEFORE})[^.;!?\\n,]{0,60}?(?<![A-Za-z])${one}`, "g"),
  ];
  for (const pattern of patterns) {
    for (const match of text.replaceAll(/\b[A-Z][a-z]+/g, (word) => word.toLowerCase()).matchAll(pattern)) {
      for (const letter of match.slice(1)) if (letter) found.add(letter.toUpperCase());
    }
  }
  return found;
}
