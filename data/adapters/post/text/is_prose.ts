/** Whether people write in a text, or a program printed it. @module */
import { isMessage, mayBeMessage } from "../../prose/messages.ts";
import { isSentence } from "../../prose/sentence.ts";
import { stripAnsi } from "../../source/text.ts";
import { chatLine } from "./chat.ts";
import { clausesOf } from "../clauses.ts";
import { plainCharacters } from "./plain_characters.ts";
import { readClause } from "../read_clause.ts";
import { stepLine } from "../blocks/step_line.ts";

const LOOKED_AT = 200; // Lines at the beginning.
const LOOKED_INTO = 400; // Characters of a line.
const OPENING = 4; // Lines.
const MAX_SENTENCES = 2000; // Characters of a line that holds a paragraph.
/** A record, a time, an option. */
const PRINTED = /^[[{(<|]|^\d{4}-\d\d|^\d\d:\d\d|^--|['"][\w/]+['"]\s*:|(?:[:=]\s*-?\d.*){3}/;
const SHARE = 0.5; // Of the lines that are not empty: sentences.
/** A person speaks: of themselves, to others, or asks. */
const PERSON =
  /(?<![\w'])(?:I|I'm|my|our|anyone|please (?:help|advise|let me|let us|tell|explain|share|suggest)|(?:you|someone|somebody|help)(?: me)?,? please|why|hi|hello|thanks|guys|folks)(?![\w'])|[?？]\s*$|我|您|请|大家|大佬|求(?:助|教|解)|为什么|吗|です|ます|ません|私|습니다|나요|제가|\b(?:je|mon(?! (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec))|notre|bonjour|pourquoi|quelqu'un|j'(?=\p{L})|merci|ich|jemand|moin|mein|wir|hallo|warum|mi|hola|alguien|gracias|por qué|eu|meu|olá|alguém|pessoal|obrigad[oa])\b|(?<!\p{L})(?:я|мой|мы|почему|привет|подскажите|помогите)(?!\p{L})/iu;
/** A short question: programs ask none, but for what they want as an answer. */
const QUESTION = /^(?!.*(?:\[y\/n\]|\(y\/n\)|continue\?))[¿\s]*\p{L}[^\d{}|=:[\]]{5,}[?？]\s*$/iu;

/** From the first of them on: a run within the line is looked at once. */
const PICTURES = /(?<![\p{Extended_Pictographic}\ufe0f\u200d\s])[\p{Extended_Pictographic}\ufe0f\u200d\s]+$/u;

export function isProse(head: string): boolean {
  const all = stripAnsi(head.slice(0, 32_768)).split("\n").map(spoken),
    lines = all.filter((line) => line !== "").slice(0, LOOKED_AT);
  if (lines.some((line) => /^\s*(?:```|~~~)/.test(line))) return true;
  if (isSetOut(stripAnsi(head.slice(0, 32_768)).split("\n"))) return true;
  const sentences = lines.filter((line) => isSentence(line));
  if (sentences.some((line) => PERSON.test(line)) || lines.some((line) => QUESTION.test(line))) return true;
  // Programs print no sentences with the marks of Chinese and Japanese prose.
  if (sentences.some((line) => /[，、。]/u.test(line) && saysSomething(line))) return true;
  // A report begins with what is wrong; a log with what a program loads.
  const printed = lines.findIndex((line) => PRINTED.test(line) || mayBeMessage(line)),
    opening = lines.slice(0, printed < 0 ? OPENING : Math.min(printed, OPENING));
  if (opening.some((line) => isSentence(line) && saysSomething(line))) return true;
  if (isHeading(all.find((line) => line.trim() !== "") ?? "", all)) return true;
  if (
    apartIn(all).some((line) => REPORT.test(line) && !isMessage(line) && isSentence(line) && saysSomething(line))
  ) return true;
  // Nobody speaks of themselves: sentences that say something of a run, and hardly anything else.
  return sentences.length > 0 && sentences.length >= SHARE * lines.length &&
    sentences.some((line) => !mayBeMessage(line) && saysSomething(line));
}

const FEW = 80; // Lines of a text that is no log.
/** The rule below the head of a table. */
const RULE = /^\s*\|?\s*:?-{2,}:?\s*(?:\|\s*:?-{2,}:?\s*)+\|?\s*$/;
/** What people set before a line of a list, and letters that no program's figures have. */
const LISTED = /^\s*(?:[-*+•]|\d+[.)])\s|[^\p{ASCII}\p{P}\p{S}\d\s]/u;
const LEAST_LISTED = 2;

/** A short text with a table as people set it, or with a list of figures by train step. */
function isSetOut(all: readonly string[]): boolean {
  const lines = all.filter((line) => line.trim() !== "");
  if (lines.length > FEW) return false;
  if (lines.some((line, i) => RULE.test(line) && (lines[i - 1] ?? "").includes("|"))) return true;
  return lines.filter((line) => LISTED.test(line) && tellsStep(line)).length >= LEAST_LISTED;
}

function tellsStep(line: string): boolean {
  const found = line.length > LOOKED_INTO ? null : stepLine(line, false);
  return found !== null && /\d/.test(found.rest);
}

/** A full stop behind a word: programs say little in whole sentences. */
const REPORT = /[\p{L}\d)"”%][.!:。！：…](?:["”)\s]|$)/u;
/** What somebody sets above what they paste. */
const HEADING = /[.:。：]\s*$/u;
const LEAST_HEADING = 4; // Words.
const APART = 40; // Lines that are looked at from the beginning and from the end.

/** The first line, with an empty one behind it: a program that prints an empty line has printed more before. */
function isHeading(first: string, all: readonly string[]): boolean {
  return first.length <= LOOKED_INTO && all.indexOf(first) === 0 && all[1]?.trim() === "" && HEADING.test(first) &&
    !PRINTED.test(first) && !mayBeMessage(first) && isSentence(first, LEAST_HEADING);
}

/** Lines with an empty one before or behind them, or at an end of the text: a paragraph begins or ends there. */
function apartIn(all: readonly string[]): string[] {
  const apart = all.filter((line, i) =>
    line.trim() !== "" && line.length <= MAX_SENTENCES &&
    ((all[i - 1] ?? "").trim() === "" || (all[i + 1] ?? "").trim() === "")
  );
  return apart.length <= 2 * APART ? apart : [...apart.slice(0, APART), ...apart.slice(-APART)];
}

/** A line without what people set before and behind their words. */
function spoken(line: string): string {
  const plain = plainCharacters(line.replace(/\r$/, "")), said = chatLine(plain)?.rest ?? plain;
  return said.replace(/^\s*(?:[-*+•>]\s+|#{1,6}\s+)+/, "").replace(PICTURES, "");
}

function saysSomething(line: string): boolean {
  return clausesOf([{ text: line.slice(0, LOOKED_INTO), number: 1, ended: true }]).some((clause) => {
    const { claims, values } = readClause(clause, "author", []);
    return claims.length + values.length > 0;
  });
}
