/** Reads one clause: which metric or text is spoken of, what is said of it, with which numbers, for which train steps. @module */
import type { Clause } from "./clauses.ts";
import { setsOption } from "./prose_settings.ts";
import { presentOf, wasSet } from "./stance/now_with.ts";
import { perSequence } from "./numbers/per_sequence.ts";
import { withoutChanges } from "./numbers/number_changes.ts";
import { respectivePairs } from "./numbers/respective.ts";
import { risesBack, withRise } from "./numbers/rises_back.ts";
import { withoutBounds } from "./numbers/bounds.ts";
import { carriedOn, carriedScore } from "./numbers/carried_on.ts";
import { fallsBack, isDip, withFall } from "./numbers/falls_back.ts";
import { groupShare, stepShare } from "./numbers/group_share.ts";
import { goldShare } from "./numbers/gold_share.ts";
import { isGuess } from "./stance/guesses.ts";
import { slowsDown } from "./numbers/pace.ts";
import { type Mention, mentionsIn } from "./mentions.ts";
import { shareAtCap } from "./numbers/share_at_cap.ts";
import { isNumberDenied } from "./numbers/denied_numbers.ts";
import { numberClaims } from "./numbers/number_claims.ts";
import { type ClauseNumber, numbersIn } from "./numbers/numbers.ts";
import { atSteps, isSame, listedAt } from "./numbers/listed_values.ts";
import { withHeldOutLoss } from "./numbers/held_out_loss.ts";
import { valuesOf } from "./numbers/told_values.ts";
import { timeOf, withSpans } from "./numbers/value_spans.ts";
import { isElseCase, isScheme, withoutScheme } from "./stance/reward_scheme.ts";
import { idiomsIn } from "./idioms_in.ts";
import type { Claim, Speaker, ToldValue } from "./said.ts";
import { echoesOnce, recitesRows } from "./stance/recites.ts";
import { isSmallDifference } from "./numbers/small_difference.ts";
import { isOfNumbers } from "./numbers/same_numbers.ts";
import { isFixed, isOfNow, wasWell } from "./stance/settled.ts";
import { holdsThroughout, spanOf } from "./span.ts";
import { hasNone, holdsDenial, isContrast, isDenied, isOver, isUnstated } from "./stance/stance_of.ts";
import { MOVES, spokenOf } from "./spoken_of.ts";
import { isJest, isOfAnother } from "./stance/takes_back.ts";
import { expression, has, type Hit, wordTable } from "./words/match.ts";
import { type Predicate, type PredicateName, PREDICATES } from "./words/predicates.ts";
import { ELSEWHERE, RARELY } from "./words/stance.ts";
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
const [rarely, elsewhere] = [expression(...RARELY), expression(...ELSEWHERE)];

/** An option beside a word of health is a setting under which it works. */
const FLAG = /--\w|\b[A-Za-z_]\w*=\S/,
  fine = expression(`${PREDICATES.readable.words}|works`, PREDICATES.readable.signs);

/** A clause that goes on about what another paragraph spoke of. */
const PRONOUN =
  /^\s*(?:they|it|these|those|this|that|both|all of them|all|它们?|这些?|那些?|两者|二者|都|それ(?:ら)?|これ(?:ら)?|どちらも|이(?:것|들)|그(?:것|들)|ils|elles|ça|cela|les deux|sie|es|diese|beide|ellos|esto|ambos|eles|isso|они|это|оба)(?![\p{L}])/iu;

const FINE: ReadonlySet<PredicateName> = new Set<PredicateName>(["readable", "correct"]);

