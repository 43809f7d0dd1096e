import assert from "node:assert/strict";
import { Scope } from "../../../gpu/sampling/scope.ts";
import { cpuRuntime } from "../golden_model.ts";

Deno.test("Scope releases what it owns, the last first, once", async () => {
  const runtime = await cpuRuntime(), scope = new Scope(runtime), released: string[] = [];
  for (const name of ["a", "b"]) scope.own({ release: () => void released.push(name) });
  const tensor = scope.host("int32", [2], Int32Array.of(3, 4));
  assert.deepEqual([...tensor.data], [3, 4]);
  scope.release();
  scope.release();
  assert.deepEqual(released, ["b", "a"]);
  runtime.release();
});
