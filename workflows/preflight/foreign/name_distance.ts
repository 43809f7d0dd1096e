/** Whether a word is another one with one letter wrong. @module */

/** One letter too many, missing, other, or two neighbours swapped; numbers at the end are versions, not typos. */
export function isTypo(word: string, known: string): boolean {
  if (word === known || Math.abs(word.length - known.length) > 1) return false;
  let start = 0;
  while (start < word.length && word[start] === known[start]) start++;
  const [rest, other] = [word.slice(start), known.slice(start)];
  if (/^\d*$/.test(rest) && /^\d*$/.test(other)) return false;
  if (rest + other === "s") return false; // a plural
  const isSwap = rest.length === other.length && rest[0] === other[1] && rest[1] === other[0] &&
    rest.slice(2) === other.slice(2);
  return isSwap || rest.slice(1) === other.slice(1) || rest.slice(1) === other || rest === other.slice(1);
}
