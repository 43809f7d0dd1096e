/** Prepared calls of the FFI backend. */
import assert from "node:assert/strict";
import { Graph } from "../../../gpu/onnx/graph.ts";
import { encodeModel } from "../../../gpu/onnx/proto.ts";
import { checkNames } from "../../../gpu/ort/ffi_session.ts";
import { openRuntime, type Session, type Tensor } from "../../../gpu/session.ts";

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

Deno.test("checkNames() shortens long lists", () => {
  const names = Array.from({ length: 40 }, (_, i) => `w${i}`);
  const session = { name: "train", inputs: names, outputs: [] } as unknown as Session;
  assert.throws(() => checkNames(session, {}, {}), /no tensor for input w0, w1, .*, w11, …$/);
  assert.throws(() => checkNames(session, {}, { y: {} as Tensor }), /Cannot bind output "y" of "train": it has none/);
});
