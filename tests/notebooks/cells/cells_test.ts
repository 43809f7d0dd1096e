/** The notebooks themselves: their form, their cells' types, and every cell run from a clean state. */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { executeNotebook } from "../../../workflows/explore/execute_notebook.ts";
import { type CellOutput, codeOf, parseNotebook } from "../../../workflows/explore/notebook_cells.ts";
import { cellsModule } from "../../../workflows/cli/docs.ts";

const ROOT = new URL("../../../", import.meta.url);
const FOLDER = new URL("notebooks/", ROOT);

/** What a cell showed, without the values, which differ between machines. */
const kinds = (outputs: readonly CellOutput[]) =>
  outputs.map(({ output_type, data }) => [output_type, ...Object.keys(data ?? {})].join(" "));

const names = [...Deno.readDirSync(FOLDER)].map(({ name }) => name).filter((name) => /^[^.].*\.ipynb$/.test(name))
  .sort();

Deno.test("there are nine notebooks, in order", () => {
  assert.deepEqual(names.map((name) => name.slice(0, 3)), [
    "01_",
    "02_",
    "03_",
    "04_",
    "05_",
    "06_",
    "07_",
    "08_",
    "09_",
  ]);
});

/** What a notebook that trains for a minute is run with here: its cells show the same kinds of things. */
const SHORTER: Readonly<Record<string, readonly [written: string, run: string]>> = {
  "09_visual.ipynb": ["warm_updates: 250, train_steps: 100", "warm_updates: 60, train_steps: 10"],
};

for (const name of names) {
  const path = new URL(name, FOLDER), text = Deno.readTextFileSync(path), notebook = parseNotebook(text, name);
  const code = notebook.cells.filter(({ cell_type }) => cell_type === "code");

  Deno.test(`${name} is of the Deno kernel, with its outputs: pictures where GitHub shows them`, () => {
    assert.equal((notebook["metadata"] as { kernelspec: { name: string } }).kernelspec.name, "deno");
    assert.equal(new Set(notebook.cells.map(({ id }) => id)).size, notebook.cells.length);
    const outputs = code.flatMap(({ outputs }) => outputs!);
    assert(outputs.some(({ data }) => "image/png" in (data as object ?? {})), "no picture");
    assert(outputs.every(({ output_type }) => output_type !== "error"), "an error");
    assert.doesNotMatch(text, new RegExp(`/home/|/root/|${fileURLToPath(ROOT)}`), "a path of a machine");
  });

  Deno.test(`the cells of ${name} stand in tests/notebooks/cells, where deno check looks at their types`, async () => {
    const module = new URL(`./${name.replace(".ipynb", ".ts")}`, import.meta.url);
    assert.equal(await Deno.readTextFile(module), cellsModule(text), "run: deno task docs");
  });

  Deno.test(`no cell of ${name} ends with a bare value, which a busy kernel shows too late or not at all`, () => {
    for (const cell of codeOf(notebook)) {
      const last = cell.trimEnd().split("\n").at(-1)!;
      assert.match(last, /;$|\}$/, `a cell ends with ${last}`);
      assert.doesNotMatch(last, /^[\w.]+;$/, `a cell ends with ${last}`);
    }
  });

  Deno.test(`every cell of ${name} runs from a clean state and shows what is committed`, async () => {
    const config = fileURLToPath(new URL("deno.json", ROOT));
    const [written = "", run = ""] = SHORTER[name] ?? [];
    assert(text.includes(written), `${name} has no "${written}" to be run as "${run}"`);
    // Beside the notebook, since its imports are relative to it.
    const copy = new URL(`.tmp-short-${name}`, FOLDER);
    await Deno.writeTextFile(copy, text.replace(written, run));
    try {
      const shown = await executeNotebook(fileURLToPath(copy), { config, keep: false });
      assert.deepEqual(shown.map(kinds), code.map(({ outputs }) => kinds(outputs!)));
    } finally {
      await Deno.remove(copy);
    }
  });
}
