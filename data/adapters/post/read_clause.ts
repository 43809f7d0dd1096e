/** Reads one clause: which metric or text is spoken of, what is said of it, with which numbers, for which train steps. @module */
import type { Clause } from "./clauses.ts";
import { goldShare } from "./gold_share.ts";
import { slowsDown } from "./pace.ts";
import { type Mention, mentionsIn } from "./mentions.ts";
import { numberClaims } from "./number_claims.ts";
import { type ClauseNumber, numbersIn, writtenNumber } from "./numbers.ts";
import { idiomsIn } from "./idioms_in.ts";
import type { Claim, Span, Speaker, ToldValue } from "./said.ts";
import { hasNone, holdsDenial, isContrast, isDenied, isOver, isUnstated } from "./stance_of.ts";
import { expression, type Hit, wordTable } from "./words/match.ts";
import { type Predicate, type PredicateName, PREDICATES } from "./words/predicates.ts";
import { ELSEWHERE, RARELY, THROUGHOUT } from "./words/stance.ts";
import type { SubjectName } from "./words/subjects.ts";

export interface Said {
  readonly claims: readonly Claim[];
  readonly values: readonly ToldValue[];
  /** What is spoken of last: a clause without a subject goes on about it. */
  readonly mentions: readonly Mention[];
}

/** A denial is part of the words of some predicates: "does not rise". Where they hold none, one before them denies them. */
function isPredicateDenied({ name, at, end }: Hit<PredicateName>, text: string, from = 0): boolean {
  const denies = (PREDICATES[name] as Predicate).denies === true && holdsDenial(text.slice(at, end));
  return !denies && isDenied(text, at, end, from);
}

const predicatesIn = wordTable<PredicateName>(PREDICATES);
const [rarely, elsewhere, throughout] = [RARELY, ELSEWHERE, THROUGHOUT].map(([words, signs]) =>
  expression(words, signs)
) as [RegExp, RegExp, RegExp];
const has = (pattern: RegExp, text: string) => text.search(pattern) >= 0;

const GAP = 48; // Characters between a subject and its number.

/** An option beside a word of health is a setting under which it works. */
const FLAG = /--\w|\b[A-Za-z_]\w*=\S/,
  fine = expression(`${PREDICATES.readable.words}|works`, PREDICATES.readable.signs);

/** A clause that goes on about what another paragraph spoke of. */
const PRONOUN =
  /^\s*(?:they|it|these|those|this|that|both|all of them|all|它们?|这些?|那些?|两者|二者|都|それ(?:ら)?|これ(?:ら)?|どちらも|이(?:것|들)|그(?:것|들)|ils|elles|ça|cela|les deux|sie|es|diese|beide|ellos|esto|ambos|eles|isso|они|это|оба)(?![\p{L}])/iu;

