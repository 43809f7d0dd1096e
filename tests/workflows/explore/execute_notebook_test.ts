import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { CellError, executeNotebook } from "../../../workflows/explore/execute_notebook.ts";

const config = fileURLToPath(new URL("../../../deno.json", import.meta.url));

async function withNotebook(
  code: readonly string[],
  body: (path: string, folder: string) => Promise<void>,
): Promise<void> {
  const folder = await Deno.makeTempDir(), path = join(folder, "a b.ipynb");
  try {
    const cells = code.map((source, i) => ({ cell_type: "code", id: `c${i}`, metadata: {}, source, outputs: [] }));
    await Deno.writeTextFile(path, JSON.stringify({ nbformat: 4, nbformat_minor: 5, metadata: {}, cells }));
    await body(path, folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("executeNotebook() runs the cells in the notebook's folder and writes what they show into it", () =>
  withNotebook(["const a = 2;", 'console.log(a + 1, Deno.readTextFileSync("data.txt"));'], async (path, folder) => {
    await Deno.writeTextFile(join(folder, "data.txt"), "x");
    await executeNotebook(path, { config, keep: true });
    const { cells } = JSON.parse(await Deno.readTextFile(path));
    assert.deepEqual(cells[1].outputs, [{ output_type: "stream", name: "stdout", text: ["3 x\n"] }]);
    assert.deepEqual([...Deno.readDirSync(folder)].map(({ name }) => name).sort(), ["a b.ipynb", "data.txt"]);
  }));

Deno.test("executeNotebook() leaves the notebook as it was where a cell throws, and says what it threw", () =>
  withNotebook(['throw new Error("broken cell");'], async (path, folder) => {
    const before = await Deno.readTextFile(path);
    await assert.rejects(
      executeNotebook(path, { config, keep: true }),
      (error: unknown) => error instanceof CellError && /broken cell/.test(error.message),
    );
    assert.equal(await Deno.readTextFile(path), before);
    assert.equal([...Deno.readDirSync(folder)].length, 1);
  }));
