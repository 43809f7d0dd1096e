/** How numbers and texts show a symptom: each look gives the rows that show it, or null. @module */
import type { Evidence } from "../view/evidence.ts";
import { type Cells, isNumber, written } from "../view/numbers.ts";
import type { RunView } from "../view/run_view.ts";
import { quote, texts } from "../view/texts.ts";
import { claimed, type Saying } from "./claimed.ts";

/** Values that hardly move: their spread, and where they end, as a share of their size. */
const FLAT = 0.1, SMALLEST = 0.1;
const MANY = 5; // Numbers of a course of which it is shown where it turns.
const FALLEN = 0.5; // Of the best, below which a score has fallen for good.

/** The borders of isFlat and fellFar in words. */
export const FLAT_TO = written`all values lie within ${
    2 * FLAT
  } % of the first (of ${SMALLEST} at least), and the last within ${FLAT} %`,
  FALLEN_TO = written`the last lies below ${FALLEN} % of the best`;

export type Look = (view: RunView) => readonly Evidence[] | null;
export type Test = (first: number, last: number, all: readonly number[]) => boolean;

/** First and last number of some cells, and the first one with which they stand as asked; null where they do not. */
function course(
  cells: Cells,
  least: number,
  test: Test,
  evidence: (record: number) => Evidence,
): readonly Evidence[] | null {
  const known = cells.flatMap((value, record) => isNumber(value) ? [record] : []);
  if (known.length < least) return null;
  const [first, last] = [known[0]!, known.at(-1)!], values = known.map((record) => cells[record]!);
  if (!test(cells[first]!, cells[last]!, values)) return null;
  const shown = known.findIndex((record, i) => i > 0 && test(cells[first]!, cells[record]!, values.slice(0, i + 1)));
  // Of a few numbers the ends are enough.
  const turns = known.length >= MANY && shown > 0 && shown < known.length - 1 ? [known[shown]!] : [];
  return [first, ...turns, last].map(evidence);
}

/** The same of a column of the records. */
export const ends = (name: string, test: Test, least = 2): Look => (view) =>
  course(view.column(name), least, test, (record) => view.evidence(name, record));

/** The same of two numbers and more of a column that is only told, where somebody says so besides. */
export const toldEnds = (name: string, says: readonly Saying[], test: Test): Look => (view) => {
  const isTold = view.column(name).every((value, record) => value === null || view.isTold(name, record));
  return isTold && claimed(view, says).length > 0 ? ends(name, test)(view) : null;
};

/** The same of any column whose name passes. */
export const endsOf = (names: RegExp, test: Test, least = 2): Look => (view) =>
  [...view.columns.keys()].filter((name) => names.test(name)).map((name) => ends(name, test, least)(view))
    .find((found) => found !== null) ?? null;

/** What evaluations print that is no score: its course says nothing of the goal. */
const NO_SCORE = /loss|epoch|step|clip|frac|kl|entropy|time|length|tokens|learning_rate/i;

/** The same of the scores that evaluations print. */
export const scored = (test: Test, least = 2): Look => (view) =>
  view.evaluated.filter((name) => !NO_SCORE.test(name)).map((name) =>
    course(view.evaluation(name), least, test, (record) => view.evaluationEvidence(name, record))
  ).find((found) => found !== null) ?? null;

/** The same of the loss that they print. */
export const scoredLoss = (test: Test): Look => (view) =>
  course(view.evaluation("loss"), 2, test, (record) => view.evaluationEvidence("loss", record));

const spread = (values: readonly number[]) => Math.max(...values) - Math.min(...values);
/** Values that do not get anywhere: within a tenth of their size, and no further at the end than at the beginning. */
export const isFlat: Test = (first, last, values) =>
  spread(values) <= 2 * FLAT * Math.max(Math.abs(first), SMALLEST) &&
  Math.abs(last - first) <= FLAT * Math.max(Math.abs(first), SMALLEST);
const TURNS = 4; // Values of a range; "0.1, 0.5, 0.1" has come back.
/** "Between 0.2 and 0.6" is told as two values in turn: a range, and no course. */
const isRange: Test = (first, last, values) => values.length >= TURNS && first === last && new Set(values).size === 2;
/** Means of four completions, some of them up and down: their best is luck, and what is left of it too. */
const isCoarse = (values: readonly number[]) =>
  values.length >= FEW.least && values.length <= FEW.most && values.every((value) =>
    Number.isInteger(QUARTERS * value)
  ) &&
  !values.every(Number.isInteger) && values.slice(1, -1).some((value) => value > values[0]!);
const QUARTERS = 4, FEW = { least: 4, most: 8 }; // Parts of a whole, and how many numbers are a few.
export const fellFar: Test = (first, last, values) =>
  Math.max(...values) > 0 && last < FALLEN * Math.max(...values) && !isRange(first, last, values) && !isCoarse(values);

/** Every number of a column stands as asked, and there are enough of them. */
export function all(name: string, least: number, test: (value: number) => boolean) {
  return (view: RunView): readonly Evidence[] | null => {
    const cells = view.column(name), known = cells.flatMap((value, record) => isNumber(value) ? [record] : []);
    return known.length >= least && known.every((record) => test(cells[record]!))
      ? [view.evidence(name, known[0]!)]
      : null;
  };
}

/** The first cell of a column that is not finite. */
export function notFinite(...names: readonly string[]) {
  return (view: RunView): readonly Evidence[] | null => {
    for (const name of names) {
      const at = view.column(name).findIndex((value) => value !== null && !Number.isFinite(value));
      if (at >= 0) return [view.evidence(name, at)];
    }
    return null;
  };
}

export function anyOf(...looks: readonly ((view: RunView) => readonly Evidence[] | null)[]) {
  return (view: RunView) => looks.map((look) => look(view)).find((found) => found !== null) ?? null;
}

/** Completions that are printed and pass a share. */
export function printedTexts(test: (facts: ReturnType<typeof texts>) => boolean) {
  return (view: RunView): readonly Evidence[] | null =>
    view.completions.length > 0 && test(texts(view)) ? view.completions.slice(0, 2).map((row) => quote(row)) : null;
}
