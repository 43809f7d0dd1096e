/** Notebooks as files: their cells as one program, and what the cells showed put back. @module */
import { z } from "zod";

const CELL = z.looseObject({
  cell_type: z.enum(["code", "markdown", "raw"]),
  id: z.string().optional(),
  source: z.union([z.string(), z.array(z.string())]),
  outputs: z.array(z.record(z.string(), z.unknown())).optional(),
  execution_count: z.int().nullable().optional(),
});

const NOTEBOOK = z.looseObject({ nbformat: z.literal(4), cells: z.array(CELL) });

type Notebook = z.output<typeof NOTEBOOK>;

/** What a cell showed, as nbformat has it. */
export type CellOutput = Readonly<Record<string, unknown>>;

/** Reads the text of a notebook; throws SyntaxError for one that is none. */
export function parseNotebook(text: string, where: string): Notebook {
  try {
    return NOTEBOOK.parse(JSON.parse(text));
  } catch (cause) {
    throw new SyntaxError(`Cannot read ${where} as a Jupyter notebook of format 4`, { cause });
  }
}

/** The code of each code cell, in order. */
export function codeOf(notebook: Notebook): string[] {
  return notebook.cells.filter(({ cell_type }) => cell_type === "code").map(({ source }) => [source].flat().join(""));
}

/**
 * The code cells as one program that tells `capture` where each begins. Imports move to its head, as a program wants them;
 * `capture` comes before them: what is imported looks whether it is in a notebook.
 */
export function programOf(notebook: Notebook, capture: string, outputs: string): string {
  const cells = codeOf(notebook).map((code) => {
    const imports: string[] = [];
    const rest = code.replaceAll(/^import\s[^;]*?from\s+"[^"]+";?[ \t]*$/gm, (text) => {
      imports.push(text.replace(/;?\s*$/, ";"));
      return "";
    });
    return { imports, rest };
  });
  return [
    `import { capture } from ${JSON.stringify(capture)};`,
    ...cells.flatMap(({ imports }) => imports),
    ...cells.map(({ rest }, index) => `await capture.begin(${index});\n${rest.trimEnd()}\n;`),
    `await capture.end(${JSON.stringify(outputs)});`,
    "",
  ].join("\n");
}

/** The notebook with what its code cells showed, and their numbers. */
export function withOutputs(notebook: Notebook, outputs: readonly (readonly CellOutput[])[]): Notebook {
  let index = 0;
  const cells = notebook.cells.map((cell) => {
    if (cell.cell_type !== "code") return cell;
    const shown = outputs[index++] ?? [];
    return { ...cell, execution_count: index, outputs: shown.map((output) => ({ ...output })) };
  });
  return { ...notebook, cells };
}

/** As Jupyter writes it: keys in order, one space, a newline at the end. */
export function notebookText(notebook: Notebook): string {
  return JSON.stringify(notebook, null, 1) + "\n";
}
