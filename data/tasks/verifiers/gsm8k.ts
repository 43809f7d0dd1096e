/** The verifier `gsm8k`: a number, as the last line of a worked solution gives it. @module */
import { z } from "zod";
import { boxClaim, type Claim, hashClaim, isBesideAnother, isTakenBack, lastClaim } from "./claims.ts";
import { mathValue } from "./math_value.ts";
import { quantitiesIn, type Quantity, sameQuantity } from "./quantities.ts";
import { isChanging, numberLine } from "./number_line.ts";
import { isTouched } from "./beside.ts";
import { closeRational, type Rational } from "./rational.ts";
import { defineVerifier } from "./verifier.ts";

const params = z.strictObject({
  method: z.enum(["flexible", "strict"]).default("flexible").describe(
    "where a completion's number stands, by itself or with a currency or unit: strict, in the line of its last ####, " +
      'with nothing behind; flexible, there, in \\boxed, after "the answer ' +
      'is", whichever comes last, else the last number',
  ),
  tolerance: z.number().min(0).max(1).default(0).describe(
    "largest |difference| over the larger of the two numbers; 0 is exact",
  ),
  absolute_tolerance: z.number().min(0).default(0).describe("a |difference| that is small enough whatever the numbers"),
});

/** Two numbers that are offered as one answer. */
const BETWEEN = /\bor\b|^\s*(?:and|to|[-–—&])\s*$/i;

/**
 * The answer's number is that of its last `####`, else its \boxed, else the only number in it. What is claimed must be
 * one number by the grammar of `numberLine`, nothing but white space after a line of ####. Several numbers, one that is
 * scaled, compared, denied, doubted or taken back, and one that nobody can read (1e400, two hundred) are wrong.
 *
 * verl's utils/reward_score/gsm8k.py takes the same places, compares texts, and knows no units, fractions or boxes.
 */
export const gsm8k = defineVerifier({
  about: 'its number is the answer\'s: after ####, in \\boxed, after "the answer is", or its last',
  params,
  problem(answer) {
    return wanted(answer) === null ? "has no single number after ####, in \\boxed or by itself" : null;
  },
  verify(completion, row, { method, tolerance, absolute_tolerance }) {
    const want = wanted(String(row.answer)), found = method === "strict" ? strict(completion) : flexible(completion);
    const close = (a: Rational, b: Rational) => closeRational(a, b, tolerance, absolute_tolerance);
    return want !== null && found !== null && sameQuantity(found, want, close);
  },
});

function wanted(answer: string): Quantity | null {
  const claim = hashClaim(answer) ?? boxClaim(answer);
  const found = claim ? numberLine(claim.said) : numberLine(answer) ?? flexible(answer);
  return found?.value ? found : null;
}

/** Nothing but white space may follow the line. */
function strict(text: string): Quantity | null {
  const claim = hashClaim(text);
  return claim && claim.after.trim() === "" ? numberLine(claim.said) : null;
}

function flexible(text: string): Quantity | null {
  const claim = lastClaim(text);
  return claim ? claimed(claim, text) : lastOf(text);
}

function claimed(claim: Claim, text: string): Quantity | null {
  if (claim.kind === "hashes") return strict(text);
  if (claim.kind === "box" && (isTouched(text, claim.start, text.length - claim.after.length))) return null;
  const found = claim.kind === "phrase" ? inSentence(claim, text) : numberLine(claim.said);
  if (found === null) return null;
  const another = (tail: string) => quantitiesIn(tail.slice(0, 200)).found.some((other) => !same(other, found));
  return isTakenBack(claim, another) || offersOther(claim, text, found) ? null : found;
}

const same = (a: Quantity, b: Quantity) => sameQuantity(a, b);

/** \boxed{41} or \boxed{42}: no answer. */
function offersOther(claim: Claim, text: string, found: Quantity): boolean {
  return isBesideAnother(text, claim, (said) => {
    const other = numberLine(said);
    return other === null || !same(other, found);
  });
}

/** "x = 6*7 = 42 apples" is 42; "41 or 42", "x < 42" and "42 minus 1" are nothing, nor is a question. */
function inSentence({ said, start, after }: Claim, text: string): Quantity | null {
  const before = text.slice(Math.max(0, start - 200), start).split(/[.!?\n]/).at(-1)!;
  if (/^[!?]/.test(after) || isDoubted(before)) return null;
  const plain = said.replace(/^[\s*:]+|[\s*]+$/g, "").replace(/,? (?:because|since)\b[^\d]*$/i, "");
  const parts = plain.replace(/^\$(.*)\$$/, "$1").split("="), last = numberLine(parts.at(-1)!);
  const agrees = (part: string) => {
    const value = mathValue(part.replaceAll("$", ""));
    if (value) return last !== null && same({ ...value, start: 0, end: 0 }, last);
    return /^\s*(?:[A-Za-z]|[A-Za-z]{3,}(?: [A-Za-z]+){0,5})\s*$/.test(part) &&
      !part.match(/[A-Za-z]+/g)!.some(isChanging);
  };
  return last && parts.slice(0, -1).every(agrees) ? last : null;
}

const isDoubted = (before: string) =>
  /\b(?:not|never|doubt|false|wrong|if|unlikely|impossible|nobody|pretend)\b|n['’]t\b/i.test(before);

/** The last number of a text that claims nothing, unless what stands beside it changes it. */
function lastOf(text: string): Quantity | null {
  const { text: read, found } = quantitiesIn(text), last = found.at(-1), before = found.at(-2);
  if (!last || isTouched(read, last.start, last.end) || /[\d]\p{Cf}+\d/u.test(text.slice(-2000))) return null;
  if (before && !same(last, before) && BETWEEN.test(read.slice(before.end, last.start))) return null;
  const claim: Claim = { kind: "phrase", said: "", after: read.slice(last.end), start: last.start };
  return isTakenBack(claim, () => false) ? null : last;
}