/** Reads a clause of a speaker; `before` is what the clauses before it spoke of, in its paragraph or (`apart`) before that. */
export function readClause(clause: Clause, by: Speaker, before: readonly Mention[], apart = false): Said {
  if (apart && !PRONOUN.test(clause.text)) before = [];
  const { text, line, sentence } = clause;
  const mentions = mentionsIn(text), numbers = numbersIn(text);
  const isElsewhere = has(elsewhere, text) || isOver(text, sentence) || FLAG.test(sentence) && has(fine, sentence) ||
    !clause.isFirst && has(elsewhere, sentence.slice(0, sentence.indexOf(text))) ||
    isContrast(sentence.slice(sentence.indexOf(text) + text.length));
  if (isUnstated(text, sentence, clause.isQuestion)) return { claims: [], values: [], mentions };
  const span = spanOf(clause, numbers), said = { ...span, line, text: text.trim() };
  const gold = goldShare(text, sentence);
  // A share of gold pairs is no figure of the run's own.
  const values = isElsewhere || by !== "author" || gold !== null
    ? []
    : valuesOf(text, mentions, numbers).map((one) => ({ ...one, ...said }));
  const carried = isElsewhere || by !== "author" || mentions.length > 0 ? [] : carriedOn(text, before, numbers);
  const listed = isElsewhere || by !== "author" ? [] : listedAt(text, mentions.length > 0 ? mentions : before);
  const hits = predicatesIn(text), isMoving = hits.some(({ name }) => MOVES.has(name));
  const claims: Claim[] = values.flatMap((value): Claim[] => {
    const subject = mentions.find(({ at, end }) => text.slice(at, end) === value.printed)?.subject ?? null;
    return subject === null
      ? []
      : numberClaims(subject, value, isMoving ? { ...span, throughout: false } : span, text).map((one) => ({
        subject,
        ...one,
        by,
        elsewhere: false,
        ...said,
      }));
  });
  for (const { subject, ...value } of carried) {
    if (subject === null) continue;
    for (const one of numberClaims(subject, value, { ...span, throughout: false }, text)) {
      claims.push({ subject, ...one, by, elsewhere: false, ...said });
    }
  }
  for (const [i, hit] of hits.entries()) {
    if (hasNone(text, hit.name)) continue;
    for (const subject of spokenOf(hit, text, mentions, before)) {
      if (
        isPredicateDenied(hit, text, hits[i - 1]?.end) ||
        claims.some((one) => one.subject === subject && one.predicate === hit.name)
      ) continue;
      const value = values.find(({ printed }) =>
        mentions.some((m) => m.subject === subject && text.slice(m.at, m.end) === printed)
      )?.values.at(-1) ?? null;
      claims.push({ subject, predicate: hit.name, value, by, elsewhere: isElsewhere, ...said });
    }
  }
  for (const { subject, predicate, elsewhere: isOther } of idiomsIn(clause)) {
    if (claims.some((one) => one.subject === subject && one.predicate === predicate)) continue;
    claims.push({ subject, predicate, value: null, by, elsewhere: isElsewhere || isOther, ...said });
  }
  if (clause.isFirst && slowsDown(sentence)) {
    claims.push({ subject: "step_time", predicate: "slows", value: null, by, elsewhere: isElsewhere, ...said });
  }
  if (gold !== null) claims.push({ subject: "gold", by, elsewhere: isElsewhere, ...gold, ...said });
  if (has(rarely, text)) return { claims: peaksOf(claims), values: [], mentions };
  return {
    claims,
    values: [
      ...values,
      ...carried.map(({ subject: _, ...one }) => ({ ...one, ...said })),
      ...listed.filter(({ values: [told], from }) =>
        from !== span.from || !values.some((one) => one.values[0] === told)
      )
        .map((one) => ({ ...one, line, text: text.trim() })),
    ],
    mentions,
  };
}

/** What a gradient does now and then are peaks; of all else it says nothing of the run. */
const peaksOf = (claims: readonly Claim[]): Claim[] =>
  claims.filter(({ subject, predicate }) => subject === "grad_norm" && PEAKS.has(predicate)).map((claim) => ({
    ...claim,
    predicate: "noisy" as const,
  }));
const PEAKS: ReadonlySet<PredicateName> = new Set<PredicateName>(["noisy", "explodes", "rises", "high"]);

