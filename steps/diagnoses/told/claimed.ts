/** Look-ups of what people say of a run: statements of the author on this run, and their evidence. @module */
import type { PredicateName } from "../../../data/adapters/post/words/predicates.ts";
import type { SubjectName } from "../../../data/adapters/post/words/subjects.ts";
import { type Evidence, placeOf } from "../view/evidence.ts";
import type { RunView } from "../view/run_view.ts";
import type { SaidOf } from "../view/said_of.ts";

/** A statement: a subject, a dot, a predicate. */
export type Saying = `${SubjectName}.${PredicateName}`;

/** It was otherwise before. */
export const OF_A_SUDDEN =
  /(?<![\p{L}])(?:sudden\w*|abrupt\w*|all at once|out of nowhere|quickly|soon|later|eventually|gradually|mid-?training|half-?way|half way|soudain\w*|plötzlich|de repente|repentina\w*|внезапно|вдруг)(?![\p{L}])|突然|忽然|跳变|很快|骤|后期|後期|逐渐|渐渐|中途|后面|后来|之后|途中|急に|갑자기/iu;

/** It begins in a run that was otherwise: at a train step, after some, all of a sudden. */
export const beginsLater = ({ from, text }: Pick<SaidOf, "from" | "text">): boolean =>
  from !== null && from > 1 || OF_A_SUDDEN.test(text);

const KEPT = 160; // Characters of a clause that evidence keeps.

/** What the author says of this run, of any of some sayings. */
export function claimed(view: RunView, sayings: readonly Saying[]): readonly SaidOf[] {
  return view.claims.filter(({ counts, subject, predicate }) =>
    counts && sayings.includes(`${subject}.${predicate}` as Saying)
  );
}

/** What is said of another setting or time: "without the flag the loss is normal". */
export function claimedElsewhere(view: RunView, sayings: readonly Saying[]): readonly SaidOf[] {
  return view.claims.filter(({ elsewhere, subject, predicate }) =>
    elsewhere && sayings.includes(`${subject}.${predicate}` as Saying)
  );
}

const REASSURES =
  /正常|没有?错|预期|没毛病|(?<![\p{L}])(?:normal|expected|by design|not a bug|nothing (?:is )?wrong)(?![\p{L}])|정상|正常です|問題(?:ない|ありません)/iu;

/** Somebody who answers says that it is as it should be. */
export const isReassured = (view: RunView): boolean =>
  view.claims.some(({ counts, elsewhere, predicate, text }) =>
    !counts && !elsewhere && predicate === "readable" && REASSURES.test(text)
  );

/** A claim as evidence, shown as what it is. */
export function claimEvidence({ subject, predicate, text, from, ...claim }: SaidOf): Evidence {
  return {
    ...placeOf(claim),
    train_step: from,
    name: `${subject} ${predicate.replaceAll("_", " ")}`,
    value: text.trim().slice(0, KEPT),
    note: "a claim",
  };
}
