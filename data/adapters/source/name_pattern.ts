/** Patterns of file names as a shell has them: `*`, `?`, `[a-z]`, `[!a-z]`. @module */

type Fits = (character: string) => boolean;
const ANY: Fits = () => true;
/** A bracket that closes; the first character may be `]`. */
const BRACKET = /^\[([!^]?)(\]?[^\]]*)\]/u;

/** Does a name fit the pattern? A bracket that does not close is itself, a range that runs backwards holds nothing. */
export function namePattern(pattern: string): (name: string) => boolean {
  const parts = partsOf(pattern);
  return (name) => fits(Array.from(name), parts);
}

/** What each character must be; null for `*`. */
function partsOf(pattern: string): (Fits | null)[] {
  const parts: (Fits | null)[] = [];
  for (let rest = pattern; rest !== "";) {
    const bracket = BRACKET.exec(rest), character = String.fromCodePoint(rest.codePointAt(0)!);
    if (bracket !== null && bracket[2] !== "") parts.push(oneOf(bracket[2]!, bracket[1] !== ""));
    else if (character === "*") parts.push(null);
    else parts.push(character === "?" ? ANY : (other) => other === character);
    rest = rest.slice(bracket !== null && bracket[2] !== "" ? bracket[0].length : character.length);
  }
  return parts;
}

function oneOf(set: string, without: boolean): Fits {
  const characters = Array.from(set), ranges: (readonly [from: string, to: string])[] = [];
  for (let i = 0; i < characters.length; i++) {
    const isRange = characters[i + 1] === "-" && i + 2 < characters.length;
    ranges.push([characters[i]!, characters[isRange ? i + 2 : i]!]);
    if (isRange) i += 2;
  }
  return (character) => ranges.some(([from, to]) => from <= character && character <= to) !== without;
}

/** Only the last `*` is tried again with more, so that many of them cost no more than one. */
function fits(name: readonly string[], parts: readonly (Fits | null)[]): boolean {
  let at = 0, part = 0, star = -1, from = 0;
  while (at < name.length) {
    const now = parts[part];
    if (now === null) [star, from] = [part++, at];
    else if (now?.(name[at]!)) [at, part] = [at + 1, part + 1];
    else if (star >= 0) [at, part] = [++from, star + 1];
    else return false;
  }
  return parts.slice(part).every((left) => left === null);
}
