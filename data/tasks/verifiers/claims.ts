/** Finds where a text says what its answer is, and whether it takes that back. @module */
import { lastBox } from "./boxed_text.ts";

export interface Claim {
  readonly kind: "hashes" | "box" | "phrase";
  /** What follows, on that line or in that sentence; what the box holds. */
  readonly said: string;
  /** Everything after it. */
  readonly after: string;
  readonly start: number;
}

/** Characters that are looked at, from the end. */
const MOST_CHARACTERS = 20_000;
const MARK = "####";
/** "the answer is", "Answer:", "final answer = ", in bold or not; not "the answer is not". */
const PHRASE = /\banswers?\**\s*(?:(?:(?:is|are|equals|would be|should be)\b|[=≈])\s*[:=]?|:)\s*\**:?\s*/gi;
const DENIED = /^(?:not|n't|never|neither|unlikely)\b/i;
/** What takes back what was said, where a number or a letter follows. */
const TAKEN_BACK =
  /\b(?:wait|actually|no(?=[,.!:;\s]*(?:\s|$))|nope|hmm+|correction|sorry|oops|mistake|instead|rather|scratch that|on second thought|i think|maybe|perhaps|let me re|should be|must be|just kidding|hold on|on reflection|silly|final(?:ly)?(?=\s*:)|but|however)\b/i;
/** What takes back what was said, whatever follows. */
const DENIES =
  /\b(?:(?:is|was|be|are)(?: not|n't|n’t) (?:right|correct|true|it|the answer)|not (?:correct|right|true)|(?:is|was|be) (?:wrong|false|incorrect)|wrong|incorrect|scratch that|nope|never mind|disregard|ignore (?:that|this))\b/i;
/** A sentence that tries what was said, with numbers of its own. */
const CHECKS = /\b(?:verify|verif\w+|check\w*|double-check\w*|confirm\w*|because|since|make sure|indeed|proof)\b/i;

/** What follows the last `####`. */
export function hashClaim(text: string): Claim | null {
  const start = text.lastIndexOf(MARK);
  if (start < 0) return null;
  const rest = text.slice(start + MARK.length, start + MARK.length + MOST_CHARACTERS);
  const line = /^[ \t]*\r?\n?[^\r\n]*/.exec(rest)![0];
  return { kind: "hashes", said: line.trim(), after: rest.slice(line.length), start };
}

/** What the last \boxed holds. */
export function boxClaim(text: string): Claim | null {
  const box = lastBox(text);
  return box && { kind: "box", said: box.inside.trim(), after: text.slice(box.end), start: box.start };
}

/** What follows "the answer is" at its last place. */
export function phraseClaim(text: string): Claim | null {
  return phraseClaims(text).at(-1) ?? null;
}

/** Every place that says what the answer is; one that says what it is not says nothing. */
export function phraseClaims(text: string): Claim[] {
  const from = Math.max(0, text.length - MOST_CHARACTERS), tail = text.slice(from);
  return [...tail.matchAll(PHRASE)].map((match) => {
    const start = match.index + match[0].length, rest = tail.slice(start);
    const said = /^.*?(?=[.!?](?:\s|$)|\r?\n|$)/.exec(rest)![0], after = rest.slice(said.length);
    return { kind: "phrase", said: DENIED.test(said) ? "" : said.trim(), after, start: from + match.index };
  });
}

/** The last of the claims that a text makes in any way. */
export function lastClaim(text: string): Claim | null {
  const claims = [hashClaim(text), boxClaim(text), phraseClaim(text)].filter((claim) => claim !== null);
  return claims.sort((a, b) => a.start - b.start).at(-1) ?? null;
}

/** Whether what follows a claim takes it back: "wait, it is 43". */
export function isTakenBack({ after }: Claim, another: (text: string) => boolean): boolean {
  const all = after.slice(0, MOST_CHARACTERS);
  if (DENIES.test(all)) return true;
  const tail = all.split(/(?<=[.!?])\s+|\n+/).filter((sentence) => !CHECKS.test(sentence)).join("\n");
  const found = TAKEN_BACK.exec(tail);
  return found !== null && another(tail.slice(found.index));
}

/** \boxed{1} or \boxed{2}: no answer, where the one before differs. */
export function isBesideAnother(text: string, claim: Claim, differs: (said: string) => boolean): boolean {
  if (claim.kind !== "box") return false;
  const before = text.slice(0, claim.start), previous = boxClaim(before);
  if (previous === null || !differs(previous.said)) return false;
  return /^[\s,;.$]*(?:\\text\{\s*)?(?:or|and|either)?\s*\}?[\s,;.$]*$/i.test(previous.after);
}
