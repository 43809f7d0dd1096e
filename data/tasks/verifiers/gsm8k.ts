/** The verifier `gsm8k`: a number, as the last line of a worked solution gives it. @module */
import { z } from "zod";
import { boxClaim, type Claim, hashClaim, isTakenBack, lastClaim } from "./claims.ts";
import { mathValue } from "./math_value.ts";
import { quantitiesIn, type Quantity, sameQuantity } from "./quantities.ts";
import { closeRational, type Rational } from "./rational.ts";
import { defineVerifier } from "./verifier.ts";

const params = z.strictObject({
  method: z.enum(["flexible", "strict"]).default("flexible").describe(
    "where a completion's number stands: strict, after its last ####; flexible, there, in \\boxed, after \"the answer " +
      'is", whichever comes last, else the last number',
  ),
  tolerance: z.number().min(0).max(1).default(0).describe(
    "largest |difference| over the larger of the two numbers; 0 is exact",
  ),
  absolute_tolerance: z.number().min(0).default(0).describe("a |difference| that is small enough whatever the numbers"),
});

/** Two numbers that are offered as one answer. */
const BETWEEN = /^[^\d.;\n]{0,12}(?:\bor\b|\band\b|\bto\b|[,;&]|–)[^\d.;\n]{0,12}$/i;

/**
 * The answer's number is that of its last `####`, else its \boxed, else the only number in it. Several numbers where one
 * is claimed, a claim that is taken back, and a number that nobody can read (1e400, two hundred) are wrong.
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
  const found = claim ? single(claim.said) : single(answer) ?? flexible(answer);
  return found?.value ? found : null;
}

function strict(text: string): Quantity | null {
  const claim = hashClaim(text);
  return claim && claimed(claim);
}

function flexible(text: string): Quantity | null {
  const claim = lastClaim(text);
  if (claim) return claimed(claim);
  const { text: read, found } = quantitiesIn(text), last = found.at(-1), before = found.at(-2);
  if (last && before && !same(last, before) && /\bor\b/i.test(read.slice(before.end, last.start))) return null;
  return last ?? null;
}

function claimed(claim: Claim): Quantity | null {
  const found = claim.kind === "phrase" ? inSentence(claim.said) : single(claim.said);
  if (found === null) return null;
  const another = (text: string) => quantitiesIn(text.slice(0, 200)).found.some((other) => !same(other, found));
  return isTakenBack(claim, another) ? null : found;
}

const same = (a: Quantity, b: Quantity) => sameQuantity(a, b);

/** The one number of a text, however often it stands there; LaTeX is read as what it means. */
function single(text: string): Quantity | null {
  const value = mathValue(text);
  if (value !== null) return { ...value, start: 0, end: text.length };
  if (/\\d?frac|\^|²|³/.test(text)) return null;
  const { found } = quantitiesIn(text), first = found[0];
  return first && found.every((other) => same(first, other)) ? first : null;
}

/** "x = 6*7 = 42 apples" is 42; "41 or 42" is nothing. */
function inSentence(said: string): Quantity | null {
  const equal = said.lastIndexOf("="), part = equal < 0 ? said : said.slice(equal + 1);
  const whole = mathValue(part.replaceAll(/^[\s*$]+|[\s*$.]+$/g, ""));
  if (whole !== null) return { ...whole, start: 0, end: part.length };
  const { text, found: [first, second] } = quantitiesIn(part);
  if (!first || (/\\d?frac|\^|²|³/.test(part))) return null;
  return second && !same(first, second) && BETWEEN.test(text.slice(first.end, second.start)) ? null : first;
}
