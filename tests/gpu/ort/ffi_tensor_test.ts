/** Memory behind the tensors of the FFI backend. */
import assert from "node:assert/strict";
import { fitting } from "../../../gpu/ort/ffi_tensor.ts";
import { openRuntime } from "../../../gpu/session.ts";

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

Deno.test("fitting() gives the bytes of an array, its offset kept", () => {
  const tensor = { dtype: "int32", size: 2 } as Parameters<typeof fitting>[0];
  assert.deepEqual([...fitting(tensor, Int32Array.of(1, 2, 3).subarray(1), "upload")], [2, 0, 0, 0, 3, 0, 0, 0]);
});