/** Reads a clause of a speaker; `before` is what the clauses before it spoke of, in its paragraph or (`apart`) before that. */
export function readClause(
  clause: Clause,
  by: Speaker,
  before: readonly Mention[],
  apart = false,
  asked = before,
): Said {
  if (apart && !PRONOUN.test(clause.text)) before = [];
  const { text, line, sentence } = clause;
  const mentions = withHeldOutLoss(shareAtCap(mentionsIn(text), text, sentence), text, sentence),
    all = withoutScheme(text, sentence, mentions, withoutChanges(text, numbersIn(text)));
  const { numbers, isBound } = withoutBounds(text, mentions.length > 0 ? mentions : before.slice(-1), all);
  const at = sentence.indexOf(text), isSince = wasWell(sentence.slice(0, at)), rest = sentence.slice(at + text.length);
  const isElsewhere = clause.isApart || isFixed(text, clause.isQuestion) || !isSince && has(elsewhere, text) ||
    isOver(text, sentence) || isBeforeNow(clause) || FLAG.test(sentence) && has(fine, sentence) ||
    !clause.isFirst && !isSince && !isOfNow("", text) && has(elsewhere, sentence.slice(0, at)) ||
    isContrast(rest) || isJest(rest) || isOfAnother(rest);
  if (isUnstated(text, sentence, clause.isQuestion) || isElseCase(text)) {
    return { claims: [], values: [], mentions };
  }
  const whole = spanOf(clause, all), span = isBound ? { ...whole, throughout: false } : whole;
  const said = { ...span, line, text: text.trim() }, inAll = { ...said, text: clause.whole };
  const gold = goldShare(text, sentence);
  const fallen = fallsBack(sentence), risen = isElsewhere || by !== "author" ? null : risesBack(sentence);
  const hits = predicatesIn(text).filter((hit) =>
      isWhole(hit, text) && !isOfName(hit, text) && !(JUDGES.has(hit.name) && isScheme(sentence))
    ),
    isMoving = hits.some(({ name }) => MOVES.has(name));
  // A share of gold pairs is no figure of the run's own.
  const figures = isElsewhere || gold !== null ? [] : withSpans(clause, clauseValues(clause, mentions, numbers), span)
    .filter((one) => !isValueDenied(one, text, mentions, numbers))
    .map((one) => ({
      ...one,
      name: perSequence(one.name, sentence),
      line,
      text: said.text,
      ...(isMoving && !holdsThroughout(text) ? { throughout: false } : {}),
    }));
  const isNamed = isElsewhere || by !== "author" || mentions.some(({ name }) => name !== null),
    score = isNamed ? [] : carriedScore(text, asked, numbers),
    carried = isNamed || score.length > 0 || mentions.length > 0 ? score : carriedOn(text, before, numbers);
  const listed = isElsewhere || by !== "author"
    ? []
    : listedAt(text, mentions.length > 0 ? mentions : before, numbers, mentions.length > 0);
  const values = by === "author" ? atSteps(figures, listed) : [];
  const claims: Claim[] = (by === "author" ? values : figures).flatMap((value): Claim[] => {
    const subject = mentions.find(({ at, end }) => text.slice(at, end) === value.printed)?.subject ?? null;
    return subject === null ? [] : numberClaims(
      subject,
      value,
      isMoving || value.reached && !value.throughout ? { ...span, throughout: false } : span,
      text,
    ).map((
      one,
    ) => ({
      subject,
      ...one,
      by,
      elsewhere: false,
      line,
      text: said.text,
      ...timeOf(value),
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
    // Whether it is fine is asked, not said.
    if (clause.isQuestion && FINE.has(hit.name)) continue;
    for (const subject of spokenOf(hit, text, mentions, before)) {
      if (
        isPredicateDenied(hit, text, hits[i - 1]?.end) ||
        claims.some((one) => one.subject === subject && one.predicate === hit.name)
      ) continue;
      const told = values.find(({ printed }) =>
        mentions.some((m) => m.subject === subject && text.slice(m.at, m.end) === printed)
      );
      const value = told?.values.at(-1) ?? null, time = told === undefined ? span : timeOf(told);
      claims.push({ subject, predicate: hit.name, value, by, elsewhere: isElsewhere, line, text: said.text, ...time });
    }
  }
  const isEcho = echoesOnce(text, sentence);
  // It answers badly, and is stuck in no loop.
  if (isEcho) {
    claims.push({ subject: "completions", predicate: "worsens", value: null, by, elsewhere: isElsewhere, ...said });
  }
  if (recitesRows(text) && !claims.some(({ predicate }) => predicate === "memorised")) {
    claims.push({ subject: "policy", predicate: "memorised", value: null, by, elsewhere: isElsewhere, ...said });
  }
  for (const { subject, predicate, isWhole, elsewhere: isOther } of idiomsIn(clause)) {
    if (JUDGES.has(predicate) && isScheme(sentence)) continue;
    if (claims.some((one) => one.subject === subject && one.predicate === predicate)) continue;
    claims.push({
      subject,
      predicate,
      value: null,
      by,
      elsewhere: isElsewhere || isOther,
      ...(isWhole ? inAll : said),
    });
  }
  if (clause.isFirst && slowsDown(sentence)) {
    claims.push({ subject: "step_time", predicate: "slows", value: null, by, elsewhere: isElsewhere, ...inAll });
  }
  if (gold !== null) claims.push({ subject: "gold", by, elsewhere: isElsewhere, ...gold, ...said });
  if (clause.isFirst && fallen !== null && fallen.predicate !== null) {
    const { subject, predicate, value } = fallen;
    claims.push({ ...inAll, subject, predicate, value, by, elsewhere: isElsewhere });
  }
  // Behind what is said of its fall: the last part counts.
  if (risen !== null && !/[\p{L}\d]/u.test(rest)) {
    claims.push({
      ...inAll,
      subject: risen.subject,
      predicate: "rises",
      value: risen.values.at(-1)!,
      by,
      elsewhere: false,
    });
  }
  const shared = by === "author" && !isElsewhere
    ? claims.filter((one) => isOfTies(one) && groupShare(one.text) !== null)
    : [];
  if (shared.length > 0) {
    claims.splice(0, claims.length, ...claims.filter((one) => !shared.includes(one)));
    const share = groupShare(text);
    if (share !== null) {
      values.push({
        printed: "groups",
        name: "frac_reward_zero_std",
        values: [share],
        relation: "is",
        decimals: 3,
        ...said,
      });
    }
  }
  if (has(rarely, text) || (stepShare(text) ?? 1) < FEW_STEPS) return { claims: peaksOf(claims), values: [], mentions };
  const isSmall = claims.some(({ predicate }) => predicate === "differs") && isSmallDifference(sentence);
  return {
    claims: claims.filter(({ subject, predicate, value }) =>
      !(clause.isQuestion && isGuess(predicate, sentence)) &&
      !(predicate === "constant" && subject === risen?.subject) &&
      !(isSmall && predicate === "differs") && !isDip({ subject, predicate, value }, fallen) &&
      !(predicate === "repeats" && (isEcho || recitesRows(text))) &&
      !(ALIKE.has(predicate) && OF_TEXTS.has(subject) && isOfNumbers(sentence))
    ),
    values: [
      ...withRise(values.map((one) => withFall(one, fallen)), risen, { ...said, isFirst: clause.isFirst }),
      ...carried.map(({ subject: _, ...one }) => ({ ...one, ...said })),
      ...listed.filter((one) => !values.some((two) => isSame(one, two))).map((one) => ({
        ...one,
        line,
        text: text.trim(),
      })),
    ],
    mentions,
  };
}

/** That the rewards of groups do not differ. */
const isOfTies = ({ subject, predicate }: Claim): boolean =>
  subject === "group_reward_std" && predicate === "zero" ||
  subject === "reward" && (predicate === "identical" || predicate === "same_everywhere");

/** The number that a metric is said not to have is not the run's. */
function isValueDenied(
  { printed, values }: Pick<ToldValue, "printed" | "values">,
  text: string,
  mentions: readonly Mention[],
  numbers: readonly ClauseNumber[],
): boolean {
  const mention = mentions.find(({ at, end }) => text.slice(at, end) === printed);
  const number = numbers.find(({ at, value }) => mention !== undefined && at >= mention.end && value === values[0]);
  return number !== undefined && isNumberDenied(text, mention!, number);
}

/** That numbers are the same says nothing of what is written. */
const ALIKE: ReadonlySet<PredicateName> = new Set<PredicateName>(["identical", "same_everywhere", "repeats"]),
  OF_TEXTS: ReadonlySet<SubjectName> = new Set<SubjectName>(["completions", "policy", "training"]);

/** Of a reward that is given for right and for wrong answers: it says nothing of those that came. */
const JUDGES: ReadonlySet<PredicateName> = new Set<PredicateName>(["correct", "wrong"]);

/** "below 0" is no part of "below 0.05", nor is "inf" one of "inférieure". */
const isWhole = ({ at, end }: Hit<PredicateName>, text: string) =>
  !(/\d/.test(text[end - 1]!) && /^[.,]\d/.test(text.slice(end, end + 2))) &&
  !(/[a-z]/i.test(text[end - 1]!) && /\p{Script=Latin}/u.test(text[end] ?? "")) &&
  !(/[a-z]/i.test(text[at]!) && /\p{Script=Latin}/u.test(text[at - 1] ?? ""));

/** The divergence of "KL divergence" is its name, and a "zero reward rate" is a share of completions. */
const isOfName = ({ at, end }: Hit<PredicateName>, text: string): boolean =>
  /^[\s-]*rewards?\s(?:rate|share|fraction|ratio)(?!\p{L})/iu.test(text.slice(end)) ||
  /^diverg/i.test(text.slice(at, end)) &&
    (/(?<!\p{L})KL[\s-]*$/iu.test(text.slice(0, at)) ||
      /^\p{L}*\s*(?:of |de |der |do |da )?(?:the |la |le |o |a )?KL(?!\p{L})/iu.test(text.slice(end)));

/** What was with another setting: "with lr 0.5 it exploded, now with 1e-6". */
function isBeforeNow({ text, sentence }: Clause): boolean {
  if (wasSet(text) && setsOption(text)) return true;
  const present = presentOf(sentence);
  return present !== null && setsOption(sentence.slice(0, present.at)) &&
    sentence.indexOf(text) + text.trimEnd().length <= present.at;
}

/** Of two lists in one sentence the first clause has all pairs. */
function clauseValues(
  { text, sentence, isFirst }: Clause,
  mentions: readonly Mention[],
  numbers: readonly ClauseNumber[],
) {
  const ofSentence = respectivePairs(sentence), pairs = ofSentence ?? respectivePairs(text);
  if (pairs === null) return valuesOf(text, mentions, numbers);
  return ofSentence !== null && !isFirst ? [] : pairs.map(({ mention, number: { value, decimals }, printed }) => (
    { at: mention.at, printed, name: mention.name!, values: [value], relation: "is" as const, decimals }
  ));
}

const FEW_STEPS = 0.5; // Share of the train steps: what is said of fewer is not said of the run.

/** What a gradient does now and then are peaks; of all else it says nothing of the run. */
const peaksOf = (claims: readonly Claim[]): Claim[] =>
  claims.filter(({ subject, predicate }) => subject === "grad_norm" && PEAKS.has(predicate)).map((claim) => ({
    ...claim,
    predicate: "noisy" as const,
  }));
const PEAKS: ReadonlySet<PredicateName> = new Set<PredicateName>(["noisy", "explodes", "rises", "high"]);
