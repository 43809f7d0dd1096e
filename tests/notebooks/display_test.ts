import assert from "node:assert/strict";
import { table } from "arquero";
import { cellsModule } from "../../workflows/cli/docs.ts";
import { isNotebook, JUPYTER_DISPLAY, show, tableBundle } from "../../notebooks/display.ts";

Deno.test("tableBundle() shows at most limit rows, says how many there are, and leaves absent cells empty", () => {
  const html = tableBundle(table({ a: [1, null, 3], b: ["x", "y", "z"] }), 2)["text/html"] as string;
  assert.equal(html.match(/<tr>/g)?.length, 3);
  assert.match(html, /3 rows × 2 columns; the first 2 are shown/);
  assert.doesNotMatch(html, /null|undefined/);
  assert.doesNotMatch(tableBundle(table({ a: [1] }))["text/html"] as string, /are shown/);
});

Deno.test("show() says that it needs a Jupyter cell, of a bundle, a table and what shows itself", async () => {
  const self = { [JUPYTER_DISPLAY]: () => ({ "text/plain": "x" }) };
  for (const value of [{ "text/plain": "x" }, table({ a: [1] }), self]) {
    await assert.rejects(show(value), /not a cell of Deno's Jupyter kernel/);
  }
  assert.equal(isNotebook(), false);
});

/** The notebooks, which import display.ts and the library. */
const FOLDER = new URL("../../notebooks/", import.meta.url);

interface Notebook {
  readonly nbformat: number;
  readonly metadata: { readonly kernelspec: { readonly name: string } };
  readonly cells: readonly {
    readonly cell_type: string;
    readonly id: string;
    readonly source: readonly string[];
    readonly outputs?: readonly unknown[];
  }[];
}

for await (const { name } of Deno.readDir(FOLDER)) {
  if (!name.endsWith(".ipynb")) continue;
  const notebook: Notebook = JSON.parse(await Deno.readTextFile(new URL(name, FOLDER)));
  const code = notebook.cells.filter(({ cell_type }) => cell_type === "code");

  Deno.test(`${name} is a notebook of the Deno kernel, without outputs`, () => {
    assert.equal(notebook.nbformat, 4);
    assert.equal(notebook.metadata.kernelspec.name, "deno");
    assert.equal(new Set(notebook.cells.map(({ id }) => id)).size, notebook.cells.length);
    for (const { outputs } of code) assert.deepEqual(outputs, []);
  });

  Deno.test(`the cells of ${name} stand beside this test, where deno check looks at their types`, async () => {
    const text = await Deno.readTextFile(new URL(`./${name.replace(".ipynb", "_cells.ts")}`, import.meta.url));
    assert.equal(text, cellsModule(JSON.stringify(notebook)), "run: deno task docs");
  });
}
