/** Memory behind the tensors of the FFI backend. */
import assert from "node:assert/strict";
import { fitting } from "../../../gpu/ort/ffi_tensor.ts";
import { Graph } from "../../../gpu/onnx/graph.ts";
import { encodeModel } from "../../../gpu/onnx/proto.ts";
import { openRuntime } from "../../../gpu/session.ts";

Deno.test("FfiTensor shares memory with its data, its views and C", async () => {
  const runtime = await openRuntime({ backend: "ffi", device: "cpu", threads: 1 });
  const tensor = runtime.tensor("int32", [2, 3], Int32Array.of(1, 2, 3, 4, 5, 6)), row = tensor.view([3], 3);
  row.data[0] = 40;
  assert.deepEqual([...tensor.data], [1, 2, 3, 40, 5, 6]);
  assert.equal(runtime.tensor("float32", [0]).data.length, 0);
  row.release();
  assert.deepEqual([...tensor.data], [1, 2, 3, 40, 5, 6], "a view leaves the memory");
  const other = tensor.view([3], 3);
  tensor.release();
  assert.equal(other.data.length, 0, "the memory is given back at once, with what was in it");
  runtime.release();
});

Deno.test("a tensor whose memory is given back is neither bound nor run, nor is a view of it", async () => {
  const runtime = await openRuntime({ backend: "ffi", device: "cpu", threads: 1 });
  const graph = new Graph();
  graph.output("y", graph.input("x", { dtype: "float32", shape: [3] }).exp());
  const session = await runtime.session(encodeModel(graph)), y = runtime.tensor("float32", [3]);
  const whole = runtime.tensor("float32", [6]), x = whole.view([3], 3), run = session.bind({ x }, { y });
  await run.run();
  whole.release();
  assert.throws(() => run.run(), /^Error: Cannot run "model": the tensor of "x" is released$/);
  assert.throws(() => session.bind({ x }, { y }), /^Error: Cannot bind a tensor of shape \[3\]: it is released$/);
  session.release();
  runtime.release();
});

Deno.test("fitting() gives the bytes of an array, its offset kept", () => {
  const tensor = { dtype: "int32", size: 2 } as Parameters<typeof fitting>[0];
  assert.deepEqual([...fitting(tensor, Int32Array.of(1, 2, 3).subarray(1), "upload")], [2, 0, 0, 0, 3, 0, 0, 0]);
});
