import assert from "node:assert/strict";
import { table } from "arquero";
import { cellsModule } from "../../workflows/cli/docs.ts";
import { chartBundle, show, tableBundle } from "../../notebooks/display.ts";

Deno.test("chartBundle() offers Vega-Lite 5, SVG and text, never HTML", async () => {
  const bundle = await chartBundle("reward", table({ train_step: [1, 2], reward: [0.1, 0.2] }));
  assert.deepEqual(Object.keys(bundle), ["application/vnd.vegalite.v5+json", "image/svg+xml", "text/plain"]);
  const spec = bundle["application/vnd.vegalite.v5+json"] as { $schema: string };
  assert.match(spec.$schema, /v5/);
});

Deno.test("tableBundle() shows at most limit rows", () => {
  const html = tableBundle(table({ a: [1, 2, 3] }), 2)["text/html"] as string;
  assert.equal(html.match(/<tr>/g)?.length, 3);
});

Deno.test("show() says that it needs a Jupyter cell", async () => {
  await assert.rejects(show({ "text/plain": "x" }), /not a Jupyter cell/);
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
