/** Whether what people complain of is more than a bare cry, and may name a cause. @module */
import type { PredicateName } from "../../../data/adapters/post/words/predicates.ts";
import { type SubjectName, SUBJECTS } from "../../../data/adapters/post/words/subjects.ts";
import type { RunView } from "../view/run_view.ts";
import type { SaidOf } from "../view/said_of.ts";
import { beginsLater, ON_AND_ON } from "./claimed.ts";

/** Settings that say what was run. */
const TELLING_SETTINGS = 3;

/** Said of a time, over and over, of two metrics, or beside what was run. */
export function isFirm(view: RunView, said: readonly SaidOf[]): boolean {
  return said.some(({ from, to, throughout, text }) =>
    from !== null || to !== null || throughout || ON_AND_ON.test(text) || beginsLater({ from, text })
  ) ||
    new Set(said.map(({ subject }) => subject)).size > 1 || new Set(said.map(({ line }) => line)).size > 1 ||
    view.settings.length >= TELLING_SETTINGS ||
    view.claims.some(({ elsewhere }) => elsewhere) ||
    said.some(({ subject, predicate }) => predicate === "not_finite" && printsNotFinite(view, subject as SubjectName));
}

/** A record has it as well. */
function printsNotFinite(view: RunView, subject: SubjectName): boolean {
  const { column } = SUBJECTS[subject];
  return column !== null && view.column(column).some((value) => value !== null && !Number.isFinite(value));
}

/** What a number could show, and no text: a word alone is next to nothing. */
const OF_NUMBERS: ReadonlySet<PredicateName> = new Set<PredicateName>([
  "zero",
  "not_finite",
  "rises",
  "falls",
  "explodes",
  "collapses",
  "worsens",
  "constant",
  "negative",
]);

/** "The reward collapsed, any tips?": one thing in the first line, and no number, time or setting. */
export const isBareCry = (view: RunView, said: readonly SaidOf[]): boolean =>
  said.length > 0 && view.settings.length < 2 && !tellsNumber(view) && !isFirm(view, said) &&
  said.every(({ line, predicate, value }) => line === 1 && OF_NUMBERS.has(predicate as PredicateName) && !value);

/** Any metric is told to be something else than 0. */
const tellsNumber = (view: RunView) =>
  [...view.columns.keys()].some((name) => view.finite(name).some((value) => value !== 0));
