/** What only the napi backend does; what both do is tested in session_test.ts. */
import assert from "node:assert/strict";
import { NapiRuntime } from "../../../gpu/ort/napi.ts";

Deno.test("NapiRuntime views share memory and stay inside it", async () => {
  const runtime = await NapiRuntime.open({ backend: "napi", device: "cpu", threads: 1 });
  const tensor = runtime.tensor("float32", [4], Float32Array.of(1, 2, 3, 4)), view = tensor.view([2], 1);
  view.data[0] = 9;
  assert.deepEqual([...tensor.data], [1, 9, 3, 4]);
  assert.throws(() => tensor.view([2], 3), /Cannot view elements 3\.\.5 of a tensor: it has 4/);
});
