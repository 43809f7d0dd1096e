/** The code of a notebook as one text whose lines are those of the file. @module */

/**
 * Every line of code stands on the line of the notebook's JSON that holds it, so that places are those of the file; a text
 * that is no notebook, or on one line, gives null.
 */
export function notebookCode(json: string): string | null {
  let cells: unknown;
  try {
    cells = (JSON.parse(json) as { cells?: unknown }).cells;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
  if (!Array.isArray(cells)) return null;
  const lines = json.split("\n"), code: string[] = lines.map(() => "");
  let at = 0;
  for (const cell of cells as { cell_type?: unknown; source?: unknown }[]) {
    if (cell?.cell_type !== "code") continue;
    const source = Array.isArray(cell.source) ? cell.source.map(String) : String(cell.source ?? "").split(/(?<=\n)/);
    for (const written of source) {
      const found = lines.findIndex((line, i) => i >= at && line.includes(JSON.stringify(written)));
      if (found < 0) continue;
      // What a shell or IPython does is no Python.
      code[found] = /^\s*[!%]/.test(written) ? "" : written.replace(/\n$/, "");
      at = found + 1;
    }
  }
  return code.some((line) => line !== "") ? code.join("\n") : null;
}
