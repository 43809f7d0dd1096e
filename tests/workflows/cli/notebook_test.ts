import assert from "node:assert/strict";
import { join } from "node:path";
import { inProcess } from "./in_process.ts";

const NOTEBOOK = {
  nbformat: 4,
  nbformat_minor: 5,
  metadata: {},
  cells: [{
    cell_type: "code",
    id: "a",
    metadata: {},
    source: 'console.log("ran");',
    outputs: [],
    execution_count: null,
  }],
};

Deno.test("notebook --execute runs a notebook and writes what it shows, without Jupyter", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const path = join(folder, "n.ipynb");
    await Deno.writeTextFile(path, JSON.stringify(NOTEBOOK));
    const { code, out } = await inProcess(["notebook", "--execute", path]);
    assert.equal(code, 0);
    assert.match(out, /n\.ipynb: 1 cells, 0 charts, [\d.]+ s/);
    assert.match(await Deno.readTextFile(path), /"ran\\n"/);
    await Deno.writeTextFile(path, JSON.stringify(NOTEBOOK).replace("console.log", "no_such"));
    const failed = await inProcess(["notebook", "--execute", path]);
    assert.deepEqual([failed.code, /no_such is not defined/.test(failed.err)], [1, true]);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("notebook refuses what it cannot open, exit 2", async () => {
  for (
    const [words, problem] of [
      [["no_such"], /there is no such notebook/],
      [["deno.json"], /it is no notebook/],
      [["--execute"], /want the notebooks to run/],
      [["01_first_run", "02_inside_a_train_step"], /want one, or --execute/],
      [["--port", "x"], /want a number/],
    ] as const
  ) {
    const { code, err } = await inProcess(["notebook", ...words]);
    assert.equal(code, 2, words.join(" "));
    assert.match(err, problem);
  }
});
