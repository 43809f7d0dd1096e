/**
 * Dicts as TRL, transformers, ms-swift, OpenRLHF and many others print them, anywhere in a line, also as JSON lines.
 * @module
 */
import { type Line, type LineFormat, rankOf } from "./line_format.ts";
import { NO_DICT, scanDict, UNFINISHED } from "./scan_dict.ts";

/** Lines a pretty-printed dict may span. */
const MAX_JOINED = 400;
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
    const commit = (prefix: string, number: number) => {
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
        const opens = findDict(text, 0);
        if (opens === 0 && text.length > 1 && !held.endsWith(":") && !held.trimEnd().endsWith(":")) {
          drop("a dict cut before its end");
        } else {
          const joined = held + "\n" + text;
          stage.reset();
          const end = scanDict(joined, 0, stage);
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
        if (end === UNFINISHED && stage.count > 1) intake.skip(number, "a dict cut before its end");
      }
      return false;
    };
    return { line, end: () => drop("a dict cut before its end") };
  },
};
