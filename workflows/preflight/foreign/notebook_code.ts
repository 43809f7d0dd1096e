/** The code of a notebook as one text, whose lines are those of the file where each line of code has one. @module */

/** A line of code, and the line of the file that holds it. */
interface CodeLine {
  readonly text: string;
  /** From 0. */
  readonly at: number;
}

/** Cells of other languages, and of files that are no Python. */
const OTHER = /^\s*%%(?!time|capture|prun|python\b|py\b|writefile\b.*\.py\s*$)/;
const COMMAND = /^\s*[!%]/;

/**
 * Every line of code stands on the line of the notebook's JSON that holds it, so that places are those of the file. Where
 * one line of the file holds several of them, as in compact JSON or where the source of a cell is one text, lines count as
 * those of the code alone. A text that is no notebook, or has no code, gives null.
 */
export function notebookCode(json: string): string | null {
  try {
    JSON.parse(json);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
  const cells = codeCells(json).map(asPython), all = cells.flat();
  if (all.every(({ text }) => text === "")) return null;
  if (all.some(({ at }, i) => at === all[i - 1]?.at)) return all.map(({ text }) => text).join("\n");
  const code: string[] = json.split("\n").map(() => "");
  for (const { text, at } of all) code[at] = text;
  return code.join("\n");
}

/** The lines of a cell; what a shell or IPython does is no Python, and becomes an empty one. */
function asPython(lines: readonly CodeLine[]): CodeLine[] {
  const isOther = OTHER.test(lines.find(({ text }) => text.trim() !== "")?.text ?? "");
  let goesOn = false; // A command over several lines.
  return lines.map(({ text, at }) => {
    const isCommand = isOther || goesOn || COMMAND.test(text);
    goesOn = isCommand && /\\\s*$/.test(text);
    return { text: isCommand ? "" : text, at };
  });
}

/** Where a value stands: the list or object around it, and the key within. */
interface Around {
  readonly isList: boolean;
  key: string | null;
}

const TOKEN = /"(?:[^"\\]|\\.)*"|[[\]{},:\n]/g;

/** The code cells of valid JSON, in order: lists in lists are walked, not called, since an output may be nested deep. */
function codeCells(json: string): (readonly CodeLine[])[] {
  const cells: (readonly CodeLine[])[] = [], around: Around[] = [];
  let line = 0, kind: string | null = null, source: CodeLine[] = [], isKey = false;
  for (const [token] of json.matchAll(TOKEN)) {
    const inner = around.at(-1);
    if (token === "\n") line++;
    else if (token === "{" || token === "[") {
      around.push({ isList: token === "[", key: null });
      isKey = token === "{";
      if (around.length === CELL) [kind, source] = [null, []];
    } else if (token === "}" || token === "]") {
      if (around.length === CELL && isCell(around) && kind === "code") cells.push(source);
      around.pop();
      isKey = false;
    } else if (token === ",") isKey = inner?.isList === false;
    else if (token === ":") isKey = false;
    else if (isKey) inner!.key = JSON.parse(token) as string;
    else if (isCell(around)) {
      const key = around[CELL - 1]!.key, isDirect = around.length === CELL;
      if (key === "cell_type" && isDirect) kind = JSON.parse(token) as string;
      else if (key === "source" && (isDirect || around.length === CELL + 1 && inner!.isList)) {
        const text = JSON.parse(token) as string, at = line;
        source.push(...text.replace(/\n$/, "").split("\n").map((one) => ({ text: one, at })));
      }
    }
  }
  return cells;
}

/** Deep as a cell is: the notebook, its list of cells, the cell. */
const CELL = 3;

function isCell([notebook, list, cell]: readonly Around[]): boolean {
  return notebook?.isList === false && notebook.key === "cells" && list?.isList === true && cell?.isList === false;
}
