/** Records that are wrong or few: no crash, and no cause without a value that shows it. @module */
import { type Change, changePieces } from "./case_files.ts";
import { isRecord, isTraining, type Piece, type RecordPiece } from "./case_log.ts";
import { numberIn, withNumber } from "./printed_record.ts";
import { mapCells } from "./series.ts";

const onRecords = (change: (records: readonly RecordPiece[]) => readonly Piece[]): Change => (files) =>
  changePieces(files, (pieces) => change(pieces.filter(isRecord)));

/** One cell of a column changed, by the number of the record. */
function changed(key: RegExp, value: (number: number, record: number) => number): Change {
  return (files) =>
    changePieces(files, (pieces) => {
      let record = 0;
      return pieces.map((piece) => {
        if (!isTraining(piece)) return piece;
        const at = record++;
        return {
          ...piece,
          cells: piece.cells.map((cell) => {
            const number = key.test(cell.key) ? numberIn(cell) : null;
            return number === null ? cell : withNumber(cell, value(number, at));
          }),
        };
      });
    });
}

export const ODDITIES = {
  one_record: onRecords((records) => records.slice(0, 1)),
  two_records: onRecords((records) => records.slice(0, 2)),
  backwards: onRecords((records) => records.toReversed()),
  each_twice: onRecords((records) => records.flatMap((record) => [record, record])),
  one_step: changed(/^step$/, () => 1),
  restarts_often: changed(/^step$/, (_, record) => record % 7),
  all_constant: (files) =>
    changePieces(files, (pieces) => mapCells(pieces, (cell) => cell.key === "step" ? cell : withNumber(cell, 0.5))),
  all_nan: (files) =>
    changePieces(files, (pieces) => mapCells(pieces, (cell) => cell.key === "step" ? cell : withNumber(cell, NaN))),
  all_none: (files) =>
    changePieces(
      files,
      (pieces) => mapCells(pieces, (cell) => cell.key === "step" ? cell : { ...cell, value: "None", quoted: false }),
    ),
  other_scale: changed(
    /^(reward|rewards\/.*|kl|entropy)$/,
    (number, record) => record % 2 === 0 ? number : 1000 * number,
  ),
  // A group's spread where all groups are said to have none; a mean above the largest.
  contradicting_spread: changed(/^frac_reward_zero_std$/, (_, record) => record % 2),
  contradicting_lengths: changed(/^completions\/min_length$/, () => 1e6),
  negative: changed(/^(entropy|grad_norm|reward_std|completions\/.*)$/, (number) => -number),
  huge: changed(/^(?!step$)/, (number) => number * 1e30),
} satisfies Record<string, Change>;
