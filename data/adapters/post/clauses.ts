/** Cuts prose into sentences and clauses, each with the line that it begins on. @module */
import type { Line } from "../source/lines.ts";
import { withoutMargins } from "./numbers/margins.ts";
import { withDecimalPoints } from "./numbers/decimal_commas.ts";
import { unseenIn } from "./stance/hearsay.ts";
import { presentOf } from "./stance/now_with.ts";
import { inTime } from "./numbers/numbers_in_time.ts";
import { withoutReported } from "./stance/reported_speech.ts";
import { isOfNow, settledIn, wellFrom } from "./stance/settled.ts";
import { foundNone, isNo, isNotSo } from "./stance/takes_back.ts";

export interface Clause {
  readonly text: string;
  readonly line: number;
  /** What stands in the text, where numbers were set in their order in time to be read. */
  readonly written?: string;
  /** The sentence that it is a part of. */
  readonly sentence: string;
  /** The same as it is written. */
  readonly whole: string;
  readonly isQuestion: boolean;
  /** The first of its sentence. */
  readonly isFirst: boolean;
  /** It tells of the time before something was solved, or is asked and denied. */
  readonly isApart: boolean;
}

/** A full stop ends a sentence; a point within a number or a name does not. */
const SENTENCE_END =
  /[。？；]|！(?<!["“”'「『`（(！]！)(?!！|["”'」』`）)])|[!?;](?=\s|$|["'”’)\]])|\.(?=\s|$|["'”’)\]])(?<!\b(?:e\.g|i\.e|vs|etc|approx|ca|z\.B|resp|Fig)\.)(?!(?<=\bNo\.)\s*\d)/gu;
/** Commas that are no part of a number, and words that set one statement against another. */
const CLAUSE_END =
  /(?<!\d)[，、]|[，、](?!\s*\d)|：(?!\s*[-+~≈约]?\d)|(?:,(?!\d)|(?<=\d),(?=\s))(?!\s*(?:(?:and )?(?:then|dann|puis|luego|después|depois|потом|затем) )?[-+~≈]?\d[\d.,eE+-]*%?\s*(?:[,;)(→]|\.\.|$|then\b))|:(?=\s)(?!\s*(?:(?:from|de|desde|von|от|с|about|around|some|~|≈) ?)?(?:[-+]?\d|true\b|false\b|none\b|null\b|nan\b|["'\[]))|\s[–—-]{1,2}\s|\((?=[^)]{3})(?!\p{L}+\))|（|(?<=.)\s(?=(?:but|while|whereas|although|though|however|because|so that|since then|mais|tandis que|aber|während|pero|mientras|mas|enquanto|но|а|хотя)\s)|(?:但是?|而且?|然而|不过|可是|虽然|けど|けれど|しかし|ですが|지만|는데|하지만)/giu;
/** A sentence goes on after these without a space, but for words and figures of Latin script. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}，。、]$/u;
const MAX_SENTENCE = 2000, MAX_CLAUSE = 600; // Characters.
const MAX_CLAUSES = 60; // Of a sentence; what goes on is a list.

/** The clauses of a paragraph, whose lines belong together: pictures and mails break a sentence into several. */
export function clausesOf(lines: readonly Line[]): Clause[] {
  const starts: { readonly at: number; readonly line: number }[] = [];
  let text = "";
  for (const { text: part, number } of lines) {
    const isBroken = UNSPACED.test(text.slice(-2)) && !/^\s*[A-Za-z\d]/.test(part),
      glue = text === "" || isBroken ? "" : " ";
    starts.push({ at: text.length + glue.length, line: number });
    text += glue + part.trim();
  }
  const lineAt = (at: number) => starts.findLast((start) => start.at <= at)?.line ?? lines[0]!.number;
  const clauses: Clause[] = [];
  const sentences = parts(inTime(withoutReported(withoutMargins(withDecimalPoints(text)))), SENTENCE_END).map(
    ({ part: sentence, at, end }) => {
      const isQuestion = /[?？]/.test(end) || /(?:吗|呢|か|까요?)$/u.test(sentence.trim());
      return { sentence, at, isQuestion };
    },
  );
  const settled = settledIn(sentences);
  const unseen = unseenIn(sentences.map(({ sentence }) => ({ sentence: sentence.slice(0, MAX_SENTENCE) })));
  for (const [n, { sentence, at, isQuestion }] of sentences.entries()) {
    const told = sentence.slice(0, MAX_SENTENCE),
      next = sentences[n + 1]?.sentence ?? "",
      wellAt = isQuestion || presentOf(told) !== null ? -1 : wellFrom(told);
    parts(told, CLAUSE_END).slice(0, MAX_CLAUSES).forEach((clause, i) => {
      if (!/[^\s.,;:…]/.test(clause.part)) return;
      const read = clause.part.slice(0, MAX_CLAUSE),
        from = at + clause.at,
        // Every text keeps its length.
        written = text.slice(from, from + read.length);
      clauses.push({
        text: read,
        ...(written === read ? {} : { written }),
        line: lineAt(at + clause.at + leading(clause.part)),
        sentence,
        whole: text.slice(at, at + sentence.length).trim(),
        isQuestion,
        isFirst: i === 0,
        isApart: isQuestion && isNo(next) || isNotSo(next) || foundNone(next) || unseen[n]! ||
          clause.at + clause.part.length <= wellAt ||
          settled[n]! && !isOfNow(sentence.slice(0, clause.at), clause.part),
      });
    });
  }
  return clauses;
}

const leading = (text: string) => text.length - text.trimStart().length;

/** The parts between the matches, with where each begins and what ended it. */
function parts(text: string, ends: RegExp) {
  const found: { readonly part: string; readonly at: number; readonly end: string }[] = [];
  let from = 0;
  for (const { index, 0: end } of text.matchAll(ends)) {
    if (index < from) continue;
    // A conjunction that is a word of its own opens the next part.
    const isWord = /\p{L}/u.test(end);
    found.push({ part: text.slice(from, index), at: from, end });
    from = isWord ? index : index + end.length;
    if (isWord && from === found.at(-1)!.at) from = index + end.length;
  }
  found.push({ part: text.slice(from), at: from, end: "" });
  return found.filter(({ part }) => part.trim() !== "");
}
