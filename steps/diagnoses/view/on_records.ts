/**
 * On how many records something is seen, as a sentence has it. Where people tell of a run, records stand for what they
 * say: those are not counted, as nobody printed them. @module
 */
import type { RunView } from "./run_view.ts";

/** The records of which a log prints anything; of what is no post that is every one. */
export function printedOnes(view: RunView): readonly number[] {
  return view.memo("printed records", () => {
    const records = [...view.trainSteps.keys()], columns = [...view.columns];
    return !view.isPost
      ? records
      : records.filter((record) =>
        columns.some(([name, cells]) => (cells[record] ?? null) !== null && !view.isTold(name, record))
      );
  });
}

/** True where some records stand for what people tell. */
export const hasTold = (view: RunView): boolean => printedOnes(view).length < view.records;

/** "on all 12 records", "on the one record". */
export function onAll(view: RunView, count: number): string {
  return hasTold(view) ? "wherever it is told" : count === 1 ? "on the one record" : `on all ${count} records`;
}

/** "on 3 of 12 records"; of all as above. */
export function onSome(view: RunView, count: number, of: number): string {
  return hasTold(view) ? count === of ? "wherever it is told" : "in part (as told)" : `on ${count} of ${of} records`;
}

/** "on 12 records". */
export function onThese(view: RunView, count: number): string {
  return hasTold(view) ? "wherever it is told" : `on ${count} record${count === 1 ? "" : "s"}`;
}

/** "12 records", and what is told beside them; "what is told" where none is printed. */
export function recordsAndTold(view: RunView): string {
  const count = printedOnes(view).length, records = `${count} record${count === 1 ? "" : "s"}`;
  return !hasTold(view) ? records : count === 0 ? "what is told" : `${records} and what is told beside`;
}

/** At the beginning of a sentence. */
export const capital = (text: string): string => text[0]!.toUpperCase() + text.slice(1);
