/** Reads one clause: which metric or text is spoken of, what is said of it, with which numbers, for which train steps. @module */
import { nameInfo } from "../intake/name_info.ts";
import type { Clause } from "./clauses.ts";
import { type ClauseNumber, numbersIn } from "./numbers.ts";
import type { Claim, Span, Speaker, ToldValue } from "./said.ts";
import { expression, type Hit, wordTable } from "./words/match.ts";
import { type Predicate, type PredicateName, PREDICATES } from "./words/predicates.ts";
import { DENIAL, ELSEWHERE, NOT_STATED, THROUGHOUT } from "./words/stance.ts";
import { type Subject, type SubjectName, SUBJECTS } from "./words/subjects.ts";

/** A mention of a metric, by a word of a language or by its name in a log. */
interface Mention {
  readonly subject: SubjectName | null;
  /** Its name for `nameInfo`; null where no column takes its numbers. */
  readonly name: string | null;
  readonly at: number;
  readonly end: number;
}

export interface Said {
  readonly claims: readonly Claim[];
  readonly values: readonly ToldValue[];
  /** What is spoken of last: a clause without a subject goes on about it. */
  readonly mentions: readonly Mention[];
}

const subjectsIn = wordTable<SubjectName>(SUBJECTS), predicatesIn = wordTable<PredicateName>(PREDICATES);
const [notStated, denial, elsewhere, throughout] = [NOT_STATED, DENIAL, ELSEWHERE, THROUGHOUT].map(([words, signs]) =>
  expression(words, signs)
) as [RegExp, RegExp, RegExp, RegExp];
const has = (pattern: RegExp, text: string) => text.search(pattern) >= 0;

/** Names as logs print them. */
const PRINTED = /[A-Za-z][\w@]*(?:[/_.-][\w@]+)+/g;
const GAP = 48; // Characters between a subject and its number.
const NEAR = 14; // Characters between a denial and what it denies.

/** The subject that numbers of a column are of; null for columns that nobody speaks of in words. */
function subjectOf(column: string): SubjectName | null {
  if (column.startsWith("reward.")) {
    return /format/i.test(column) ? "format_reward" : /iou/i.test(column) ? "iou_reward" : "accuracy_reward";
  }
  return (Object.entries(SUBJECTS) as [SubjectName, Subject][]).find(([, own]) => own.column === column)?.[0] ?? null;
}

function mentionsIn(text: string): Mention[] {
  const printed = [...text.matchAll(PRINTED)].flatMap(({ index: at, 0: name }): Mention[] => {
    const info = nameInfo(name);
    if (!info.mapped || info.isStep) return [];
    const subject = info.isEval ? "evaluation" : subjectOf(info.column);
    return [{ subject, name, at, end: at + name.length }];
  });
  const spoken = subjectsIn(text).filter(({ at, end }) => !printed.some((one) => at < one.end && end > one.at))
    .map(({ name, at, end }): Mention => ({ subject: name, name: SUBJECTS[name].column, at, end }));
  return [...printed, ...spoken].sort((a, b) => a.at - b.at);
}

/** Reads a clause of a speaker; `before` is what the clauses before it spoke of. */
export function readClause(clause: Clause, by: Speaker, before: readonly Mention[]): Said {
  const { text, line, sentence } = clause;
  const mentions = mentionsIn(text), numbers = numbersIn(text);
  if (mentions.length === 0 && before.length === 0) return { claims: [], values: [], mentions };
  const isElsewhere = has(elsewhere, text) ||
    !clause.isFirst && has(elsewhere, sentence.slice(0, sentence.indexOf(text)));
  if (has(notStated, text)) return { claims: [], values: [], mentions };
  const span = spanOf(clause, numbers), said = { ...span, line, text: text.trim() };
  const values = isElsewhere || by !== "author"
    ? []
    : valuesOf(text, mentions, numbers).map((one) => ({ ...one, ...said }));
  const claims: Claim[] = values.flatMap((value): Claim[] => {
    const subject = mentions.find(({ at, end }) => text.slice(at, end) === value.printed)?.subject ?? null;
    const [only] = value.values;
    return subject !== null && value.relation === "is" && only === 0
      ? [{ subject, predicate: "zero", value: 0, by, elsewhere: false, ...said }]
      : [];
  });
  for (const hit of predicatesIn(text)) {
    for (const subject of spokenOf(hit, text, mentions, before)) {
      if (isDenied(hit, text) || claims.some((one) => one.subject === subject && one.predicate === hit.name)) continue;
      const value = values.find(({ printed }) =>
        mentions.some((m) => m.subject === subject && text.slice(m.at, m.end) === printed)
      )?.values.at(-1) ?? null;
      claims.push({ subject, predicate: hit.name, value, by, elsewhere: isElsewhere, ...said });
    }
  }
  return { claims, values, mentions };
}

