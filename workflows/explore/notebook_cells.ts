/** Notebooks as files: their cells read, and what the cells showed put back. @module */
import { z } from "zod";
import { firstLineOf } from "../../data/error_text.ts";

const CELL = z.looseObject({
  cell_type: z.enum(["code", "markdown", "raw"]),
  id: z.string().optional(),
  source: z.union([z.string(), z.array(z.string())]),
  outputs: z.array(z.record(z.string(), z.unknown())).optional(),
  execution_count: z.int().nullable().optional(),
});

const NOTEBOOK = z.looseObject({
  nbformat: z.literal(4),
  cells: z.array(CELL),
  metadata: z.record(z.string(), z.unknown()).optional(),
});

type Notebook = z.output<typeof NOTEBOOK>;

/** What a cell showed, as nbformat has it. */
export type CellOutput = Readonly<Record<string, unknown>>;

/** Reads the text of a notebook; throws SyntaxError that says why it is none, or none that Deno's kernel runs. */
export function parseNotebook(text: string, where: string): Notebook {
  const refuse = (what: string, cause?: unknown) =>
    new SyntaxError(`Cannot read ${where} as a Jupyter notebook: ${what}`, { cause });
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (cause) {
    throw refuse(`it is no JSON (${firstLineOf(cause)})`, cause);
  }
  const format = (json as { nbformat?: unknown } | null)?.nbformat;
  if (typeof format === "number" && format !== 4) {
    throw refuse(`it is of format ${format}, want 4; convert it: jupyter nbconvert --to notebook ${where}`);
  }
  const parsed = NOTEBOOK.safeParse(json);
  if (!parsed.success) {
    const [issue] = parsed.error.issues, at = issue!.path.join(".");
    throw refuse(`${at ? `"${at}": ` : ""}${issue!.message}; want nbformat 4 and cells`);
  }
  const language = languageOf(parsed.data);
  if (language !== null && !OUR_LANGUAGES.has(language)) {
    throw refuse(`its cells are ${language}, want TypeScript of Deno's kernel`);
  }
  return parsed.data;
}

const OUR_LANGUAGES = new Set(["typescript", "javascript"]);

/** The language of the notebook's kernel; null where it says none. */
function languageOf({ metadata }: Notebook): string | null {
  const { language_info, kernelspec } = (metadata ?? {}) as Record<string, Record<string, unknown> | undefined>;
  const language = language_info?.["name"] ?? kernelspec?.["language"];
  return typeof language === "string" ? language.toLowerCase() : null;
}

/** The code of each code cell, in order. */
export function codeOf(notebook: Notebook): string[] {
  return notebook.cells.filter(({ cell_type }) => cell_type === "code").map(({ source }) => [source].flat().join(""));
}

/** The notebook with what its code cells showed, and their numbers; cells behind those that ran keep what they have. */
export function withOutputs(notebook: Notebook, outputs: readonly (readonly CellOutput[])[]): Notebook {
  let index = 0;
  const cells = notebook.cells.map((cell) => {
    if (cell.cell_type !== "code") return cell;
    const shown = outputs[index++];
    return shown
      ? { ...cell, execution_count: index, outputs: shown.map((output) => ({ ...output })) }
      : { execution_count: null, outputs: [], ...cell };
  });
  return { ...notebook, cells };
}

/** As Jupyter writes it: keys in order, one space, a newline at the end. */
export function notebookText(notebook: Notebook): string {
  return JSON.stringify(notebook, null, 1) + "\n";
}
