import assert from "node:assert/strict";
import { flat, openGraphRunner } from "../../../workflows/goldens/run_graph.ts";

Deno.test("a graph runner gives outputs in their shapes and gradients of what is asked", async () => {
  const graphs = await openGraphRunner();
  for (const dtype of ["float64", "float32"] as const) {
    const run = (x: number[][], y: number) =>
      graphs.run({
        dtype,
        inputs: { x, y, unread: [1] },
        build: (input) => ({ loss: input("x").mul(input("x")).mul(input("y")).sum(), rows: input("x").sum([1]) }),
        gradients: { of: "loss", by: ["x", "y"] },
      });
    assert.deepEqual(await run([[1, 2], [3, 4]], 2), {
      loss: 60,
      rows: [[3], [7]],
      grad_x: [[4, 8], [12, 16]],
      grad_y: 30,
    });
    // The same graph in the same session, with other numbers.
    assert.deepEqual((await run([[1, 0], [0, 1]], 3))["grad_x"], [[6, 0], [0, 6]]);
    assert.deepEqual((await run([[1, 2, 3]], 1))["loss"], 14);
  }
  graphs.release();
});

Deno.test("a graph runner names an input that a case does not have, and rows of unequal lengths", async () => {
  const graphs = await openGraphRunner();
  const run = (inputs: Record<string, number[][]>) =>
    graphs.run({ dtype: "float64", inputs, build: (input) => ({ y: input("x").neg() }) });
  await assert.rejects(run({}), /Cannot evaluate the formula: it reads "x", which the case does not have/);
  await assert.rejects(run({ x: [[1], [1, 2]] }), /Cannot read 2 rows as a tensor: their lengths differ/);
  graphs.release();
});

Deno.test("flat() gives numbers row by row", () => assert.deepEqual(flat([[1, 2], [3, 4]]), [1, 2, 3, 4]));
