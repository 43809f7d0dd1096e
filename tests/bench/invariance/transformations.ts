/** What must change neither the verdict nor the first cause: the same run, printed in another way. @module */
import {
  type Case,
  type CaseFile,
  type Change,
  changeLogs,
  changePieces,
  changeTexts,
  isConsole,
} from "./case_files.ts";
import { isRecord, type Log, type Piece, type RecordPiece } from "./case_log.ts";
import { numberIn, type Style } from "./printed_record.ts";
import { renamed, sameMeaning } from "./rewards.ts";
import { averaged, mapCells, restarted, resumed, rounded, smoothed } from "./series.ts";
import { behindBars, coloured, prefixed, UNRELATED, utf16, withBars, wrapped } from "./texts.ts";

const anyText = () => true;
const onConsole = (change: (text: string) => string): Change => (files) => changeTexts(files, isConsole, change);
const onText = (change: (text: string) => string): Change => (files) => changeTexts(files, anyText, change);
const onPieces = (change: (pieces: readonly Piece[]) => readonly Piece[] | null): Change => (files) =>
  changePieces(files, change);

const two = (number: number) => String(number).padStart(2, "0");
const clock = (line: number) =>
  `${two(Math.floor(line / 3600) % 24)}:${two(Math.floor(line / 60) % 60)}:${two(line % 60)}`;

/** Shapes that a smooth curve still shows; a spike, a first record or a NaN it may not. */
const TRENDS = new Set([
  "healthy",
  "entropy_collapse",
  "kl_explosion",
  "reward_hacking",
  "length_inflation",
  "length_collapse",
  "truncated_completions",
  "all_correct_saturated",
  "all_incorrect_reward_floor",
  "learning_plateau",
  "reward_imbalance",
  "reward_collapse",
  "overfitting",
  "preference_margin_blowup",
  "likelihood_displacement",
]);

export const TRANSFORMATIONS = {
  // ***** the text around records *****
  prefix_timestamp: onConsole((text) => prefixed(text, (line) => `2026-03-11 ${clock(line)},${100 + line % 900} `)),
  prefix_ray: onConsole((text) => prefixed(text, () => "(TaskRunner pid=123) ")),
  prefix_rank: onConsole((text) => prefixed(text, () => "[rank0]: ")),
  prefix_logger: onConsole((text) => prefixed(text, () => "INFO:trl.trainer.grpo_trainer:")),
  colours: onConsole(coloured),
  wrapped_120: onConsole((text) => wrapped(text, 120)),
  wrapped_200: onConsole((text) => wrapped(text, 200)),
  bars: onConsole(withBars),
  behind_bars: onConsole(behindBars),
  crlf: onText((text) => text.replace(/\r?\n/g, "\r\n")),
  bom: onText((text) => `\ufeff${text}`),
  utf16: (files) => files.map((file) => file.bytes === undefined ? { ...file, encode: utf16 } : file),
  indented: (files) => changeLogs(files, (log) => ({ ...log, indent: 4 })),
  trailing_commas: (files) => changeLogs(files, (log) => hasDicts(log) ? { ...log, trailing: true } : null),
  unrelated_text: unrelatedText,
  // ***** the same records *****
  quoted: (files) => quoted(files, true),
  unquoted: (files) => quoted(files, false),
  keys_reversed: onPieces((pieces) => recordsChanged(pieces, ({ cells }) => [...cells].reverse())),
  unrelated_column: onPieces((pieces) =>
    recordsChanged(pieces, ({ cells }, at) => [
      ...cells,
      { key: "host/fan_speed", value: String(1200 + (at * 37) % 400), quoted: false },
    ])
  ),
  rewards_renamed: (files) => renamed(files, sameMeaning),
  as_jsonl: (files, of) => converted(files, of, "lines", "json", "log.jsonl"),
  as_console: (files, of) => converted(files, of, "lines", "python", "log.txt"),
  as_state: (files, of) => converted(files, of, "state", "json", "trainer_state.json"),
  as_csv: (files, of) => converted(files, of, "csv", "json", "log.csv"),
  // ***** another logger's settings *****
  every_5: onPieces((pieces) => averaged(pieces, 5, 200)),
  every_10: onPieces((pieces) => averaged(pieces, 10, 400)),
  three_decimals: onPieces(rounded),
  smoothed: (files, { label }) => TRENDS.has(label.primary) ? changePieces(files, (all) => smoothed(all, 0.6)) : null,
  // ***** told of twice *****
  resumed: onPieces(resumed),
  restarted: onPieces(restarted),
} satisfies Record<string, Change>;

const hasDicts = ({ layout, pieces }: Log) =>
  layout !== "csv" && pieces.some((piece) => isRecord(piece) && piece.style !== "verl");

function recordsChanged(
  pieces: readonly Piece[],
  change: (record: RecordPiece, at: number) => RecordPiece["cells"],
): readonly Piece[] {
  return pieces.map((piece, at) => {
    if (!isRecord(piece)) return piece;
    // verl's step stands first, whatever follows.
    const [step, ...others] = piece.cells, cells = piece.style === "verl" ? others : piece.cells;
    const changed = change({ ...piece, cells }, at);
    return { ...piece, cells: piece.style === "verl" ? [step!, ...changed] : changed };
  });
}

/** Numbers in quotes, or out of them; null where all are so already. */
function quoted(files: readonly CaseFile[], to: boolean): readonly CaseFile[] | null {
  return changeLogs(files, (log) => {
    const other = (piece: Piece) =>
      isRecord(piece) && piece.style !== "verl" &&
      piece.cells.some((cell) => cell.quoted !== to && numberIn(cell) !== null);
    if (log.layout === "csv" || !log.pieces.some(other)) return null;
    return { ...log, pieces: mapCells(log.pieces, (cell) => numberIn(cell) === null ? cell : { ...cell, quoted: to }) };
  });
}

/** Between the records of a console; beside other files as one of its own. */
function unrelatedText(files: readonly CaseFile[]): readonly CaseFile[] {
  const text = `${UNRELATED.join("\n")}\n`;
  return changeTexts(files, isConsole, (written) => {
    const lines = written.split("\n"), middle = lines.length >> 1;
    return [...lines.slice(0, middle), ...UNRELATED, ...lines.slice(middle)].join("\n");
  }) ?? [...files, { name: "launch.log", text, log: null }];
}

/** The records of the longest log in another layout, the other logs left out; null where it is in that layout already. */
function converted(
  files: readonly CaseFile[],
  _: Case,
  layout: Log["layout"],
  style: Style,
  name: string,
): readonly CaseFile[] | null {
  const logs = files.filter(({ log }) => log !== null);
  const size = ({ log }: CaseFile) => log!.pieces.filter(isRecord).length;
  const [longest] = logs.toSorted((a, b) => size(b) - size(a));
  if (longest === undefined) return null;
  const records = longest.log!.pieces.filter(isRecord);
  if (records.some(({ style }) => style === "verl") || longest.log!.layout === layout && records[0]!.style === style) {
    return null;
  }
  const pieces = records.map((record) => ({ ...record, style, before: "", after: "" }));
  const state = layout === "state" ? { head: '{\n"log_history": [', tail: "]\n}\n" } : { head: "", tail: "" };
  // What was printed between records stays, in a file of its own.
  const prose = logs.flatMap(({ log }) => log!.pieces.filter((piece) => !isRecord(piece))).join("\n");
  return [
    ...files.filter(({ log }) => log === null),
    { name, text: "", log: { layout, pieces, ...state } },
    ...(prose.trim() === "" ? [] : [{ name: "console.log", text: `${prose}\n`, log: null }]),
  ];
}
