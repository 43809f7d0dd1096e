/**
 * Dicts as TRL, transformers, ms-swift, OpenRLHF and many others print them, anywhere in a line, also as JSON lines.
 * @module
 */
import { scanNumber } from "../source/scan_number.ts";
import { type Line, type LineFormat, rankOf } from "./line_format.ts";
import { NO_DICT, scanDict, UNFINISHED } from "../intake/scan_dict.ts";

/** Lines a pretty-printed dict may span. */
const MAX_JOINED = 3000;
const MAX_JOINED_CHARS = 1 << 20;

const isQuote = (code: number) => code === 39 || code === 34;

/** Where a dict opens at or after `from`: `{` and a quote, with white space between. */
function findDict(text: string, from: number): number {
  for (let at = text.indexOf("{", from); at >= 0; at = text.indexOf("{", at + 1)) {
    let next = at + 1;
    while (text.charCodeAt(next) === 32) next++;
    if (isQuote(text.charCodeAt(next)) || next >= text.length) return at;
  }
  return -1;
}

const STEP_BEFORE = /(?:global[ _])?step[ :=#]*(\d{1,9})\D{0,4}$/i;

/** What Ray puts before every line of a process. */
const RAY = /^\([\w.]+ pid=\d+[^)]*\)\s?/;

/** `generation_kwargs: {…}` and `args = {…}`: whose settings they are. */
const PARENT = /([A-Za-z_][\w.]*)["']?\s*[:=]\s*$/;

export const PYTHON_DICT: LineFormat = {
  about: "a dict per record, single or double quotes: TRL, transformers, ms-swift, OpenRLHF, JSON lines",
  open(intake) {
    const { stage } = intake;
    let held = "", heldFrom = 0, heldLines = 0;
    const drop = (why: string) => {
      if (held !== "") intake.skip(heldFrom, why);
      held = "";
    };
    /** A dict of lists is a table in columns: one record per place. */
    const commitColumns = (number: number): boolean => {
      const lists = stage.texts.filter(({ quoted, value }) => !quoted && value.startsWith("["));
      if (stage.count > 0 || lists.length < 2 || !lists.some(({ name }) => stage.names.get(name).mapped)) return false;
      const columns = lists.map(({ name, value }) => ({
        info: stage.names.get(name),
        cells: value.slice(1, -1).split(","),
      }));
      const rows = columns[0]!.cells.length;
      if (rows < 2 || columns.some(({ cells }) => cells.length !== rows)) return false;
      for (let row = 0; row < rows; row++) {
        stage.reset();
        for (const { info, cells } of columns) {
          const cell = cells[row]!.trim();
          if (scanNumber(cell, 0, stage.number) && stage.number.end === cell.length) {
            stage.add(info, stage.number.value, -1, 0);
          } else if (cell === "null" || cell === "None") stage.add(info, NaN, -2, 0);
        }
        if (stage.count > 0) intake.commit({ line: number });
      }
      return true;
    };
    const commit = (prefix: string, number: number) => {
      if (stage.count === 0 && stage.texts.length > 1 && commitColumns(number)) return true;
      const step = prefix === "" ? null : STEP_BEFORE.exec(prefix.length > 80 ? prefix.slice(-80) : prefix);
      if (prefix.includes("Global step")) intake.mark("openrlhf", prefix);
      const rank = prefix === "" ? undefined : rankOf(prefix);
      const parent = prefix === "" ? undefined : PARENT.exec(prefix)?.[1];
      return intake.commit({ line: number, step: step === null ? undefined : Number(step[1]), rank, parent });
    };
    /** Scans all dicts of a text; true if one was there. */
    const scan = (text: string, number: number, mayHold: boolean): boolean => {
      let at = findDict(text, 0), from = 0, found = false;
      while (at >= 0) {
        stage.reset();
        const end = scanDict(text, at, stage);
        if (end === UNFINISHED) {
          if (!mayHold) {
            intake.skip(number, "a dict cut before its end");
            return true;
          }
          if (
            /^[{\s]*["'][\w /().-]{1,120}["']?\s*:?/.test(text.slice(at, at + 160)) || text.slice(at).trim() === "{"
          ) {
            held = text.slice(at);
            heldFrom = number;
            heldLines = 1;
          }
          return true;
        }
        if (end === NO_DICT) {
          at = findDict(text, at + 1);
          continue;
        }
        if (commit(text.slice(from, at), number)) found = true;
        from = end;
        at = findDict(text, end);
      }
      return found;
    };
    const line = ({ text, number, ended }: Line): boolean => {
      if (held !== "") {
        const opens = text.charCodeAt(0) === 123 ? findDict(text, 0) : -1;
        if (opens === 0 && text.length > 1 && !held.endsWith(":") && !held.trimEnd().endsWith(":")) {
          drop("a dict cut before its end");
        } else {
          const joined = held + "\n" + text.replace(RAY, "");
          stage.reset();
          const end = text.includes("}") ? scanDict(joined, 0, stage) : UNFINISHED;
          if (end >= 0) {
            held = "";
            commit("", heldFrom);
            return true;
          }
          if (end === UNFINISHED && ++heldLines < MAX_JOINED && joined.length < MAX_JOINED_CHARS) {
            held = joined;
            return true;
          }
          drop("a dict cut before its end");
        }
      }
      const open = findDict(text, 0);
      if (open >= 0) return scan(text, number, ended);
      const first = text.trimStart();
      if (isQuote(first.charCodeAt(0)) && /^["'][^"']{1,200}["']\s*:/.test(first)) {
        // A paste without its opening brace. It counts only if it is whole up to its closing brace.
        stage.reset();
        const end = scanDict(first, 0, stage, "", 0, true);
        if (end >= 0) return commit("", number);
        if (end === UNFINISHED && stage.count > 1) {
          intake.skip(number, "a dict cut before its end");
          return true;
        }
      }
      return false;
    };
    return { line, end: () => drop("a dict cut before its end") };
  },
};
