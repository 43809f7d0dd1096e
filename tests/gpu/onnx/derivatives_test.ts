/** Gradient rules at the points where finite differences say nothing, by hand numbers. */
import assert from "node:assert/strict";
import { gradients } from "../../../gpu/autodiff/gradients.ts";
import type { Value } from "../../../gpu/onnx/graph.ts";
import { openRuntime } from "../../../gpu/session.ts";
import { evaluate } from "./harness.ts";

const runtime = await openRuntime({ backend: "ffi", device: "cpu", threads: 1 });
Deno.test.afterAll(() => runtime.release());

async function slope(data: number[], f: (x: Value) => Value): Promise<number[]> {
  const { dx } = await evaluate(runtime, { x: { dtype: "float64", shape: [data.length], data } }, ({ x }) => {
    return { dx: gradients(f(x!), [x!])[0]! };
  });
  return dx!.map((v) => v + 0);
}

Deno.test("pow's gradient is finite at 0 for constant exponents from 1 on", async () => {
  assert.deepEqual(await slope([0, 3], (x) => x.pow(2)), [0, 6]);
  assert.deepEqual(await slope([0, 3], (x) => x.pow(1)), [1, 1]);
});

Deno.test("abs has slope 0 at 0", async () => assert.deepEqual(await slope([0, -2], (x) => x.abs()), [0, -1]));

Deno.test("log's pole stays infinite, so that a diagnosis can see it", async () => {
  assert.deepEqual(await slope([0, 2], (x) => x.log()), [Infinity, 0.5]);
});

Deno.test("clip blocks an infinite gradient outside its limits instead of making it NaN", async () => {
  assert.deepEqual(await slope([5, 0.5], (x) => x.clip(0, 1).sub(1).abs().log()), [0, -2]);
});

Deno.test("gather adds the rows of a repeated id", async () => {
  const ids = (x: Value) => x.graph.constant(BigInt64Array.of(1n, 1n, 0n), [3]);
  assert.deepEqual(await slope([7, 8, 9], (x) => x.gather(ids(x)).mul(x.graph.numbers([1, 10, 100], "float64"))), [
    100,
    11,
    0,
  ]);
});

Deno.test("slice refuses steps", async () => {
  await assert.rejects(
    slope([1, 2, 3], (x) => x.slice([0], [3], [0], [2])),
    /Cannot differentiate Slice with steps \[2\]/,
  );
});
