/** Runs a notebook's cells in a process of their own, without Jupyter, and writes what they showed into it. @module */
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { rewriteFile } from "../store/write_file.ts";
import type { Captured, Thrown } from "./capture.ts";
import { type CellPlace, type CellProgram, programOf } from "./cell_program.ts";
import { type CellOutput, codeOf, notebookText, parseNotebook, withOutputs } from "./notebook_cells.ts";

const CAPTURE = fileURLToPath(new URL("./capture.ts", import.meta.url));

/** A cell that threw: which, where in it, and what. */
export class CellError extends Error {
  override readonly name = "CellError";
}

/**
 * Runs every cell from a clean state in the notebook's folder; `keep` writes the outputs into the file. Returns the outputs
 * of each code cell. Throws CellError where one fails, and SyntaxError for what is no notebook: with `keep` the outputs of
 * the cells before it are in the file then too, behind them the error, and cells that did not run keep theirs.
 *
 * config   the project's deno.json: what the cells import is resolved by it
 * shown    how the notebook is called to a person
 */
export async function executeNotebook(
  path: string,
  { config, keep, shown = path }: { readonly config: string; readonly keep: boolean; readonly shown?: string },
): Promise<readonly (readonly CellOutput[])[]> {
  const notebook = parseNotebook(await Deno.readTextFile(path), shown);
  const cells = codeOf(notebook), program = programOf(cells);
  const { outputs, failure } = await capture(path, program, config);
  const problem = failure ?? (program.broken && { ...program.broken, name: "SyntaxError" });
  const all = problem === null ? cells.map((_, i) => outputs[i] ?? []) : withError(outputs, problem, cells);
  if (keep) rewriteFile(path, new TextEncoder().encode(notebookText(withOutputs(notebook, all))));
  if (problem === null) return outputs;
  throw new CellError(`Cannot run ${shown}, ${described(problem, cells).join("\n")}`);
}

interface Failure extends CellPlace {
  readonly name: string;
  readonly message: string;
}

/** Runs the program, and says where it failed. */
async function capture(path: string, program: CellProgram, config: string): Promise<{
  readonly outputs: readonly (readonly CellOutput[])[];
  readonly failure: Failure | null;
}> {
  // Beside the notebook, since its imports are relative to it; with a dot, so that nobody takes it for a part.
  const file = join(dirname(path), `.tmp-${basename(path, ".ipynb")}-${Deno.pid}.js`);
  const written = await Deno.makeTempFile({ suffix: ".json" });
  try {
    await Deno.writeTextFile(file, program.text);
    const flags = ["-A", "-q", "--no-check", "--no-prompt", "--config", config];
    const command = new Deno.Command(Deno.execPath(), {
      args: ["run", ...flags, CAPTURE, file, written],
      cwd: dirname(path),
      // Paths in a cell are relative to the notebook, wherever this was called from.
      env: { NO_COLOR: "1", MALLOC_ARENA_MAX: "2", INIT_CWD: dirname(path) },
      stdout: "null",
    });
    const { code, signal, stderr } = await command.output();
    const text = await Deno.readTextFile(written);
    const { outputs, thrown, isOver }: Captured = text
      ? JSON.parse(text)
      : { outputs: [], thrown: null, isOver: false };
    if (thrown) return { outputs, failure: failureOf(thrown, outputs, program) };
    if (isOver) return { outputs, failure: null };
    const said = new TextDecoder().decode(stderr).trim().split("\n").slice(-3).join("\n");
    const message = `the process ended with ${signal ?? `exit code ${code}`}${said ? `: ${said}` : ""}`;
    return { outputs, failure: { cell: Math.max(0, outputs.length - 1), line: 0, name: "Exit", message } };
  } finally {
    for (const name of [file, written]) await Deno.remove(name).catch(() => {});
  }
}

/** The cell that ran is where it failed; the line in it, where one of its lines was at work. */
function failureOf({ name, message, line }: Thrown, outputs: Captured["outputs"], program: CellProgram): Failure {
  const place = line === null ? null : program.placeOf(line);
  return { cell: Math.max(0, outputs.length - 1), line: 0, ...place, name, message };
}

/** `cell [3], line 2: TypeError: …` and the line itself. Cells have the numbers that Jupyter gives them, from 1. */
function described({ cell, line, name, message }: Failure, cells: readonly string[]): string[] {
  const source = cells[cell]?.split("\n")[line]?.trim();
  return [`cell [${cell + 1}], line ${line + 1}: ${name}: ${message}`, ...source ? [`    ${source}`] : []];
}

/** The outputs with the error, as nbformat has it, behind what its cell showed. */
function withError(
  outputs: readonly (readonly CellOutput[])[],
  failure: Failure,
  cells: readonly string[],
): (readonly CellOutput[])[] {
  const { cell, name, message } = failure;
  const error = { output_type: "error", ename: name, evalue: message, traceback: described(failure, cells) };
  const before = Array.from({ length: cell }, (_, i) => outputs[i] ?? []);
  return [...before, [...outputs[cell] ?? [], error]];
}