/** "…, between 0.2 and 0.4": numbers of what the clause before spoke of. */
const CARRIES =
  /^\s*(?:(?:is |are |was |it'?s |it is |now |sits |stays |stuck |hovers |always |一直|始终|基本|大概|稳定|维持|都)*(?:at|between|around|about|from|in|在|约|为|是|从|entre|um|zwischen|около|между))?\s*[~≈]?\s*[-+]?\d/iu;

function carriedOn(text: string, before: readonly Mention[], numbers: readonly ClauseNumber[]) {
  const last = before.findLast(({ name }) => name !== null);
  if (
    last === undefined || !CARRIES.test(text) ||
    !/^\s*\D*?(?:at|between|around|about|from|在|约|entre|um|zwischen|около|между)/iu.test(text)
  ) return [];
  return valuesOf(text, [{ ...last, at: 0, end: 0 }], numbers).map((one) => ({
    ...one,
    subject: last.subject,
    printed: last.name!,
  }));
}

/** `38.7 at step 655`: a number with its train step, of what was spoken of last. */
const AT =
  /(?<![\p{L}\d_./-])([-+]?\d[\d.,]*(?:[eE][-+]?\d+)?)\s*(?:at|@|on|in|à|bei|em|en|на)\s*(?:l'|the )?(?:step|iter(?:ation)?|étape|Schritt|paso|passo|шаге)?\s*#?(\d{1,7})(?![\d.,%]\d|%)/giu;

function listedAt(text: string, mentions: readonly Mention[]): Omit<ToldValue, "line" | "text">[] {
  const name = mentions.findLast((one) => one.name !== null)?.name ?? null;
  if (name === null || !/step|iter|étape|Schritt|paso|passo|шаг/iu.test(text) && !/^\s*~?\d/.test(text)) return [];
  return [...text.matchAll(AT)].map(([, raw, step]) => {
    const { value, decimals } = writtenNumber(raw!);
    const at = Number(step);
    return { printed: name, name, values: [value], relation: "is", decimals, from: at, to: at, throughout: false };
  });
}

/** What is said to move has not the one number all along. */
const MOVES: ReadonlySet<PredicateName> = new Set<PredicateName>([
  "rises",
  "falls",
  "explodes",
  "collapses",
  "worsens",
  "noisy",
]);

/** What is meant where nothing is named, or something else: noise, loops and the like are of completions. */
const USUAL: Partial<Readonly<Record<PredicateName, readonly SubjectName[]>>> = {
  same_everywhere: ["completions", "policy", "training"],
  token_zero: ["completions", "policy"],
  cheats: ["training", "completions", "reward", "policy", "accuracy_reward", "format_reward"],
  hangs: ["training", "completions"],
  slows: ["training", "step_time", "policy"],
  killed: ["training", "policy", "completions"],
  overflows: ["training", "policy", "completions"],
  frozen: ["parameters", "policy"],
  repeats: ["completions", "policy", "training"],
  memorised: ["policy", "training", "completions", "evaluation"],
  forgets: ["policy", "evaluation", "training", "completions"],
};

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
    const spoken = subjects(next === undefined ? before : [next]), usual = USUAL[hit.name];
    return usual !== undefined && !spoken.some((one) => usual.includes(one)) ? usual.slice(0, 1) : spoken;
  }
  return subjects(coordinated(text, mentions, headOf(text, mentions, last)));
}

/** "The logits in the generation of step 2 are NaN": it is said of the logits. */
const WITHIN =
  /^\s*(?:(?:of|in|on|over|during|for|from|de|du|des|dans|sur|pendant|der|des|von|auf|im|en|del|durante|do|da|em|na|no|nos|от|на|для)\s+(?:the |my |our |this |each |every |le |la |les |el |o |a |os |as |den |dem |der )?|d'|de l')$/iu;
/** "chosen 側の報酬": whose reward it is, is what it is said of. */
const WHOSE = /^\s*(?:侧|端|側|一侧|那边|쪽|样本|回答|応答|응답|답변|那个)?\s*(?:的|の|의)?\s*$/u,
  OWNERS: ReadonlySet<SubjectName | null> = new Set<SubjectName | null>(["chosen", "rejected", "eval_loss"]),
  OWNED: ReadonlySet<SubjectName | null> = new Set<SubjectName | null>(["reward", "logprobs", "completions"]);

function headOf(text: string, mentions: readonly Mention[], last: number): number {
  let head = last;
  while (head > 0) {
    const [own, next] = [mentions[head - 1]!, mentions[head]!], between = text.slice(own.end, next.at);
    const isOwned = OWNERS.has(own.subject) && OWNED.has(next.subject) && WHOSE.test(between);
    if (!isOwned && !WITHIN.test(between)) break;
    head--;
  }
  return head;
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
  /^\s*(?:to|and|->|→|=>|~|-|–|—|up to|down to|(?:下降|上升|提升|增长|降低|提高|降|升|涨|跌|掉)?[到至]|から|からは|에서|à|bis|auf|zu|und|et|a|até|para|hasta|hacia|до|на|и)\s*(?:about |around |约|大约)?$/iu;
const COURSE =
  /^\s*(?:to|->|→|=>|up to|down to|(?:下降|上升|提升|增长|降低|提高|降|升|涨|跌|掉)?[到至]|から|에서|à|bis|auf|zu|a|até|para|hasta|hacia|до|на)/iu;

const SERIES = 3; // Numbers in a row that are a course.
/** What stands between the numbers of one. */
const NEXT =
  /^\s*(?:\([^)]*\)|（[^）]*）)?\s*(?:->|→|=>|,|、|，|\/|\||;|[;,]?\s*(?:and )?(?:then|later|now)|[;,]?\s*(?:puis|dann|luego|después|depois|потом|затем)|然后|再到?|接着|\s(?=[\s\d]|$))\s*(?:then|at|now)?\s*$/iu;

/** The numbers that stand in one row behind each other. */
function seriesOf(text: string, numbers: readonly ClauseNumber[]): number[] {
  const end = numbers.findIndex((one, i) => i > 0 && !NEXT.test(text.slice(numbers[i - 1]!.end, one.at)));
  return numbers.slice(0, end < 0 ? undefined : end).map(({ value }) => value);
}

/** Values that stand behind a mention, or right before it ("0 reward"). */
function valuesOf(text: string, mentions: readonly Mention[], numbers: readonly ClauseNumber[]) {
  const values = numbers.filter(({ kind }) => kind === "value"),
    found: Omit<ToldValue, keyof Span | "line" | "text">[] = [],
    taken = new Set<number>();
  mentions.forEach((mention, i) => {
    // "The loss of the model goes from 1.4 to 6.8": whose it is takes no numbers.
    const isWhose = ({ name }: Mention, k: number) =>
      name === null && WITHIN.test(text.slice(mentions[k - 1]!.end, mentions[k]!.at));
    const end = mentions.find((next, k) => k > i && !isWhose(next, k))?.at ?? text.length;
    const own = values.filter(({ at }) => at >= mention.end && at < end);
    const before = values.find((one) =>
      one.end <= mention.at && (one.value === 0 || one.decimals > 0) &&
      /^\s*(?:的|の)?\s*$/u.test(text.slice(one.end, mention.at))
    );
    const first = own[0] !== undefined && own[0].at - mention.end <= GAP ? own[0] : before;
    if (
      first === undefined || first !== before && NOT_SO.test(text.slice(mention.end, first.at)) ||
      /^\s?(?:では|じゃ)(?:な|あり)/.test(text.slice(first.end))
    ) return;
    const dashed = /^\s*[-–~～]\s*(\d[\d.,]*\d|\d)(?![\d%])/.exec(text.slice(first.end));
    const second = dashed === null ? own[1] : { value: writtenNumber(dashed[1]!).value, at: first.end + 1 };
    const between = second === undefined ? "" : dashed === null ? text.slice(first.end, second.at) : "-";
    const series = seriesOf(text, own);
    const isPair = second !== undefined && first === own[0] && TWO.test(between);
    const isCourse = isPair && COURSE.test(between) &&
      !/(?:between|ranges?|around|在)\s*$/iu.test(text.slice(mention.end, first.at));
    // Of a list that shares a value each gets it: "loss and grad_norm are 0".
    for (const one of first === before ? [mention] : coordinated(text, mentions, i)) {
      // A rate in a sentence is an option; only that it is 0 is seen in a log.
      if (
        one.name === null || one.subject === "learning_rate" && first.value !== 0 || taken.has(one.at)
      ) continue;
      taken.add(one.at);
      found.push({
        printed: text.slice(one.at, one.end),
        name: one.name,
        ...(series.length >= SERIES && first === own[0]
          ? { values: series, relation: "series" as const }
          : isPair
          ? { values: alike(text, first, second), relation: isCourse ? "course" as const : "between" as const }
          : { values: [first.value], relation: "is" as const }),
        decimals: first.decimals,
      });
    }
  });
  return found;
}

/** "50 to 61 %": both are percent. */
function alike(text: string, first: ClauseNumber, second: { readonly value: number; readonly at: number }): number[] {
  const isPercent = /^[-+]?[\d.,]+\s?[%％]/.test(text.slice(second.at).trimStart());
  const isBare = !/[%％]/.test(text.slice(first.at, first.end)) && first.value > 1;
  return [isPercent && isBare && second.value <= 1 ? first.value / 100 : first.value, second.value];
}

/** Right before a number: it is not that one. */
const NOT_SO =
  /(?:n't|\bnot|\bno longer|≠|!=|(?:没有?|不|并不|从不|从未|未)(?:曾|全|都|总|一直)?(?:是|为|等于|到)|并非|非|pas|nicht|\bno es|não é|\bне|ではな)\s*(?:be |equal(?: to)? |at |exactly |bei |à |de )?$/iu;

/** Of the end of a run. */
const END =
  /(?<![\p{L}])(?:at the (?:very )?end|towards? the end|in the end|(?:the )?last (?:step|update|iteration|record)|final(?:ly)?|after training|by the end|à la fin|am Ende|al final|no final|в конце)(?![\p{L}])|最后|最终|训练结束|训练后期|到后面|后期|終盤|最終的|마지막|끝에/iu;
/** Of its first record. */
const START =
  /(?<![\p{L}])(?:first (?:logged |printed |recorded |ever )?(?:loss|record|value|rewards?|kl|line|entry|margin)|initial (?:loss|rewards?|kl|margin|value)|premi[eè]re? (?:perte|valeur|ligne)|erste[rn]? (?:Loss|Verlust|Wert|Zeile)|primer[ao]? (?:pérdida|valor|línea)|primeir[ao] (?:perda|valor|linha)|перв(?:ая|ое|ый) (?:потеря|значение|запись|loss))(?![\p{L}])|最初の(?:loss|損失|値|記録)|初始的?(?:loss|损失|奖励|kl)|第一(?:条|行|个)(?:的)?(?:记录|loss|值)|첫\s?(?:loss|손실|값|기록)/iu;
/** From a train step on. */
const SINCE =
  /(?:from|since|after|starting (?:at|from)|dès|depuis|après|ab|seit|nach|desde|después de|после|начиная с|с|从|自|在)\s*(?:about |around |roughly |the |le |l'|el |o |dem |der |~|≈|大约)*(?:global[ _]|train(?:ing)?[ _])?(?:step|iteration|étape|pas|Schritt|paso|passo|шага?|第)?\s*#?[~≈:]?\s*$/iu;
const SINCE_AFTER =
  /^\s*(?:步|step|steps|ステップ|스텝)?\s*(?:起|开始|之后|以后|后|から|以降|부터|이후|on\b|onwards?)/iu;

/** True of a sentence that speaks of the whole run. */
export const holdsThroughout = (sentence: string): boolean => has(throughout, sentence);

/** For which train steps a clause speaks. */
function spanOf({ text, sentence }: Clause, numbers: readonly ClauseNumber[]): Span {
  const own = numbers.filter(({ kind }) => kind === "step" || kind === "steps");
  const all = own.length > 0 ? own : numbersIn(sentence).filter(({ kind }) => kind === "step" || kind === "steps");
  const source = own.length > 0 ? text : sentence;
  let from: number | null = null, to: number | null = null, isSince = false, isEnd = END.test(text);
  for (const { kind, value, at, end } of all) {
    const before = source.slice(Math.max(0, at - 16), at);
    if (kind === "steps") {
      if (
        /(?:last|final|后|最后|末|最後の?|直近|마지막|derni[eè]re?s?|letzten?|últim[ao]s|последни\p{L}*)\s*$/iu.test(
          before,
        )
      ) isEnd = true;
      else if (/(?:first|前|initial|最初の?|처음|premi[eè]re?s?|ersten?|primer[ao]s|первы\p{L}*)\s*$/iu.test(before)) {
        [from, to] = [1, value];
      } else to = Math.max(to ?? 0, value);
    } else if (/(?:until|till|up to|before|到|直到|まで|bis|hasta|até|до|jusqu'à)\W*(?:step|第)?\W*$/iu.test(before)) {
      to = value;
    } else {
      from = from === null ? value : Math.min(from, value);
      isSince ||= SINCE.test(before) || SINCE_AFTER.test(source.slice(end, end + 10));
    }
  }
  const isFirst = from === null && to === null && START.test(text) && !has(throughout, text);
  const isThroughout = has(throughout, text) || !isFirst && own.length === 0 && has(throughout, sentence);
  if (isFirst) from = to = 1;
  return {
    from,
    to,
    ...(isEnd ? { atEnd: true as const } : {}),
    throughout: isSince || isThroughout,
  };
}
