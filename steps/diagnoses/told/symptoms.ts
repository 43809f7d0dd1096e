/**
 * What is seen of a run that is told in few words or few records: each symptom once, by what people say and by numbers.
 *
 * A symptom is there where the author claims it, or where the few numbers that are printed or told show it. @module
 */
import type { MetricName } from "../../../data/columns.ts";
import type { Evidence } from "../view/evidence.ts";
import type { RunView } from "../view/run_view.ts";
import type { SaidOf } from "../view/said_of.ts";
import type { PredicateName } from "../../../data/adapters/post/words/predicates.ts";
import { type SubjectName, SUBJECTS } from "../../../data/adapters/post/words/subjects.ts";
import { claimed, claimEvidence, OF_A_SUDDEN } from "./claimed.ts";
import { NUMBER_SYMPTOMS } from "./number_symptoms.ts";
import { PAIR_SYMPTOMS } from "./pair_symptoms.ts";
import { REWARD_SYMPTOMS } from "./reward_symptoms.ts";
import type { Symptom } from "./symptom.ts";
import { TEXT_SYMPTOMS } from "./text_symptoms.ts";
import { UPDATE_SYMPTOMS } from "./update_symptoms.ts";

export const SYMPTOMS = {
  ...UPDATE_SYMPTOMS,
  ...NUMBER_SYMPTOMS,
  ...REWARD_SYMPTOMS,
  ...TEXT_SYMPTOMS,
  ...PAIR_SYMPTOMS,
} as const satisfies Record<string, Symptom>;

export type SymptomName = keyof typeof SYMPTOMS;

/** What is said and not taken back further on. */
function standing(said: readonly SaidOf[], undone: readonly SaidOf[], view: RunView): readonly SaidOf[] {
  if (undone.length === 0) return said;
  const over = new Set(undone),
    rest = new Set(view.claims.slice(view.claims.findLastIndex((one) => over.has(one)) + 1));
  return said.filter((claim) => rest.has(claim));
}

/** Of what a number could say otherwise. */
const OF_A_SIZE: ReadonlySet<string> = new Set<PredicateName>([
  "rises",
  "falls",
  "explodes",
  "collapses",
  "worsens",
  "high",
  "low",
  "constant",
]);
const FAINT_KL = 0.05; // Nats per token that harm nothing yet.
const TOLD = 2, PRINTED = 3, LONG = 50; // Numbers of a clause and of a log that are a course; train steps of a long one.

/** Numbers stand beside what is said: a course in the same line, or a log over many train steps of a run that is no longer. */
export function hasNumbers(claim: SaidOf, view: RunView): boolean {
  if (claim.predicate === "zero" && claim.from === null && isPrintedAboveZero(claim, view)) return true;
  if (claim.subject === "kl" && OF_A_SIZE.has(claim.predicate) && isPrintedSmall("kl", view)) return true;
  const column = OF_A_SIZE.has(claim.predicate) ? SUBJECTS[claim.subject as SubjectName].column : null;
  if (column === null || !view.has(column)) return false;
  const values = view.column(column), cells = values.flatMap((value, record) => value === null ? [] : [record]);
  const beside = cells.filter((record) =>
    view.isTold(column, record) && view.evidence(column, record).line === claim.line
  );
  if (new Set(beside.map((record) => values[record])).size >= TOLD) return true;
  const printed = cells.filter((record) => !view.isTold(column, record)), last = view.trainSteps[printed.at(-1) ?? 0]!;
  if (printed.length >= PRINTED && AT_END.test(claim.text)) return true;
  return printed.length >= PRINTED && view.stepsPrinted && last - view.trainSteps[printed[0]!]! >= LONG &&
    !((claim.from ?? 0) > last || OF_A_SUDDEN.test(claim.text));
}

/** "The last points": those that are printed. */
const AT_END =
  /(?<![\p{L}])(?:(?:last|final) (?:few )?(?:points?|steps|values|records|epoch)|derni[eè]re?s (?:points|pas|étapes|valeurs)|letzten (?:Punkten?|Schritten?|Werten?)|últim[ao]s (?:puntos|pasos|pontos|passos|valores)|последни\p{L}+ (?:точк|шаг|значени)\p{L}*)(?![\p{L}])|最后几(?:步|个)|最後の数|마지막\s?몇/iu;

/** A log prints it, and it stays next to nothing: "it climbs", from 0 to 5e-4. */
function isPrintedSmall(column: MetricName, view: RunView): boolean {
  const printed = view.column(column).filter((value, record) => value !== null && !view.isTold(column, record));
  return printed.length >= PRINTED && printed.every((value) => Math.abs(value!) < FAINT_KL);
}

/** A log prints it, and never 0. */
function isPrintedAboveZero({ subject }: SaidOf, view: RunView): boolean {
  const { column } = SUBJECTS[subject as SubjectName];
  if (column !== "grad_norm") return false;
  const printed = view.column(column).filter((value, record) => value !== null && !view.isTold(column, record));
  return printed.length > 0 && printed.every((value) => value !== 0 && Number.isFinite(value));
}

/** The symptoms of a run with what shows each: numbers where there are some, else claims. */
export function symptomsOf(view: RunView): ReadonlyMap<SymptomName, readonly Evidence[]> {
  return view.memo("symptoms", () => {
    const found = new Map<SymptomName, readonly Evidence[]>();
    for (const [name, symptom] of Object.entries(SYMPTOMS) as [SymptomName, Symptom][]) {
      const shown = symptom.shows?.(view) ?? null;
      const told = standing(
        claimed(view, symptom.says ?? []).filter(symptom.counts ?? (() => true)),
        claimed(view, symptom.undone ?? []),
        view,
      );
      // A number that says otherwise wins.
      const said = shown === null && symptom.shows !== undefined
        ? told.filter((claim) => !hasNumbers(claim, view))
        : told;
      if (shown === null && said.length === 0) continue;
      found.set(name, [...(shown ?? []), ...said.slice(0, 2).map(claimEvidence)]);
    }
    return found;
  });
}
