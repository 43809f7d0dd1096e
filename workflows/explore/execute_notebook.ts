/** Runs a notebook's cells in a process of their own, without Jupyter, and writes what they showed into it. @module */
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { writeFileAtomic } from "../store/write_file.ts";
import { type CellOutput, notebookText, parseNotebook, programOf, withOutputs } from "./notebook_cells.ts";

const CAPTURE = fileURLToPath(new URL("./capture.ts", import.meta.url));

/** A cell that threw, with what was printed about it. */
export class CellError extends Error {
  override readonly name = "CellError";
}

/**
 * Runs every cell from a clean state in the notebook's folder; `keep` writes the outputs into the file. Returns the outputs
 * of each code cell. Throws CellError where one fails: the file is as it was.
 *
 * config   the project's deno.json: what the cells import is resolved by it
 */
export async function executeNotebook(
  path: string,
  { config, keep, signal }: { readonly config: string; readonly keep: boolean; readonly signal?: AbortSignal },
): Promise<readonly (readonly CellOutput[])[]> {
  const notebook = parseNotebook(await Deno.readTextFile(path), path);
  // Beside the notebook, since its imports are relative to it; with a dot, so that nobody takes it for a part.
  const program = join(dirname(path), `.tmp-${basename(path, ".ipynb")}-${Deno.pid}.ts`);
  const outputs = await Deno.makeTempFile({ suffix: ".json" });
  try {
    await Deno.writeTextFile(program, programOf(notebook, CAPTURE, outputs));
    const flags = ["-A", "-q", "--no-check", "--no-prompt", "--config", config];
    const command = new Deno.Command(Deno.execPath(), {
      args: ["run", ...flags, program],
      cwd: dirname(path),
      env: { NO_COLOR: "1", MALLOC_ARENA_MAX: "2" },
      ...(signal ? { signal } : {}),
    });
    const { code, stderr } = await command.output();
    if (code !== 0) throw new CellError(`Cannot run ${path}: ${new TextDecoder().decode(stderr).trim()}`);
    const shown = JSON.parse(await Deno.readTextFile(outputs)) as CellOutput[][];
    if (keep) writeFileAtomic(path, new TextEncoder().encode(notebookText(withOutputs(notebook, shown))));
    return shown;
  } finally {
    for (const file of [program, outputs]) await Deno.remove(file).catch(() => {});
  }
}
