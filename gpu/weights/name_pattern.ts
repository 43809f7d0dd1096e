/** Patterns of parameter names, in which `*` is any characters: a stranger's workflow may hold one. @module */

/**
 * True where the whole name matches, in time of the product of both lengths at worst. No regular expression: with twenty
 * stars one may take longer than a life.
 */
export function matchesName(pattern: string, name: string): boolean {
  let at = 0, from = 0, star = -1, taken = 0;
  while (at < name.length) {
    if (pattern[from] === "*") [star, taken, from] = [from, at, from + 1];
    else if (pattern[from] === name[at]) [at, from] = [at + 1, from + 1];
    // The last star takes one character more; earlier ones need not change.
    else if (star >= 0) [from, taken, at] = [star + 1, taken + 1, taken + 1];
    else return false;
  }
  while (pattern[from] === "*") from++;
  return from === pattern.length;
}