/** Is a predicate denied right before it, or right after as Japanese and Korean do? */
function isDenied({ name, at, end }: Hit<PredicateName>, text: string): boolean {
  if ((PREDICATES[name] as Predicate).denies === true) return false;
  const before = text.slice(Math.max(0, at - NEAR), at), after = text.slice(end, end + 6);
  // "No reward, all 0": a denial belongs to what follows it at once.
  return has(denial, before.replace(/^.*[,;]/s, "")) && !/(?:only|都|全)\s*$/.test(before) ||
    /^(?:では|じゃ)?(?:ない|ありません|않|지\s?않)/.test(after);
}

/** The subjects of a predicate. */
function spokenOf(hit: Hit<PredicateName>, text: string, mentions: readonly Mention[], before: readonly Mention[]) {
  const subjects = (of: readonly Mention[]) => [...new Set(of.flatMap(({ subject }) => subject ?? []))];
  const inside = mentions.filter(({ at, end }) => at >= hit.at && end <= hit.end);
  if (inside.length > 0) return subjects(inside);
  if ((PREDICATES[hit.name] as Predicate).before === true) {
    const next = mentions.find(({ at }) => at >= hit.end);
    if (next !== undefined && /^[\s-]*(?:的|の|な)?\s*(?:[\w]+\s)?$/u.test(text.slice(hit.end, next.at))) {
      return subjects([next]);
    }
  }
  const last = mentions.findLastIndex(({ end }) => end <= hit.at);
  if (last < 0) {
    const next = mentions.find(({ at }) => at >= hit.end);
    return subjects(next === undefined ? before : [next]);
  }
  return subjects(coordinated(text, mentions, last));
}

/** A mention and those that stand before it in one list: "loss and grad_norm". */
function coordinated(text: string, mentions: readonly Mention[], last: number): readonly Mention[] {
  let first = last;
  while (first > 0) {
    const between = text.slice(mentions[first - 1]!.end, mentions[first]!.at);
    if (
      !/^\s*(?:,|、|\/|&|\+|和|与|及|以及|跟|and|or|und|et|y|e|и|と|や|과|와|及び)?\s*(?:the |also |même |die |la |le |el )?$/iu
        .test(between)
    ) break;
    first--;
  }
  return mentions.slice(first, last + 1);
}

const TWO =
  /^\s*(?:to|and|->|→|=>|~|-|–|—|up to|down to|到|至|から|からは|에서|à|bis|und|et|a|até|hasta|до|и)\s*(?:about |around |约|大约)?$/iu;
const COURSE = /^\s*(?:to|->|→|=>|up to|down to|到|至|から|에서|à|bis|a|até|hasta|до)/iu;

/** Values that stand behind a mention, or right before it ("0 reward"). */
function valuesOf(text: string, mentions: readonly Mention[], numbers: readonly ClauseNumber[]) {
  const values = numbers.filter(({ kind }) => kind === "value"),
    found: Omit<ToldValue, keyof Span | "line" | "text">[] = [];
  mentions.forEach((mention, i) => {
    const end = mentions[i + 1]?.at ?? text.length;
    const own = values.filter(({ at }) => at >= mention.end && at < end);
    const before = values.find((one) =>
      one.end <= mention.at && /^\s*(?:的|の)?\s*$/u.test(text.slice(one.end, mention.at))
    );
    const first = own[0] !== undefined && own[0].at - mention.end <= GAP ? own[0] : before;
    if (first === undefined) return;
    const second = own[1], between = second === undefined ? "" : text.slice(first.end, second.at);
    const isPair = second !== undefined && first === own[0] && TWO.test(between);
    const isCourse = isPair && COURSE.test(between) &&
      !/(?:between|ranges?|around|在)\s*$/iu.test(text.slice(mention.end, first.at));
    // Of a list that shares a value each gets it: "loss and grad_norm are 0".
    for (const one of first === before ? [mention] : coordinated(text, mentions, i)) {
      if (one.name === null || found.some(({ printed }) => printed === text.slice(one.at, one.end))) continue;
      found.push({
        printed: text.slice(one.at, one.end),
        name: one.name,
        values: isPair ? [first.value, second.value] : [first.value],
        relation: isPair ? (isCourse ? "course" : "between") : "is",
        decimals: first.decimals,
      });
    }
  });
  return found;
}

/** For which train steps a clause speaks. */
function spanOf({ text, sentence }: Clause, numbers: readonly ClauseNumber[]): Span {
  const own = numbers.filter(({ kind }) => kind === "step" || kind === "steps");
  const all = own.length > 0 ? own : numbersIn(sentence).filter(({ kind }) => kind === "step" || kind === "steps");
  const source = own.length > 0 ? text : sentence;
  let from: number | null = null, to: number | null = null;
  for (const { kind, value, at } of all) {
    const before = source.slice(Math.max(0, at - 16), at);
    if (kind === "steps") {
      if (/(?:first|前|initial|最初の?|처음)\s*$/iu.test(before)) [from, to] = [1, value];
      else to = Math.max(to ?? 0, value);
    } else if (/(?:until|till|up to|before|到|直到|まで|bis|hasta|até|до|jusqu'à)\W*(?:step|第)?\W*$/iu.test(before)) {
      to = value;
    } else from = from === null ? value : Math.min(from, value);
  }
  return { from, to, throughout: has(throughout, text) || own.length === 0 && has(throughout, sentence) };
}
