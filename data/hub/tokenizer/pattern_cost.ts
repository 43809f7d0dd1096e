/**
 * Whether an expression of a stranger's tokenizer.json ends on any text, by its shape alone.
 *
 * Like tasks/verifiers/safe_pattern.ts, but texts of any length are taken apart here, and the expressions of GPT-2, Qwen
 * and Llama 3 must pass: what counts is only what can still fail after it, since else the first way through is taken.
 * So `\s+(?!\S)` tries as many lengths as it found spaces, `\p{L}+` at the end of an alternative one.
 * @module
 */

/** Ways through optional parts, alternatives and short repetitions of one place that are tried. */
const MOST_WAYS = 1000;
/** A repetition with more lengths than these counts as one without bound. */
const FEW = 8;

interface Element {
  readonly least: number;
  readonly most: number;
  /** Alternatives of a group; null for one character or a bound such as `^`. */
  readonly group: readonly Sequence[] | null;
  /** Takes no character: `^`, `(?=…)`. */
  readonly isBound: boolean;
}
type Sequence = readonly Element[];

/** A group whose end is not read yet. */
interface Open {
  readonly start: string;
  readonly group: Element[][];
  readonly isBackwards: boolean;
}

interface Cost {
  /** A text of n characters takes n to this power of steps at each place. */
  readonly power: number;
  readonly ways: number;
  /** One text can be matched in several ways. */
  readonly isLoose: boolean;
}

/** What keeps an expression (as JavaScript has it, flag u) from being used, as the end of a sentence; null where it may be. */
export function patternProblem(source: string): string | null {
  if (/\\[1-9k]/.test(source.replace(/\\[^1-9k]/g, ""))) return "it refers back to a group";
  const { power, ways } = choice(parsed(source), false);
  if (power === Infinity) return "it repeats what itself repeats or chooses, and may take for ever on a short text";
  if (power > 1) return `it repeats ${power} times in a row before what may fail, and may take for ever on a long text`;
  return ways > MOST_WAYS ? `it can be tried in ${ways} ways at each place, want at most ${MOST_WAYS}` : null;
}

/** `fails`: something after it may still fail, so that other ways are tried. */
function choice(group: readonly Sequence[], fails: boolean): Cost {
  const costs = group.map((one) => inOrder(one, fails));
  return {
    power: Math.max(...costs.map(({ power }) => power)),
    ways: costs.reduce((sum, { ways }) => sum + ways, 0),
    isLoose: costs.length > 1 || costs.some(({ isLoose }) => isLoose),
  };
}

function inOrder(sequence: Sequence, fails: boolean): Cost {
  let power = 0, ways = 1, isLoose = false;
  for (const { least, most, group, isBound } of sequence.toReversed()) {
    // A group that must come twice is followed by itself.
    const innerFails = !isBound && (fails || least > 1), lengths = most - least + 1;
    const inner = group ? choice(group, innerFails) : null;
    if (inner) power += inner.power;
    if (inner?.isLoose && most > 1 && innerFails) power = Infinity;
    if (inner && (innerFails || isBound)) ways *= inner.ways;
    if (fails && lengths > FEW) power++;
    else if (fails) ways *= lengths;
    isLoose ||= lengths > 1 || (inner?.isLoose ?? false);
    fails ||= isBound || least > 0;
  }
  return { power, ways, isLoose };
}

/** The alternatives of a valid expression, each in the order in which it is tried: `(?<=…)` and `(?<!…)` go backwards. */
function parsed(source: string): readonly Sequence[] {
  const tokens = source.match(/\\[pPu]\{[^}]*\}|\\.|\[(?:\\.|[^\]\\])*\]|\(\?(?:<?[=!]|<\w+>|[\w-]*:)|[^]/gu) ?? [];
  const open: Open[] = [{ start: "", group: [[]], isBackwards: false }];
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at]!, inner = open.at(-1)!;
    if (token === "|") inner.group.push([]);
    else if (token.startsWith("(")) {
      const isBackwards = /[=!]$/.test(token) ? token.startsWith("(?<") : inner.isBackwards;
      open.push({ start: token, group: [[]], isBackwards });
    } else {
      const group = token === ")" ? open.pop()! : null;
      const isBound = group ? /[=!]$/.test(group.start) : /^(\^|\$|\\b|\\B)$/.test(token);
      const [least, most, read] = counts(tokens, at + 1);
      at += read;
      const { group: outer, isBackwards } = open.at(-1)!,
        element = { least, most, group: group?.group ?? null, isBound };
      if (isBackwards) outer.at(-1)!.unshift(element);
      else outer.at(-1)!.push(element);
    }
  }
  return open[0]!.group;
}

/** How often what stands before `at` may come, and how many tokens say so. */
function counts(tokens: readonly string[], at: number): [least: number, most: number, read: number] {
  const lazy = (read: number) => tokens[at + read] === "?" ? read + 1 : read;
  switch (tokens[at]) {
    case "?":
      return [0, 1, lazy(1)];
    case "*":
      return [0, Infinity, lazy(1)];
    case "+":
      return [1, Infinity, lazy(1)];
    case "{": {
      const end = tokens.indexOf("}", at), [least, most] = tokens.slice(at + 1, end).join("").split(",");
      return [Number(least), most === undefined ? Number(least) : Number(most || Infinity), lazy(end - at + 1)];
    }
  }
  return [1, 1, 0];
}
