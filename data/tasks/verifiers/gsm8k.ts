/** The verifier `gsm8k`: a number, as the last line of a worked solution gives it. @module */
import { z } from "zod";
import { boxClaim, type Claim, hashClaim, isBesideAnother, isTakenBack, lastClaim, phraseClaims } from "./claims.ts";
import { quantitiesIn, type Quantity, sameQuantity } from "./quantities.ts";
import { closeRational, type Rational } from "./rational.ts";
import { lastNumberOf, leadingNumber } from "./stated_number.ts";
import { isTouched } from "./beside.ts";
import { defineVerifier } from "./verifier.ts";

const params = z.strictObject({
  method: z.enum(["flexible", "strict"]).default("flexible").describe(
    "where a completion's number stands: strict, right after its last ####; flexible, after ####, in \\boxed or after " +
      '"the answer is", whichever comes last, else the last number',
  ),
  tolerance: z.number().min(0).max(1).default(0).describe(
    "largest |difference| over the larger of the two numbers; 0 is exact",
  ),
  absolute_tolerance: z.number().min(0).default(0).describe("a |difference| that is small enough whatever the numbers"),
});

/**
 * The number that a completion states as its answer, with any unit behind it. Two that are offered, one that is scaled,
 * denied, part of a formula or taken back for another, and one that nobody can read (1e400, two hundred) are wrong.
 *
 * verl's utils/reward_score/gsm8k.py and lm-evaluation-harness's gsm8k take the same places or the last number whatever
 * stands beside it, and compare texts.
 */
export const gsm8k = defineVerifier({
  about: 'its number is the answer\'s: after ####, in \\boxed, after "the answer is", or its last',
  params,
  findsOneValue: true,
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
  return claim ? leadingNumber(claim.said)?.number ?? null : flexible(answer);
}

function strict(text: string): Quantity | null {
  const claim = hashClaim(text);
  return claim && claimed(claim, text);
}

function flexible(text: string): Quantity | null {
  const claim = lastClaim(text), last = claim && offered(text) < MOST_OFFERED ? claimed(claim, text) : null;
  // "The answer is forty-two, or 42", "The answer is not 41, it is 42": a sentence that begins with a word.
  const isWords = claim?.kind === "phrase" && /^(?:$|[A-Za-z]{2})/.test(claim.said);
  return claim === null || (isWords && leadingNumber(claim.said) === null) ? lastOf(text) : last;
}

/** A text that says so many different numbers are the answer gives none. */
const MOST_OFFERED = 4;

function offered(text: string): number {
  const numbers = phraseClaims(text).flatMap(({ said }) => leadingNumber(said)?.number.value ?? []);
  return new Set(numbers.map(({ numerator, denominator }) => `${numerator}/${denominator}`)).size;
}

function claimed(claim: Claim, text: string): Quantity | null {
  if (claim.kind === "box" && isTouched(text, claim.start, text.length - claim.after.length)) return null;
  const stated = leadingNumber(claim.said);
  if (stated === null || (claim.kind === "phrase" && isDoubted(claim, text))) return null;
  const found = stated.number, after = `${stated.rest}${claim.kind === "box" ? "" : "."} ${claim.after}`;
  if (claim.kind !== "phrase" && /^\s*[!?]/.test(stated.rest)) return null;
  if (claim.kind === "box" && /\d/.test(stated.rest)) return null;
  if (claim.kind !== "phrase" && isFollowedByAnother(claim.after, found)) return null;
  return takenBack({ ...claim, after }, found) || offersOther(claim, text, found) ? null : found;
}

function takenBack(claim: Claim, found: Quantity): boolean {
  const last = (tail: string) => quantitiesIn(tail.slice(0, 400)).found.at(-1);
  return isTakenBack(claim, (tail) => {
    const other = last(tail);
    return other !== undefined && !sameQuantity(other, found);
  });
}

/** \boxed{41} or \boxed{42}: no answer. */
function offersOther(claim: Claim, text: string, found: Quantity): boolean {
  return isBesideAnother(text, claim, (said) => {
    const other = leadingNumber(said);
    return other === null || !sameQuantity(other.number, found);
  });
}

/** A line of ####, and below it one with nothing but another number. */
function isFollowedByAnother(after: string, found: Quantity): boolean {
  const line = after.trimStart().split("\n")[0]!.trim(), [other] = quantitiesIn(line).found;
  if (/^(?:\w+(?:teen|ty)|one|two|three|four|five|six|seven|eight|nine|ten)\b[\w\s-]*$/i.test(line)) return true;
  return other !== undefined && /^[$\s]*-?[\d.,\s]+$/.test(line) && !sameQuantity(other, found);
}

/** "I doubt that the answer is 42", "Is the answer 42?" */
function isDoubted({ start, said, after }: Claim, text: string): boolean {
  const before = text.slice(Math.max(0, start - 200), start).split(/[.!?\n]/).at(-1)!;
  return /^\s*\?/.test(after) || /\?\s*$/.test(said) ||
    /\b(?:not|never|doubt|false|wrong|if|unlikely|impossible|nobody|pretend|another|alternatively|possible|possibly)\b|n['’]t\b/i
      .test(before);
}

/** The last number of a text that claims nothing. */
function lastOf(text: string): Quantity | null {
  const stated = lastNumberOf(text);
  if (stated === null || /^[^.!\n]{0,100}\?/.test(stated.rest)) return null;
  return takenBack({ kind: "phrase", said: "", after: stated.rest, start: 0 }, stated.number) ? null : stated.number;
}
