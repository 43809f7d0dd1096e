/** Moments of two kinds under the same update: how near the codes come, what they take, what a checkpoint holds of them. */
import assert from "node:assert/strict";
import { type AdamW, HYPER, hyperValues, updateGraph } from "../../../gpu/optimizers/adamw.ts";
import { ditherShift } from "../../../gpu/optimizers/block_codes.ts";
import { makeMoments } from "../../../gpu/optimizers/moments.ts";
import { encodeModel } from "../../../gpu/onnx/proto.ts";
import type { Runtime } from "../../../gpu/session.ts";
import { same } from "../../same.ts";
import { cpuRuntime } from "../golden_model.ts";

const SIZE = 1000, SLICES = [{ offset: 0, size: 640 }, { offset: 640, size: 360 }];
const ADAM: AdamW = { learningRate: 1e-2, beta1: 0.9, beta2: 0.999, epsilon: 1e-8, weightDecay: 0, maxNorm: 1 };

async function withRuntime(body: (runtime: Runtime) => Promise<void>) {
  const runtime = await cpuRuntime();
  try {
    await body(runtime);
  } finally {
    runtime.release();
  }
}

/** Gradients of very different sizes side by side, which change with the update. */
const gradient = (i: number, t: number) => (1 + Math.sin(i + t * (1 + i % 3))) * 10 ** -(i % 5);

/** AdamW as its paper has it, float64, every number by itself. */
function plainAdamW(updates: number): Float64Array {
  const { beta1, beta2, epsilon, learningRate } = ADAM;
  return Float64Array.from({ length: SIZE }, (_, i) => {
    let w = 0, m = 0, v = 0;
    for (let t = 1; t <= updates; t++) {
      const g = gradient(i, t);
      m = beta1 * m + (1 - beta1) * g;
      v = beta2 * v + (1 - beta2) * g * g;
      w -= learningRate * (m / (1 - beta1 ** t)) / (Math.sqrt(v / (1 - beta2 ** t)) + epsilon);
    }
    return w;
  });
}

Deno.test("int8 moments move weights as float64 AdamW does, within 7 percent of the way where a block holds five orders of magnitude", () =>
  withRuntime(async (runtime) => {
    const moments = makeMoments(runtime, "int8", SIZE, SLICES), updates = 200;
    const w = runtime.tensor("float32", [SIZE]), g = runtime.tensor("float32", [SIZE]);
    const hyper = runtime.tensor("float32", [HYPER.length]), dither = runtime.tensor("float32", [1]);
    const control = runtime.tensor("float32", [2], Float32Array.of(1, 1)), squares = runtime.tensor("float32", [2]);
    const sessions = [], bound = [];
    for (const { offset, size } of SLICES) {
      const graph = updateGraph("cpu", { masked: false, decay: false, state: { kind: "int8", size } });
      const session = await runtime.session(encodeModel(graph)), { inputs, outputs } = moments.bound({ offset, size });
      const [own, slice] = [w.view([size], offset), g.view([size], offset)];
      sessions.push(session);
      bound.push(
        session.bind({ g: slice, w: own, hyper, control, dither, ...inputs }, { new_w: own, squares, ...outputs }),
      );
    }
    for (let t = 1; t <= updates; t++) {
      g.upload(Float32Array.from({ length: SIZE }, (_, i) => gradient(i, t)));
      hyper.upload(hyperValues(ADAM, t));
      dither.upload(Float32Array.of(ditherShift(t)));
      for (const run of bound) await run.run();
    }
    const want = plainAdamW(updates), got = w.data as Float32Array;
    const error = Math.sqrt(
      want.reduce((sum, x, i) => sum + (got[i]! - x) ** 2, 0) / want.reduce((sum, x) => sum + x * x, 0),
    );
    assert(error < 0.07, `${error}`);
    sessions.forEach((session) => session.release());
    moments.release();
  }));

const ALL = { offset: 0, size: SIZE };

for (const kind of ["float32", "int8"] as const) {
  Deno.test(`${kind} moments are bitwise what save() gave, and 0 after reset()`, () =>
    withRuntime(async (runtime) => {
      await Promise.resolve();
      const moments = makeMoments(runtime, kind, SIZE, SLICES), fresh = structuredClone(moments.save());
      for (const slice of SLICES) {
        for (const tensor of Object.values(moments.bound(slice).outputs)) {
          const values = Array.from({ length: tensor.size }, (_, i) => (i * 37) % 256);
          tensor.upload(tensor.dtype === "uint8" ? Uint8Array.from(values) : Float32Array.from(values, (x) => x / 7));
        }
      }
      const saved = structuredClone(moments.save()),
        { m, v, release } = moments.floats(ALL),
        read = [m, v].map(({ data }) => Array.from(data as Float32Array));
      release();
      moments.reset();
      same(moments.save(), fresh);
      const zeros = moments.floats(ALL);
      assert([zeros.m, zeros.v].every(({ data }) => (data as Float32Array).every((x) => x === 0)));
      zeros.release();
      moments.restore(saved);
      const again = moments.floats(ALL);
      same([again.m, again.v].map(({ data }) => Array.from(data as Float32Array)), read);
      again.release();
      same(moments.save(), saved);
      const part = moments.floats({ offset: 600, size: 100 });
      same(
        [part.m, part.v].map(({ data }) => Array.from(data as Float32Array)),
        read.map((all) => all.slice(600, 700)),
      );
      part.release();
      assert.throws(
        () => moments.restore(new Map()),
        /^RangeError: Cannot restore the optimizer: its state has nothing of "m/,
      );
      moments.release();
    }));
}

Deno.test("int8 moments take about a quarter of the memory of float32 moments", () =>
  withRuntime(async (runtime) => {
    await Promise.resolve();
    const slices = [{ offset: 0, size: 1 << 16 }],
      sizes = (["float32", "int8"] as const).map((kind) => {
        const moments = makeMoments(runtime, kind, 1 << 16, slices), { bytes } = moments;
        const held = new Set(Object.values(moments.bound(slices[0]!).outputs));
        const sum = [...held].reduce((sum, { size, dtype }) => sum + size * (dtype === "uint8" ? 1 : 4), 0);
        assert.equal(bytes, sum);
        moments.release();
        return bytes;
      });
    assert.equal(sizes[0], 8 << 16);
    assert(sizes[1]! / sizes[0]! < 0.26, `${sizes}`);
  }));
