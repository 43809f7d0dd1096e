/** How a run ends by what is said of it: well, ill, or neither; and whether a post asks about one, or has chosen one. @module */
import { siftedOf } from "../words/match.ts";
import { writtenNumber } from "../numbers/numbers.ts";
import type { Claim, ToldValue } from "../said.ts";
import type { PredicateName } from "../words/predicates.ts";
import type { SubjectName } from "../words/subjects.ts";

const ILL =
    /(?<![\p{L}])(?:inf|stuck|flat|explo\p{L}*|collaps\p{L}*|crash\p{L}*|diverg\p{L}*|garb\p{L}*|gibber\p{L}*|hangs?|dies|fails?|falls apart|kollabier\p{L}*|effondr\p{L}*|colaps\p{L}*|взрыва\p{L}*|рушится|расход\p{L}*)(?![\p{L}])|(?:always|is|stays|to|immer|bleibt|siempre|sempre|toujours|всегда)\s(?:at )?0(?![.,]?\d)|(?<![a-z])nan(?![a-z])|崩|爆|发散|乱码|一直是 ?0|発散|崩壊|발산|붕괴/iu,
  WELL =
    /(?<![\p{L}])(?:works?|worked|fine|well|stable|healthy|normal|rises?|rose|climbs?|increases?|goes up|went up|learns?|converges?|steigt|läuft|funktioniert|stabil|gut|monte|marche|fonctionne|sube|funciona|sobe|раст[её]т|работает|стабильно)(?![\p{L}])|涨|上升|正常|稳定|上が|安定|正常|올라|오르|정상|안정/iu,
  NOT_WELL =
    /(?<![\p{L}])(?:not|never|no longer|nicht|pas|no|não|не|nie|jamais)(?![\p{L}])|n't(?![\p{L}])|不|没|ない|않|못/iu,
  NUMBERS = /(?<from>\d+(?:[.,]\d+)?)\s*(?:->|→|=>)\s*(?<to>\d+(?:[.,]\d+)?)/gu;

/** What is said of a run that is broken, whatever it is said of. */
const BROKEN: ReadonlySet<PredicateName> = new Set<PredicateName>([
  "not_finite",
  "explodes",
  "collapses",
  "worsens",
  "garbled",
  "token_zero",
  "repeats",
  "empty",
  "truncated",
  "hangs",
  "killed",
  "overflows",
  "cheats",
  "forgets",
]);
/** What is ill said of what is earned, or of a gradient. */
const STILL: ReadonlySet<PredicateName> = new Set<PredicateName>(["zero", "constant", "falls", "identical"]),
  EARNED: ReadonlySet<SubjectName> = new Set<SubjectName>([
    "reward",
    "accuracy_reward",
    "format_reward",
    "iou_reward",
    "accuracy",
    "evaluation",
    "grad_norm",
    "group_reward_std",
    "completions",
  ]);

const number = (text: string) => writtenNumber(text).value;

/** What was said of a run in one clause. */
export interface Part {
  readonly text: string;
  readonly isQuestion: boolean;
  /** It tells of what is over, or of nothing that was seen. */
  readonly isApart: boolean;
  readonly claims: readonly Claim[];
  readonly values: readonly ToldValue[];
}

const isIllClaim = ({ subject, predicate, elsewhere, by }: Claim) =>
  !elsewhere && by === "author" &&
  (BROKEN.has(predicate) || STILL.has(predicate) && EARNED.has(subject) || subject === "kl" && predicate === "high");

/** Rewards without spread. */
const isTied = ({ name, values }: ToldValue) => /reward\w*[/_.]std/i.test(name) && values.every((value) => value === 0);

/** True of a clause that says that something is broken; where it claims nothing that is known, by its words. */
export const isIll = ({ text, isQuestion, isApart, claims, values }: Part): boolean =>
  claims.some(isIllClaim) || values.some(isTied) ||
  claims.length === 0 && !isQuestion && !isApart && ILL.test(text) && !NOT_WELL.test(text);

/** True of one that says that something goes well: in words, or by numbers that rise. */
export function isWell({ text }: Part): boolean {
  const rises = [...text.matchAll(NUMBERS)].some(({ groups }) => number(groups!.to!) > number(groups!.from!));
  return !ILL.test(text) && (rises || WELL.test(text) && !NOT_WELL.test(text));
}

/** What is asked for, or wanted. */
const ASKS = siftedOf(
  /(?<![\p{L}])(?:why|what(?:'s| is| are| could| can| may| might| happen\p{L}*| broke| causes?| am I| do| should| would| went)|how (?:can|do|to|could|come)|any (?:ideas?|hints?|help|clues?)|(?:please|need) help|(?:I|we) (?:really )?need|warum|wieso|woran|was (?:ist|kann|läuft|mache|passiert)|wie kann|ich brauche|pourquoi|comment|que faire|d'où|j'ai besoin|por qu[eéê]|c[oó]mo|qué (?:hago|pasa|puede|está)|necesito|o que (?:faço|há|pode|está)|preciso|como (?:faço|resolv|consert)\p{L}*|почему|что (?:делать|не так|случилось)|как (?:исправить|быть|это)|нуж(?:ен|на|но))(?![\p{L}])|为什么|为何|为啥|怎么|请问|原因|求助|咋回事|なぜ|どうして|どうすれば|原因|왜|어떻게|원인/iu,
);
export const asks = (text: string): boolean => ASKS.test(text);

/** Which of several is taken. */
const CHOSEN = siftedOf(
  /(?<![\p{L}])(?:(?:I|we)(?:'ll| will)? (?:now |currently |finally |then |just )?(?:use|keep|kept|took|take|picked|pick|chose|choose|settled|stick|stuck with|went with|go with|stay)|(?:our|my|the) (?:final|main|default|chosen|production|current) (?:run|one|choice|setting|config\p{L}*|model|value)|nehmen wir|nehme ich|(?:wir|ich) (?:nutzen?|nehmen?|bleiben?|behalten?)|gewählt|(?:on|nous) (?:garde|gardons|utilise|utilisons|prend|prenons)|(?:je|j'ai) (?:garde|pris|choisi)|(?:nos quedamos|me quedo|usamos|elegimos|elegí)|(?:ficamos|fiquei|usamos|escolhi|escolhemos)|(?:используем|оставили|выбрали|оставил|выбрал|взяли)|main run)(?![\p{L}])|最终(?:选|用|采用)|(?:我们|我)(?:就|现在|最后)?(?:用|选|采用)的?(?:是)?|采用了|を(?:採用|使って|選)|(?:으로|로|을|를) (?:사용|채택|선택)/iu,
);
export const isChosen = (text: string): boolean => CHOSEN.test(text);
