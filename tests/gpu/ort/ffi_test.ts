/** What only the FFI backend does; what both do is tested in session_test.ts. */
import assert from "node:assert/strict";
import { Graph } from "../../../gpu/onnx/graph.ts";
import { encodeModel } from "../../../gpu/onnx/proto.ts";
import { FfiRuntime } from "../../../gpu/ort/ffi.ts";
import { libraryPath } from "../../../gpu/ort/library.ts";
import { openRuntime } from "../../../gpu/session.ts";

Deno.test("FfiRuntime.load() loads a library once", () => {
  assert.equal(FfiRuntime.load(libraryPath()), FfiRuntime.load(libraryPath()));
});

Deno.test("FfiTensor shares memory with its data, its views and C", async () => {
  const runtime = await openRuntime({ backend: "ffi", device: "cpu", threads: 1 });
  const tensor = runtime.tensor("int32", [2, 3], Int32Array.of(1, 2, 3, 4, 5, 6)), row = tensor.view([3], 3);
  row.data[0] = 40;
  assert.deepEqual([...tensor.data], [1, 2, 3, 40, 5, 6]);
  assert.equal(runtime.tensor("float32", [0]).data.length, 0);
  tensor.release();
  row.data[1] = 50;
  assert.deepEqual([...row.data], [40, 50, 6], "a view outlives the tensor it was made from");
  runtime.release();
});

Deno.test("FfiBoundRun refuses a tensor of another backend", async () => {
  const runtime = await openRuntime({ backend: "ffi", device: "cpu", threads: 1 });
  const other = await openRuntime({ backend: "napi", device: "cpu", threads: 1 });
  const graph = new Graph();
  graph.output("y", graph.input("x", { dtype: "float32", shape: [1] }).exp());
  const session = await runtime.session(encodeModel(graph));
  assert.throws(() => session.bind({ x: other.tensor("float32", [1]) }, {}), /Cannot bind a tensor of another backend/);
  session.release();
  runtime.release();
});
