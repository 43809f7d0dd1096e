/** Of which subjects a predicate is said: those beside it, those of the clause before, or what is meant where none is named. @module */
import type { Mention } from "./mentions.ts";
import { coordinated, headOf } from "./mention_groups.ts";
import type { Hit } from "./words/match.ts";
import { type Predicate, type PredicateName, PREDICATES } from "./words/predicates.ts";
import type { SubjectName } from "./words/subjects.ts";

/** What is said to move has not the one number all along. */
export const MOVES: ReadonlySet<PredicateName> = new Set<PredicateName>([
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

/** What stands between an adjective and its noun. A word that joins begins another statement: "the loss is NaN and KL is 0.2". */
const OF_NEXT =
  /^[\s-]*(?:的|の|な)?\s*(?:(?!(?:and|or|but|while|when|whereas|although|though|because|since|so|then|if|et|ou|mais|quand|und|oder|aber|wenn|y|o|pero|cuando|e|mas|quando)\s)\w+\s)?$/iu;
const COPULA =
  /^\s*(?:is|are|was|were|stays?|stayed|remains?|becomes?|became)(?: (?:always|exactly|just|still|only|all|now))*\s*$/i;
/** "grad_norm: nan loss: 0": what is said stands behind its own subject, as that of the next one does. */
function isPaired(hit: Hit<PredicateName>, next: Mention, text: string, mentions: readonly Mention[]): boolean {
  // "The norm is zero for training …": what is said is said already.
  if (mentions.some(({ end }) => end <= hit.at && COPULA.test(text.slice(end, hit.at)))) return true;
  const own = mentions.find(({ end }) => end <= hit.at && /^\s*[:=：]?\s*$/.test(text.slice(end, hit.at)));
  return own !== undefined &&
    (/[:=：]/.test(text.slice(own.end, hit.at)) ||
      /^\s*[:=：]?\s*(?:[-+]?\d|nan|inf|zero)/i.test(text.slice(next.end)));
}

const IT =
  /(?<![\p{L}])(?:it|they|elle|il|ils|elles|er|sie|es|она|он|они|оно)(?: (?:just|then|only|slowly|suddenly|then))* (?:starts?|started|begins?|began|commence\p{L}*|fängt|beginnt|начина\p{L}+)(?: to| à| an)?\s*$/iu;
const APPEARS =
  /(?<![\p{L}])(?:appears?|appeared|occurs?|shows? up|comes? up|(?:get|gets|got|getting|give|gives|see|saw|hit) (?:a |an |only |all )?nans?)(?![\p{L}])|出现|出現|报|冒出|나타/iu;

/** The subjects of a predicate. */
export function spokenOf(
  hit: Hit<PredicateName>,
  text: string,
  mentions: readonly Mention[],
  before: readonly Mention[],
) {
  const subjects = (of: readonly Mention[]) => [...new Set(of.flatMap(({ subject }) => subject ?? []))];
  const inside = mentions.filter(({ at, end }) => at >= hit.at && end <= hit.end);
  if (inside.length > 0) return subjects(inside);
  if ((PREDICATES[hit.name] as Predicate).before === true) {
    const next = mentions.find(({ at }) => at >= hit.end);
    if (next !== undefined && !isPaired(hit, next, text, mentions) && OF_NEXT.test(text.slice(hit.end, next.at))) {
      return subjects([next]);
    }
  }
  const last = mentions.findLastIndex(({ end }) => end <= hit.at);
  // "Then it starts to go up and the output is a mess": it is what was spoken of.
  if (last < 0 && before.length > 0 && IT.test(text.slice(0, hit.at))) return subjects(before);
  // "…, 训练到2000步之后越来越大": training itself has no size.
  if (
    MOVES.has(hit.name) && hit.name !== "worsens" && hit.name !== "collapses" && hit.name !== "explodes" &&
    mentions.every(({ subject }) => subject === "training") && before.some(({ name }) => name !== null)
  ) return subjects(before.filter(({ name }) => name !== null).slice(-1));
  if (last < 0) {
    const next = mentions.find(({ at }) => at >= hit.end);
    // "Then NaN appears": a loss.
    if (hit.name === "not_finite" && next === undefined && APPEARS.test(text)) return ["loss" as const];
    const spoken = subjects(next === undefined ? before : [next]), usual = USUAL[hit.name];
    // "That is as it should be": of the run.
    if (hit.name === "readable" && spoken.length === 0) return ["training" as const];
    return usual !== undefined && !spoken.some((one) => usual.includes(one)) ? usual.slice(0, 1) : spoken;
  }
  return subjects(coordinated(text, mentions, headOf(text, mentions, last)));
}
