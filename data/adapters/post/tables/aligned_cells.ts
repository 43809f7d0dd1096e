/** Cells of a table that is set by spaces: an empty one is seen by where the others stand under the head. @module */

export interface CellSpan {
  readonly at: number;
  readonly end: number;
}

/** Where the cells of a line stand, two spaces or more between them. */
export const spansOf = (text: string): readonly CellSpan[] =>
  [...text.matchAll(/\S+(?: \S+)*/g)].map(({ index, 0: cell }) => ({ at: index, end: index + cell.length }));

/** The cells of a row under a head, empty where none stands; null where one stands under no head, or two under one. */
export function alignedCells(text: string, head: readonly CellSpan[]): readonly string[] | null {
  const cells = head.map(() => "");
  for (const span of spansOf(text)) {
    const column = columnOf(span, head);
    if (column < 0 || cells[column] !== "") return null;
    cells[column] = text.slice(span.at, span.end);
  }
  return cells;
}

/** The head that a cell overlaps most. */
function columnOf({ at, end }: CellSpan, head: readonly CellSpan[]): number {
  const overlaps = head.map((one) => Math.min(end, one.end) - Math.max(at, one.at));
  const best = Math.max(...overlaps);
  return best <= 0 ? -1 : overlaps.indexOf(best);
}
