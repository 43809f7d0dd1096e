/**
 * Regular expressions as Python's `re` has them, where a name is to be matched: a configuration may be a stranger's, so one
 * that could take longer than a life is refused.
 *
 * tasks/verifiers/safe_pattern.ts judges patterns too, otherwise: those are JavaScript's, are tried on completions of any
 * length, and get a length up to which they are. Here the texts are names of modules, of which a pattern takes a few
 * repetitions and choices at any length that a name has; a pattern is good or not.
 * @module
 */

const MOST_LENGTH = 400;
/** Repetitions of one alternative of the whole: names are short, and each may take their length more often. */
const MOST_REPEATS = 4;
/** Ways through the optional parts and the choices of the whole: each of them may be tried. */
const MOST_WAYS = 4096;

/** Of Python's syntax what JavaScript writes otherwise. */
const OTHERWISE: readonly (readonly [RegExp, string])[] = [
  [/\(\?P</g, "(?<"],
  [/\\A/g, "^"],
  [/\\Z/g, "$"],
  [/\{,(\d+)\}/g, "{0,$1}"],
];

/** What keeps a text from being such a pattern, as the end of a sentence; null where it is one. */
export function patternProblem(pattern: string): string | null {
  const plain = pattern.replace(/\\.|\[(?:\\.|[^\]\\])*\]/g, "x");
  if (pattern.length > MOST_LENGTH) return `it has ${pattern.length} characters, want at most ${MOST_LENGTH}`;
  const most = Math.max(...alternatives(plain).map((text) => (text.match(/[*+{]/g) ?? []).length));
  if (most > MOST_REPEATS) return `it repeats more than ${MOST_REPEATS} times; give a list of names`;
  if (ways(pattern) > MOST_WAYS) {
    return `its optional parts and choices can be taken in more than ${MOST_WAYS} ways; give a list of names`;
  }
  if (/[*+?}|][^()]*\)[*+{]/.test(plain) || /\)[^()]*\)[*+{]/.test(plain)) {
    return "it repeats a group that repeats or chooses; give a list of names";
  }
  if (/\\[1-9k]|\(\?P=/.test(pattern)) return "it refers back to a group; give a list of names";
  if (/\(\?[a-zA-Z-]+[:)]|\(\?[#(>]/.test(plain)) {
    return `${/\(\?[^P]{1,2}/.exec(plain)![0]} is not supported; give a list of names`;
  }
  try {
    new RegExp(translated(pattern));
    return null;
  } catch {
    return "it is no regular expression; give a list of names";
  }
}

/** At most so many ways: two for each optional part and counted repetition, in a group as many as choices may match at one place. */
function ways(pattern: string): number {
  let found = 1;
  const plain = pattern.replace(/\[(?:\\.|[^\]\\])*\]|\\[^.]/g, ".").replace(/\\\./g, "-");
  for (const _ of plain.matchAll(/(?<![(*+?}])\?|\{/g)) found *= 2;
  for (const [, inner] of plain.matchAll(/\((?:\?(?:P?<\w+>|[:=!]|<[=!]))?([^()]*)(?=[()])/g)) {
    const choices = inner!.split("|"), plainWords = choices.every((text) => /^[\w-]+$/.test(text));
    found *= plainWords
      ? Math.max(...choices.map((text) => choices.filter((other) => text.startsWith(other)).length))
      : choices.length;
  }
  return found;
}

/** The choices of the whole text, outside of groups. */
function alternatives(plain: string): string[] {
  let depth = 0, from = 0;
  const found: string[] = [];
  for (let i = 0; i < plain.length; i++) {
    if (plain[i] === "(") depth++;
    if (plain[i] === ")") depth--;
    if (plain[i] !== "|" || depth > 0) continue;
    found.push(plain.slice(from, i));
    from = i + 1;
  }
  return [...found, plain.slice(from)];
}

function translated(pattern: string): string {
  return OTHERWISE.reduce((text, [from, to]) => text.replace(from, to), pattern);
}

/** Python's re.fullmatch by a pattern without a `patternProblem`. Throws a SyntaxError for one with. */
export function fullMatcher(pattern: string): (text: string) => boolean {
  const problem = patternProblem(pattern);
  if (problem !== null) throw new SyntaxError(`Cannot match ${JSON.stringify(pattern)}: ${problem}`);
  const whole = new RegExp(`^(?:${translated(pattern)})$`);
  return (text) => whole.test(text);
}
