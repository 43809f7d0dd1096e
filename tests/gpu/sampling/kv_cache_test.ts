import assert from "node:assert/strict";
import { cacheNames, cacheShape, cacheSize, KvCache } from "../../../gpu/sampling/kv_cache.ts";
import { Scope } from "../../../gpu/sampling/scope.ts";
import type { Runtime, Tensor } from "../../../gpu/ort/runtime.ts";
import { cpuRuntime } from "../golden_model.ts";

Deno.test("cacheSize() is that of all tensors that cacheNames() lists", () => {
  const config = { layers: 3, kvHeads: 2, headDim: 24, partialRotary: 1 };
  const one = cacheShape(config, 5, 7).reduce((a, b) => a * b);
  assert.deepEqual(cacheShape(config, 5, 7), [5, 2, 7, 32]);
  assert.equal(cacheSize(config, 5, 7), cacheNames(config).length * one);
});

Deno.test("KvCache keeps each tensor apart, presents in the memory of pasts, and other memory after a turn", async () => {
  const runtime = await cpuRuntime(), config = { layers: 2, kvHeads: 1, headDim: 16, partialRotary: 1 };
  const cache = new KvCache(runtime, config), scope = new Scope(runtime), names = cacheNames(config);
  const values = (tensor: Tensor | undefined) => tensor!.data as Float32Array;
  cache.begin(2, 4, 3);
  const before = cache.tensors(scope);
  for (const [i, { past, present }] of names.entries()) {
    assert.equal(before.past[past], before.present[present]);
    values(before.past[past]).fill(i);
  }
  cache.turn(3);
  const after = cache.tensors(scope);
  for (const { past } of names) {
    assert.deepEqual(after.past[past]!.shape, [3, 1, 4, 16]);
    values(after.past[past]).fill(-1);
  }
  names.forEach(({ past }, i) => assert(values(before.past[past]).every((x) => x === i)));
  scope.release();
  cache.release();
  runtime.release();
});

Deno.test("KvCache frees its memory where it needs more, and can begin again after a release", async () => {
  const runtime = await cpuRuntime(), held = { made: 0, freed: 0 };
  const counting = {
    ...runtime,
    tensor(...given: Parameters<Runtime["tensor"]>) {
      const tensor = runtime.tensor(...given), release = tensor.release.bind(tensor);
      held.made++;
      return Object.assign(tensor, { release: () => (held.freed++, release()) });
    },
  } as Runtime;
  const cache = new KvCache(counting, { layers: 1, kvHeads: 1, headDim: 16, partialRotary: 1 });
  const counts = () => [held.made, held.freed];
  cache.begin(1, 4, 1);
  assert.deepEqual(counts(), [2, 0]);
  cache.begin(1, 8, 2);
  assert.deepEqual(counts(), [4, 2]);
  cache.begin(1, 4, 1);
  assert.deepEqual(counts(), [4, 2], "there is room");
  cache.release();
  assert.deepEqual(counts(), [4, 4]);
  cache.begin(1, 4, 1);
  assert.deepEqual(counts(), [6, 4]);
  cache.release();
  runtime.release();
});

Deno.test("KvCache.row() is that row of every tensor", async () => {
  const runtime = await cpuRuntime(), config = { layers: 2, kvHeads: 2, headDim: 16, partialRotary: 1 };
  const cache = new KvCache(runtime, config), scope = new Scope(runtime);
  cache.begin(3, 2, 3);
  const whole = cache.tensors(scope).past, { past, present } = cache.row(1, scope);
  Object.values(whole).forEach((tensor, i) =>
    (tensor.data as Float32Array).forEach((_, at, data) => data[at] = 1000 * i + at)
  );
  for (const { past: name, present: again } of cacheNames(config)) {
    assert.deepEqual(past[name]!.shape, [1, 2, 2, 16]);
    assert.deepEqual(past[name]!.data, (whole[name]!.data as Float32Array).slice(64, 128));
    assert.equal(present[again], past[name]);
  }
  scope.release();
  cache.release();
  runtime.release();
});
