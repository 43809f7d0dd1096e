/** Whether two texts of mathematics say the same, as far as exact arithmetic and one way of writing can tell. @module */
import { mathValue } from "./math_value.ts";
import { isUnit, MOST_CHARACTERS, plainMath } from "./plain_math.ts";
import { plainTerms } from "./plain_terms.ts";
import { quantitiesIn, sameQuantity } from "./quantities.ts";

/** Lists in lists that are compared. */
const DEEPEST = 4;
/** Members of a set, which are compared in every order. */
const MOST_MEMBERS = 50;

/**
 * The same text written plainly, the same number, or a list of such in the same brackets: (1, 2] is not [1, 2). Sets
 * and lists without brackets may be in any order. What it cannot decide, such as \sqrt{8} and 2\sqrt{2}, is unequal.
 */
export function sameMath(a: string, b: string, depth = DEEPEST): boolean {
  const [first, second] = [plainMath(a), plainMath(b)];
  if (first === "" || second === "") return false;
  if (first === second) return true;
  if (Math.max(a.length, b.length) > MOST_CHARACTERS || depth === 0) return false;
  // (1,234) is a pair; it is not 1234 in brackets.
  const isPair = (text: string) => /^[([][^()[\]]*,[^()[\]]*[)\]]$/.test(text);
  if (isPair(first) !== isPair(second)) return false;
  if (plainTerms(first) === plainTerms(second)) return true;
  const [left, right] = [mathValue(a), mathValue(b)];
  if (left && right) return sameQuantity(placed(left), placed(right));
  if (left || right) return sameWithUnit(left ? [left, second] : [right!, first]);
  const [x, y] = [listOf(first), listOf(second)];
  if (!x || !y || x.open !== y.open || x.close !== y.close || x.members.length !== y.members.length) return false;
  const same = (one: string, other: string) => sameMath(one, other, depth - 1);
  return x.ordered
    ? x.members.every((member, i) => same(member, y.members[i]!))
    : sameMembers(x.members, y.members, same);
}

type Value = NonNullable<ReturnType<typeof mathValue>>;

const placed = (value: Value) => ({ ...value, start: 0, end: 0 });

/** A number and words after it: 42 apples, 3 cm^2; one letter is a variable, and some words are functions. */
const WITH_UNIT =
  /^[-+]?[\d.,]+(?:\/\d+)? ?(?!(?:pi|sqrt|sin|cos|tan|log|ln|exp)(?![a-z]))[A-Za-z]{2}[A-Za-z .]{0,30}(?:\^[23]|²|³)?$/;

function sameWithUnit([value, text]: [Value, string]): boolean {
  // A power of ten is no unit: 4e2 would be read as 4 of "e".
  if (!WITH_UNIT.test(text) || !isUnit(text) || /^[-+]?[\d.,]+ ?e/i.test(text)) return false;
  const { found } = quantitiesIn(text.replace(/(?:\^[23]|²|³)$/, ""));
  return found.length === 1 && sameQuantity(placed(value), found[0]!);
}

interface List {
  readonly open: string;
  readonly close: string;
  readonly ordered: boolean;
  readonly members: readonly string[];
}

/** The members of (…), [ … ], \{…\} or of a list without brackets; null for a text without a comma at its top. */
function listOf(text: string): List | null {
  const brackets = /^(\\\{|[([])(.*?)(\\\}|[)\]])$/.exec(text);
  const inside = brackets && topLevel(brackets[2]!);
  if (brackets && inside) {
    const [, open, , close] = brackets as unknown as [string, string, string, string];
    return inside.length < 2 && open !== "\\{" ? null : { open, close, ordered: open !== "\\{", members: inside };
  }
  const members = topLevel(text);
  return members && members.length > 1 ? { open: "", close: "", ordered: false, members } : null;
}

/** The parts between commas that stand in no brackets; null where brackets do not match. Intervals match either way. */
function topLevel(text: string): string[] | null {
  const parts: string[] = [];
  let depth = 0, from = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text[at]!;
    if ("([{".includes(char)) depth++;
    else if (")]}".includes(char) && --depth < 0) return null;
    else if (char === "," && depth === 0) {
      parts.push(text.slice(from, at));
      from = at + 1;
    }
  }
  parts.push(text.slice(from));
  return depth === 0 ? parts.map((part) => part.trim()) : null;
}

function sameMembers(
  members: readonly string[],
  others: readonly string[],
  same: (a: string, b: string) => boolean,
): boolean {
  if (members.length > MOST_MEMBERS) return false;
  const left = [...others];
  return members.every((member) => {
    const at = left.findIndex((other) => same(member, other));
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
}
