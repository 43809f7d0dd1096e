/** The verifier `multiple_choice`: one letter of a few. @module */
import { z } from "zod";
import { orElse } from "../../file_system.ts";
import type { PromptRow } from "../task.ts";
import { isTouched } from "./beside.ts";
import { boxClaim, hashClaim, isBesideAnother, isTakenBack, phraseClaims } from "./claims.ts";
import { deniedLetters } from "./denied_letters.ts";
import { plainText } from "./plain_text.ts";
import { defineVerifier } from "./verifier.ts";

const params = z.strictObject({
  letters: z.string().regex(/^[A-Z]{2,26}$/).default("ABCDE").describe("letters of the choices, in their order"),
  choices_column: z.string().min(1).optional().describe(
    "a column of the row that holds the texts of the choices, a list; keep it by columns; a completion may then name " +
      "the right text in place of its letter",
  ),
});

/** Other words for "the answer is B". */
const SAYS =
  /(?:\b(?:correct|right|best) (?:option|choice|letter) is|\bI(?: think|['’]m sure| believe)?(?: that)? it(?:'s| is))\s+(\(?[A-Z]\)?)(?![A-Za-z])/g;

/** Other words for it, where nothing follows the letter: "It's A dog" says none. */
const CHOOSES =
  /\b(?:I(?:['’]d| would|['’]ll| will)? (?:choose|pick|select|go with|say)|[Ii]t(?:['’]s| is| must be| has to be)|[Cc]orrect(?: answer)?:|(?:[Tt]hus|[Tt]herefore|[Hh]ence|[Ss]o),?)\s+(\(?[A-Z]\)?)(?=\s*(?:[.!]\s|[.!]?$|\n))/g;

const IS_RIGHT =
  /(\(?(?<![\w'’])[A-Z]\)?) is (?:the )?(?:right|correct|best)(?: answer| option| choice)?(?=\s*(?:[.!]|\n|$))/g;

/** Why, and what it is not: "B, because A is false", "B, not A", "B rather than A". */
const REASON =
  /((?<![\w'’])[A-Z]\)?)[,;]?\s+(?:(?:because|since|rather than|instead of)\s|(?:and |but )?not\s+(?=\(?[A-Z]\)?(?![\w'’])))[^.!?\n]*/g;

type Options = z.output<typeof params>;

/** Characters that are looked at, from the end, and those of an answer that stands alone. */
const MOST_CHARACTERS = 4000;
const SHORT = 200;

/**
 * The answer is a letter ("B", "(B)", "B. Paris"), or the number of the choice from 0 where it is a number (MMLU). What a
 * completion claims in words, in \boxed or after #### counts; where it claims nothing, the one letter in brackets, in
 * bold or by itself does. Two letters, however they are written, are wrong; so is a letter with another choice's text.
 */
export const multipleChoice = defineVerifier({
  about: "it names the answer's letter, in one of many phrasings, and no other",
  params,
  problem(answer, options, row) {
    if (options.choices_column !== undefined && choicesOf(row, options) === null) {
      return `stands beside no list of choices in column "${options.choices_column}"; keep it by columns`;
    }
    if (wanted(answer, row, options) !== null) return null;
    const known = lettersOf(row, options), count = choicesOf(row, options)?.length ?? 0;
    const few = count > known.length ? `; of its ${count} choices letters has ${known.length}` : "";
    return `names no choice, want one of ${known.split("").join(", ")}, or its number from 0${few}`;
  },
  verify(completion, row, options) {
    const want = wanted(String(row.answer), row, options), text = plainText(completion.slice(-MOST_CHARACTERS));
    const said = text.replaceAll(/<\/?answer>/gi, " ").replaceAll(REASON, "$1").replaceAll(SAYS, " the answer is $1 ")
      .replaceAll(CHOOSES, " the answer is $1")
      .replaceAll(IS_RIGHT, " the answer is $1");
    return want !== null && !deniedLetters(said, options.letters).has(want) && chosen(said, row, options) === want;
  },
});

function wanted(answer: string, row: PromptRow, options: Options): string | null {
  const text = plainText(answer).trim(), letters = lettersOf(row, options);
  if (/^\d{1,2}$/.test(text)) return letters[Number(text)] ?? null;
  return letterOf(text, letters) ?? byText(text, row, options);
}

/** The letters of the choices that the row has. */
const lettersOf = (row: PromptRow, options: Options) =>
  options.letters.slice(0, choicesOf(row, options)?.length ?? options.letters.length);

function choicesOf(row: PromptRow, { choices_column }: Options): readonly string[] | null {
  const value = choices_column === undefined ? null : row[choices_column];
  const list = typeof value === "string" && value.startsWith("[") ? listIn(value) : value;
  const isChoice = (one: unknown) => one === null || ["string", "number", "boolean"].includes(typeof one);
  return Array.isArray(list) && list.every(isChoice) ? list.map((one) => String(one ?? "")) : null;
}

/** A text that merely begins as a list is none. */
const listIn = (text: string) => orElse((): unknown => JSON.parse(text), null);

/** The letter that a completion chooses; null for none, or more than one. */
function chosen(text: string, row: PromptRow, options: Options): string | null {
  const { letters } = options;
  const claims = [hashClaim(text), boxClaim(text), ...phraseClaims(text)].filter((claim) => claim && claim.said !== "");
  const named = new Set(claims.map((claim) => said(claim!.said, row, options)));
  const last = claims.reduce((a, b) => a && a.start > b!.start ? a : b, null);
  const bare = (tail: string) =>
    tail.match(new RegExp(`(?<![\\w'’])(?![AI] (?!(?:is|was)\\b)[a-z])[${letters}](?![\\w'’])`, "g")) ?? [];
  if (claims.length > 0) {
    const end = text.length - last!.after.length;
    if (last!.kind === "hashes" && last!.after.trim() !== "") return null;
    if (last!.kind === "box" && isTouched(text, last!.start, end)) return null;
    if (isBesideAnother(text, last!, (other) => said(other, row, options) !== [...named][0])) return null;
    if (new Set(bare(last!.said)).size > 1 || /^\s*\?/.test(last!.after)) return null;
    const [letter] = named;
    const another = (tail: string) => [...marked(tail, letters), ...bare(tail)].some((other) => other !== letter);
    return named.size === 1 && letter && !isTakenBack(last!, another) ? letter : null;
  }
  const denied = deniedLetters(text, letters);
  if (text.trim().length <= SHORT) {
    const alone = said(text.trim(), row, options);
    const first = letterOf(text.trim(), letters);
    const other = (tail: string) => bare(tail).some((letter) => letter !== alone);
    if (alone !== null && isTakenBack({ kind: "phrase", said: "", after: text, start: 0 }, other)) return null;
    if (alone !== null || (first !== null && !denied.has(first))) return alone;
  }
  const line = text.trim().split("\n").at(-1)!.trim();
  const all = new Set(marked(text, letters).filter((letter) => !denied.has(letter)));
  const [letter] = all;
  const lines = new Set(text.split("\n").map((one) => bareLetter(one.trim(), letters)).filter((one) => one !== null));
  return all.size === 1 ? letter! : all.size === 0 && lines.size === 1 ? bareLetter(line, letters) : null;
}

/** What a claim says: one letter, with or without its choice's text; or that text alone. */
function said(claim: string, row: PromptRow, options: Options): string | null {
  const text = claim.replaceAll(/\\(?:text|mathrm|mathbf|textbf)\s*\{([^{}]*)\}/g, "$1").replaceAll(/[*_$`"“”]/g, "")
    .trim();
  const letter = letterOf(text, options.letters);
  if (letter === null) return byText(text, row, options);
  const others = new Set(marked(text, options.letters)).add(letter);
  if (others.size > 1 || OFFERS.test(text)) return null;
  const rest = plain(text.replace(FIRST, "")), choices = choicesOf(row, options);
  const contradicts = choices?.some((choice, i) => plain(choice) === rest && options.letters[i] !== letter);
  return contradicts ? null : letter;
}

/** A letter at the beginning: in brackets, before a mark or the end; a capital also before a word that is no other letter. */
const FIRST = /^(?:option|choice|answer|letter)?\s*[([{]?\s*([A-Za-z])\s*(?:[)\]}]|[.:,;)\]]|(?<=\s)-|$|\s)\s*/i;

function letterOf(text: string, letters: string): string | null {
  const match = FIRST.exec(text);
  if (!match) return null;
  const [all, letter] = match as unknown as [string, string], upper = letter.toUpperCase();
  if (!letters.includes(upper)) return null;
  // "a dog", "A dog" and "I think": a word, unless a mark or the end follows.
  const isBare = /[A-Za-z]\s+$/.test(all) && text.length > all.length;
  const isWord = isBare && (letter !== upper || letter === "A" || letter === "I");
  return isWord && !/^(?:because|since|as|for|is|\()/.test(text.slice(all.length)) ? null : upper;
}

/** A second letter offered beside the first: "B or C", "A, B", "B/C", "A and B". */
const OFFERS = /^\W*[A-Za-z]\W*(?:,|\/|&|\bor\b|\band\b|\bto\b|-|\s)\W*(?!(?:a|I) )[A-Za-z](?![A-Za-z])/;

/** Letters that are marked as choices: (B), [B], **B**, B) and B. at the beginning of a line, option B. */
function marked(text: string, letters: string): string[] {
  const set = `[${letters}]`;
  const pattern = new RegExp(
    `[(\\[](${set})[)\\]]|\\*\\*\\(?(${set})[).:]?\\*\\*|(?:^|\\n)\\s*(${set})[).:](?=\\s|$)|\\b(?:[Oo]ption|[Cc]hoice)\\s+(${set})\\b`,
    "g",
  );
  return [...text.matchAll(pattern)].map((match) => match.slice(1).find((letter) => letter !== undefined)!);
}

/** A last line that is one letter. */
function bareLetter(line: string, letters: string): string | null {
  const match = /^[\s*_"'([]*([A-Z])[\s*_"'.!)\]]*$/.exec(line);
  return match && letters.includes(match[1]!) ? match[1]! : null;
}

/** The letter of the choice that has this text. */
function byText(text: string, row: PromptRow, options: Options): string | null {
  const choices = choicesOf(row, options), want = plain(text);
  if (choices === null || want === "") return null;
  const at = choices.findIndex((choice) => plain(choice) === want);
  return at < 0 || choices.findLastIndex((choice) => plain(choice) === want) !== at
    ? null
    : options.letters[at] ?? null;
}

const plain = (text: string) => text.toLowerCase().replaceAll(/[\s.,;:!"'*]+/g, " ").trim();
