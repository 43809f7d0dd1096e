import assert from "node:assert/strict";
import { JUPYTER_DISPLAY } from "../../../notebooks/display.ts";
import { Capture } from "../../../workflows/explore/capture_cells.ts";

Deno.test("a cell keeps what it printed and showed in its order, lines together", () => {
  const capture = new Capture();
  capture.begin(0);
  capture.print("a\n");
  capture.print("b\n");
  capture.display({ "text/plain": "c" });
  capture.print("d\n");
  capture.begin(1);
  assert.deepEqual(capture.outputs, [
    [
      { output_type: "stream", name: "stdout", text: ["a\n", "b\n"] },
      { output_type: "display_data", data: { "text/plain": "c" }, metadata: {} },
      { output_type: "stream", name: "stdout", text: ["d\n"] },
    ],
    [],
  ]);
});

Deno.test("what is shown again under its id takes the place of what was there, also from a later cell", () => {
  const capture = new Capture();
  capture.begin(0);
  capture.display({ "text/plain": "1" }, { display_id: "x" });
  capture.begin(1);
  capture.display({ "text/plain": "2" }, { display_id: "x", update: true });
  capture.display({ "text/plain": "3" }, { display_id: "y", update: true });
  assert.deepEqual(capture.outputs.map((cell) => cell.map(({ data }) => data)), [
    [{ "text/plain": "2" }],
    [{ "text/plain": "3" }],
  ]);
});

Deno.test("what a cell comes to is shown as the kernel shows it: by its own bundle, else inspected; undefined is not", async () => {
  const capture = new Capture();
  capture.begin(0);
  await capture.result({ [JUPYTER_DISPLAY]: () => Promise.resolve({ "text/plain": "own" }) });
  capture.begin(1);
  await capture.result({ a: [1, "x"] });
  capture.begin(2);
  await capture.result(undefined);
  const result = (execution_count: number, text: string) => ({
    output_type: "execute_result",
    execution_count,
    data: { "text/plain": text },
    metadata: {},
  });
  assert.deepEqual(capture.outputs, [[result(1, "own")], [result(2, '{ a: [ 1, "x" ] }')], []]);
});

Deno.test("what is printed to standard error is an output of its own; each cell's beginning is told", () => {
  let told = 0;
  const capture = new Capture(() => told++);
  capture.begin(0);
  capture.print("a\n");
  capture.print("b\n", "stderr");
  capture.begin(1);
  assert.deepEqual(capture.outputs[0]!.map(({ name, text }) => [name, text]), [["stdout", ["a\n"]], ["stderr", [
    "b\n",
  ]]]);
  assert.equal(told, 2);
});
