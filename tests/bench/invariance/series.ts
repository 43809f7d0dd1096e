/** Records as series: averaged over an interval, rounded, smoothed, cut, or told of twice. @module */
import { isTraining, type Piece, type RecordPiece } from "./case_log.ts";
import { type Cell, numberIn, withNumber } from "./printed_record.ts";

/** What a log shows as it stands when it is printed; everything else is a mean since the record before. */
const AS_IT_STANDS = /^(step|global_step|epoch|learning_rate|grad_norm|num_tokens|num_input_tokens_seen|.*\/lr)$/;
/** Names that count, which nobody rounds or smooths. */
const COUNTS = /^(step|global_step|epoch|num_tokens|num_input_tokens_seen|learning_rate|.*\/lr)$/;

const count = (pieces: readonly Piece[]) => pieces.filter(isTraining).length;

/** Steps that a log prints, one by one; true too where it prints none. */
function loggedEachStep(pieces: readonly Piece[]): boolean {
  const steps = pieces.filter(isTraining).map(({ cells }) =>
    Number(cells.find(({ key }) => key === "step")?.value ?? NaN)
  );
  return steps.every((step, i) => Number.isNaN(step) || i === 0 || step - steps[i - 1]! <= 1);
}

/** One record per `every`: means of what was measured, as Trainer does; null for a shorter or coarser log. */
export function averaged(pieces: readonly Piece[], every: number, least: number): readonly Piece[] | null {
  if (count(pieces) < least || !loggedEachStep(pieces)) return null;
  const after: Piece[] = [];
  let held: RecordPiece[] = [];
  for (const piece of pieces) {
    if (!isTraining(piece)) {
      after.push(piece);
      continue;
    }
    held.push(piece);
    if (held.length < every) continue;
    after.push(meanOf(held));
    held = [];
  }
  return after;
}

function meanOf(records: readonly RecordPiece[]): RecordPiece {
  const last = records.at(-1)!;
  const values = new Map<string, number[]>();
  for (const { cells } of records) {
    for (const cell of cells) {
      const number = numberIn(cell);
      if (number !== null) values.set(cell.key, [...values.get(cell.key) ?? [], number]);
    }
  }
  const cells = last.cells.map((cell) => {
    const list = values.get(cell.key);
    if (list === undefined || AS_IT_STANDS.test(cell.key)) return cell;
    return withNumber(cell, list.reduce((sum, value) => sum + value, 0) / list.length);
  });
  return { ...last, cells };
}

/** Three decimals as verl prints them. A column that would be 0.000 throughout keeps its digits; null where all would. */
export function rounded(pieces: readonly Piece[]): readonly Piece[] | null {
  const numbers = new Map<string, number[]>();
  for (const { cells } of pieces.filter(isTraining)) {
    for (const cell of cells) numbers.set(cell.key, [...numbers.get(cell.key) ?? [], numberIn(cell) ?? 0]);
  }
  const lost = (key: string) => {
    const some = numbers.get(key)!.filter((value) => value !== 0);
    return some.length === 0 || some.every((value) => Math.abs(value) < 0.0005);
  };
  const names = new Set([...numbers.keys()].filter((key) => !COUNTS.test(key) && !lost(key)));
  return names.size === 0 ? null : mapCells(pieces, (cell) => {
    const number = names.has(cell.key) ? numberIn(cell) : null;
    return number === null || !Number.isFinite(number) ? cell : { ...cell, value: number.toFixed(3) };
  });
}

/** An exponential mean, `weight` on what was before; for logs of a hundred records and more. */
export function smoothed(pieces: readonly Piece[], weight: number): readonly Piece[] | null {
  if (count(pieces) < 100) return null;
  const means = new Map<string, number>();
  return mapCells(pieces, (cell) => {
    const number = COUNTS.test(cell.key) ? null : numberIn(cell);
    if (number === null || !Number.isFinite(number)) return cell;
    const before = means.get(cell.key) ?? number, mean = weight * before + (1 - weight) * number;
    means.set(cell.key, mean);
    return withNumber(cell, mean);
  });
}

/** The same pieces with other cells in the training records. */
export function mapCells(pieces: readonly Piece[], change: (cell: Cell) => Cell | null): readonly Piece[] {
  return pieces.map((piece) => {
    if (!isTraining(piece)) return piece;
    return { ...piece, cells: piece.cells.map(change).filter((cell) => cell !== null) };
  });
}

/** The pieces from one share of the training records to another; null for a log too short to be cut so. */
export function part(pieces: readonly Piece[], from: number, to: number): readonly Piece[] | null {
  const total = count(pieces), [first, end] = [Math.round(from * total), Math.round(to * total)];
  if (total < 6) return null;
  let seen = 0;
  return pieces.filter((piece) => {
    const at = isTraining(piece) ? seen++ : seen;
    return at >= first && at < end;
  });
}

/** Every tenth training record, evaluations whole. */
export function everyTenth(pieces: readonly Piece[]): readonly Piece[] | null {
  if (count(pieces) < 100) return null;
  let seen = 0;
  return pieces.filter((piece) => !isTraining(piece) || seen++ % 10 === 0);
}

/** The whole log, then its first part again: started anew. */
export function restarted(pieces: readonly Piece[]): readonly Piece[] | null {
  const first = part(pieces, 0, 1 / 3);
  return first === null ? null : [...pieces, ...first];
}

/** Up to 60 %, then from 40 % on: resumed from a checkpoint. */
export function resumed(pieces: readonly Piece[]): readonly Piece[] | null {
  const [before, after] = [part(pieces, 0, 0.6), part(pieces, 0.4, 1)];
  return before === null || after === null ? null : [...before, ...after];
}
