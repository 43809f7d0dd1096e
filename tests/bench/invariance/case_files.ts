/** The files of a labelled case, taken apart so that a transformation can change them, and written as a folder again. @module */
import { join } from "node:path";
import type { Label, LabelledCase } from "../labelled/cases.ts";
import { isTraining, type Log, type Piece, printLog, readLog, type RecordPiece } from "./case_log.ts";

/** One file of a case; `log` where it has records. */
export interface CaseFile {
  readonly name: string;
  readonly text: string;
  readonly log: Log | null;
  readonly encode?: (text: string) => Uint8Array;
  /** A file that is no text stays as it is. */
  readonly bytes?: Uint8Array;
}

export interface Case {
  readonly name: string;
  readonly label: Label;
  readonly files: readonly CaseFile[];
}

/** Another form of the same files; null where there is nothing of it to change. */
export type Change = (files: readonly CaseFile[], of: Case) => readonly CaseFile[] | null;

export const isCompletions = ({ name }: CaseFile) => /^completions?\b/.test(name);
export const isConfiguration = ({ name }: CaseFile) => /config|args|\.(ya?ml|sh)$/.test(name);
/** What a terminal showed. */
export const isConsole = (file: CaseFile) =>
  /\.(txt|log)$/.test(file.name) && !isCompletions(file) && !isConfiguration(file);

/** The files of a labelled case, its label apart. */
export function readCase({ path, label }: LabelledCase): Case {
  const files = [...Deno.readDirSync(path)].filter(({ isFile, name }) => isFile && name !== "label.json")
    .map(({ name }) => caseFile(name, Deno.readFileSync(join(path, name))))
    .sort((a, b) => a.name < b.name ? -1 : 1);
  return { name: path, label, files };
}

function caseFile(name: string, bytes: Uint8Array): CaseFile {
  if (bytes.subarray(0, 4096).includes(0)) return { name, text: "", log: null, bytes };
  const text = new TextDecoder().decode(bytes);
  const file = { name, text, log: null };
  return isCompletions(file) || isConfiguration(file) ? file : { ...file, log: readLog(text, name) };
}

/** Writes the files into an empty folder. */
export function writeCase(folder: string, files: readonly CaseFile[]): void {
  for (const { name, text, log, encode, bytes } of files) {
    const written = log === null ? text : printLog(log);
    Deno.writeFileSync(join(folder, name), bytes ?? (encode ?? ((text) => new TextEncoder().encode(text)))(written));
  }
}

/** Changes every log; null where no log changes. */
export function changeLogs(
  files: readonly CaseFile[],
  change: (log: Log, file: CaseFile) => Log | null,
): readonly CaseFile[] | null {
  let changed = false;
  const after = files.map((file) => {
    const log = file.log === null ? null : change(file.log, file);
    changed ||= log !== null;
    return log === null ? file : { ...file, log };
  });
  return changed ? after : null;
}

/** Changes the pieces of every log. */
export function changePieces(
  files: readonly CaseFile[],
  change: (pieces: readonly Piece[]) => readonly Piece[] | null,
): readonly CaseFile[] | null {
  return changeLogs(files, (log) => {
    const pieces = change(log.pieces);
    return pieces === null ? null : { ...log, pieces };
  });
}

/** Changes the text of files, logs printed; null where `wanted` chooses none. */
export function changeTexts(
  files: readonly CaseFile[],
  wanted: (file: CaseFile) => boolean,
  change: (text: string, file: CaseFile) => string,
): readonly CaseFile[] | null {
  const isText = (file: CaseFile) => file.bytes === undefined && wanted(file);
  if (!files.some(isText)) return null;
  return files.map((file) => {
    if (!isText(file)) return file;
    return { ...file, log: null, text: change(file.log === null ? file.text : printLog(file.log), file) };
  });
}

/** The training records of a log. */
export function trainingOf(log: Log): RecordPiece[] {
  return log.pieces.filter(isTraining);
}
