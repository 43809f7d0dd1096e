import assert from "node:assert/strict";
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
