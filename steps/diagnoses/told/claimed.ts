/** Look-ups of what people say of a run: statements of the author on this run, and their evidence. @module */
import { cutAtWord } from "../../../data/cut_at_word.ts";
import type { PredicateName } from "../../../data/adapters/post/words/predicates.ts";
import type { SubjectName } from "../../../data/adapters/post/words/subjects.ts";
import { type Evidence, placeOf } from "../view/evidence.ts";
import type { RunView } from "../view/run_view.ts";
import type { SaidOf } from "../view/said_of.ts";

/** A statement: a subject, a dot, a predicate. */
export type Saying = `${SubjectName}.${PredicateName}`;

/** It was otherwise before. */
export const OF_A_SUDDEN =
  /(?<![\p{L}])(?:sudden\w*|abrupt\w*|all at once|out of nowhere|quickly|soon|later|eventually|gradually|mid-?training|half-?way|half way|soudain\w*|plötzlich|de repente|repentina\w*|внезапно|вдруг)(?![\p{L}])|突然|忽然|跳变|很快|骤|陡|一下子|后期|後期|逐渐|渐渐|中途|后面|后来|之后|途中|急に|갑자기/iu;

/** After the first update: what was loaded was sound. */
const AFTER_AN_UPDATE = new RegExp(
  "(?<![\\p{L}])(?:" + [
    "(?:right |just |immediately )?after (?:just |only |exactly )?(?:one|a single|1|the (?:very )?(?:first|second|third)|two|2|three|3|a few|a couple of) (?:training |train |optimi[sz]er |gradient )*(?:steps?|updates?|iterations?)",
    "(?:once|when|as soon as) the (?:first|second) (?:training |optimi[sz]er )*(?:step|update|iteration) (?:is|was|has been) (?:done|over|finished|applied|complete\\w*|taken)",
    "nach (?:nur |genau )?(?:einem(?: einzigen)?|dem (?:ersten|zweiten)|wenigen|zwei|drei) (?:Trainings-?)?(?:Schritt|Update|Iteration)\\p{L}*",
    "après (?:seulement )?(?:une? (?:seule? )?|la (?:première|deuxième) |le (?:premier|deuxième) |quelques |deux |trois )(?:mises? à jour|étapes?|pas|itérations?)",
    "(?:después de|tras|depois de|após) (?:solo |só |apenas )?(?:una? (?:sol[ao] )?|l[ao]s? primer[ao]s? |el (?:primer|segundo) |[ao] primeir[ao] |uma? (?:únic[ao] )?|dos |dois |duas )(?:pasos?|passos?|actualizaci\\p{L}+|atualizaç\\p{L}+|iteraci\\p{L}+|iteraç\\p{L}+)",
    "после (?:одного|первого|двух|второго|пары) (?:шаг\\p{L}*|обновлени\\p{L}*|итераци\\p{L}*)",
  ].join("|") +
    ")(?![\\p{L}])|(?:更新|训练|跑|走)(?:了)?(?:一|1|两|2|几)(?:次|步)(?:参数)?(?:之后|以后|后|就)|第[一1二2]步(?:更新)?(?:之后|以后|后)|(?:1|一|2|二|数)\\s?(?:ステップ|回)(?:だけ)?(?:更新|学習)?(?:した)?(?:すると|後|あと|で)|(?:한|1|두|2)\\s?(?:번|스텝|step)\\s?(?:만\\s?)?(?:업데이트|학습)?(?:하고|하면|한\\s?(?:뒤|후)|\\s?(?:후|뒤|이후))",
  "iu",
);
/** Another time than the one that was spoken of. */
const THEN =
  /(?<![\p{L}])(?:(?:and |but )?then|after that|afterwards|thereafter|danach|anschließend|puis|ensuite|luego|después|depois|потом|затем)(?![\p{L}])|然后|接着|随后|其后|その後|그\s?(?:후|뒤|다음)/iu;

/** Without an end: "steadily", "more and more". */
export const ON_AND_ON =
  /(?<![\p{L}])(?:steadily|continu\p{L}+|keeps?|kept|constantly|monotonic\p{L}*|more and more|(?:high|bigg|larg|wors)er and (?:high|bigg|larg|wors)er|non-?stop|all the time|throughout|stetig|ständig|immer (?:weiter|höher|mehr)|kontinuierlich|sans (?:cesse|arrêt|s'arrêter)|de plus en plus|en continu|cada vez m[aá]is|cada vez más|sin parar|sem parar|continuamente|постоянно|непрерывно|неуклонно|вс[её] (?:время|выше|больше))(?![\p{L}])|不断|持续|一直|越来越|稳步|一路|続け|ずっと|계속|점점|꾸준/iu;

/** It begins in a run that was otherwise: at a train step, after some, all of a sudden. */
export const beginsLater = ({ from, text }: Pick<SaidOf, "from" | "text">): boolean =>
  from !== null && from > 1 || OF_A_SUDDEN.test(text) || AFTER_AN_UPDATE.test(text) || THEN.test(text);

const KEPT = 160; // Characters of a clause that evidence keeps.

/** What the author says of this run, of any of some sayings. */
export function claimed(view: RunView, sayings: readonly Saying[]): readonly SaidOf[] {
  return view.claims.filter(({ counts, subject, predicate }) =>
    counts && sayings.includes(`${subject}.${predicate}` as Saying)
  );
}

const REASSURES =
  /正常|没有?错|预期|没毛病|(?<![\p{L}])(?:normal|expected|by design|not a bug|nothing (?:is )?wrong)(?![\p{L}])|정상|正常です|問題(?:ない|ありません)/iu;

/** It is as it should be by now: then it was not before. */
const BY_NOW =
  /正常了|没问题了|恢复正常|(?<![\p{L}])(?:normal|fine) (?:again|now)|(?:is|it's|are|back to) (?:now |again |finally )(?:all )?(?:normal|fine)|back to normal|正常に(?:戻|な)|(?:現在|今)は(?:問題|正常)|정상으로\s?(?:돌아|되)|(?:지금은|이제)\s?정상/iu;

/** Somebody who answers says that it is as it should be. */
export const isReassured = (view: RunView): boolean =>
  view.claims.some(({ counts, elsewhere, predicate, text }) =>
    !counts && !elsewhere && predicate === "readable" && REASSURES.test(text) && !BY_NOW.test(text)
  );

/** A claim as evidence, shown as what it is. */
export function claimEvidence({ subject, predicate, text, from, ...claim }: SaidOf): Evidence {
  return {
    ...placeOf(claim),
    train_step: from,
    name: `${subject} ${predicate.replaceAll("_", " ")}`,
    value: cutAtWord(text.trim(), KEPT),
    note: "a claim",
  };
}
