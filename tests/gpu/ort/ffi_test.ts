/** What only the FFI backend does; what both do is tested in session_test.ts. */
import assert from "node:assert/strict";
import { Graph } from "../../../gpu/onnx/graph.ts";
import { encodeModel } from "../../../gpu/onnx/proto.ts";
import { FfiRuntime } from "../../../gpu/ort/ffi.ts";
import { libraryPath } from "../../../gpu/ort/library.ts";
import { MemoryBudget, sessionBytes } from "../../../gpu/ort/memory_budget.ts";
import { openRuntime } from "../../../gpu/session.ts";

Deno.test("FfiRuntime.load() loads a library once", () => {
  assert.equal(FfiRuntime.load(libraryPath()), FfiRuntime.load(libraryPath()));
});

Deno.test("FfiRuntime falls back to threads per session where the napi binding started the environment first", async () => {
  const other = await openRuntime({ backend: "napi", device: "cpu", threads: 1 });
  const graph = new Graph();
  graph.output("y", graph.input("x", { dtype: "float32", shape: [1] }).exp());
  const model = encodeModel(graph);
  (await other.session(model)).release(); // loads the environment, for the rest of the process
  const runtime = await openRuntime({ backend: "ffi", device: "cpu", threads: 2 });
  const session = await runtime.session(model), y = runtime.tensor("float32", [1]);
  await session.bind({ x: runtime.tensor("float32", [1]) }, { y }).run();
  assert.equal(y.data[0], 1);
  session.release();
  runtime.release();
});

Deno.test("FfiRuntime counts a session in the budget while it is loaded", async () => {
  const runtime = await openRuntime({ backend: "ffi", device: "cpu", threads: 1 }), budget = new MemoryBudget(1e9);
  const graph = new Graph();
  let y = graph.input("x", { dtype: "float32", shape: [1] });
  for (let i = 0; i < 300; i++) y = y.exp();
  graph.output("y", y);
  const model = encodeModel(graph), load = () => runtime.session(model, { optimization: "none" });
  runtime.budget = budget;
  const free = budget.free, sessions = [await load(), await load(), await load()];
  assert.equal(free - budget.free, 3 * sessionBytes(model));
  assert(sessionBytes(model) > 300 * 1000, "some kilobytes for each node");
  sessions.forEach((session) => session.release());
  assert.equal(budget.free, free);
  runtime.release();
});
