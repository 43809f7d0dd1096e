/** The head of CSV that somebody pastes among sentences: names between commas or semicolons, one of them that of train steps. @module */
import { headerName, separatorOf, splitRow } from "../../csv.ts";
import { metricName } from "./metric_name.ts";
import { isEpochHead, isStepHead } from "./step_head.ts";

const MOST_CELLS = 200, LONGEST = 80; // Cells, and characters of one.
/** W&B writes three columns for a metric, and counts its own lines in the first one. */
const BOUND = /__(?:MIN|MAX)$/, COUNTED = /^(?:_step|trainer\/global_step|train\/global_step)$/;
/** Words of a sentence: no name of a column. */
const SENTENCE = /[.!?。！？:：]\s|[.。!?！？]$|\p{L}+\s\p{L}+\s\p{L}+\s\p{L}+/u;

interface CsvHead {
  readonly separator: string;
  /** The names of the columns; empty of those that bound another. */
  readonly cells: readonly string[];
}

/** Null of a line that is no such head. */
export function csvHead(line: string): CsvHead | null {
  const separator = separatorOf(line.trim());
  if (separator === null || separator === "\t" || line.includes("|")) return null;
  const cells = splitRow(line.trim(), separator, MOST_CELLS + 1)?.map(headerName) ?? [];
  if (
    cells.length < 2 || cells.length > MOST_CELLS || cells.some((cell) => cell.length > LONGEST || SENTENCE.test(cell))
  ) {
    return null;
  }
  const named = cells.map((cell) => BOUND.test(cell) ? "" : COUNTED.test(cell) ? "step" : cell);
  const isCounted = named.some((cell) => isStepHead(cell) || isEpochHead(cell));
  return isCounted && named.some((cell) => !isStepHead(cell) && !isEpochHead(cell) && metricName(cell) !== null)
    ? { separator, cells: named }
    : null;
}
