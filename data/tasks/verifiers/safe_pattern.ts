/**
 * Whether a regular expression of a stranger's ends soon on any text, by its shape alone: JavaScript's, as JSON schemas
 * have them, on completions of any length. Python's, on names of modules, are judged in data/python_pattern.ts: those
 * texts are short, and more of a pattern can be allowed there.
 * @module
 */

/** Steps that a pattern may take on one text. */
const MOST_STEPS = 1e7;

/**
 * The longest text that a pattern may be tried on, in characters; null for one that may take for ever: a repetition, an
 * alternative or a back reference within a repetition, such as (a+)+ or (a|a)*. Of k repetitions one after the other
 * each may try every place: characters to the power of k are bounded; each optional part doubles the steps.
 */
export function longestText(pattern: string): number | null {
  let repetitions = 0, ways = 1, inClass = false;
  const groups: { risky: boolean }[] = [{ risky: false }];
  for (let at = 0; at < pattern.length; at++) {
    const char = pattern[at]!;
    if (char === "\\") {
      if (!inClass && /[1-9k]/.test(pattern[at + 1] ?? "")) return null;
      at++;
    } else if (inClass) inClass = char !== "]";
    else if (char === "[") inClass = true;
    else if (char === "(") groups.push({ risky: false });
    else if (char === "|" || (char === "?" && !/[(*+?}]/.test(pattern[at - 1] ?? "("))) {
      groups.at(-1)!.risky = true;
      if (char === "?") ways *= 2;
    } else if (char === ")") {
      const { risky } = groups.pop()!, repeated = repetitionAt(pattern, at + 1);
      if (groups.length === 0 || (repeated && risky)) return null;
      if (risky) groups.at(-1)!.risky = true;
    } else if (repetitionAt(pattern, at)) {
      repetitions++;
      groups.at(-1)!.risky = true;
    }
  }
  // A repeated group counts as its own repetition; the search may begin at every place.
  return Math.floor((MOST_STEPS / ways) ** (1 / (repetitions + 1)));
}

/** A `*`, `+` or `{n,m}` that may repeat more than once. */
function repetitionAt(pattern: string, at: number): boolean {
  const char = pattern[at];
  if (char === "*" || char === "+") return true;
  const counts = char === "{" ? /^\{(\d+)(,(\d*))?\}/.exec(pattern.slice(at, at + 30)) : null;
  return counts !== null && (counts[2] === "," || Number(counts[3] ?? counts[1]) > 1);
}
