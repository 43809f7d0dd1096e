/** The session layer, the same tests on both backends. */
import assert from "node:assert/strict";
import { Graph } from "../../gpu/onnx/graph.ts";
import { encodeModel } from "../../gpu/onnx/proto.ts";
import { type BackendName, describeRuntime, openRuntime, type Runtime } from "../../gpu/session.ts";

const f32 = (...shape: (number | string)[]) => ({ dtype: "float32", shape }) as const;

/** w.new = w - rate · x, y = sum(w). */
function updateModel(): Uint8Array {
  const graph = new Graph(),
    w = graph.input("w", f32(4)),
    x = graph.input("x", f32(4)),
    rate = graph.input("rate", f32());
  const total = w.sum();
  graph.output("w.new", w.sub(x.mul(rate)).add(total.mul(0))); // every write depends on every read
  graph.output("y", total);
  return encodeModel(graph);
}
async function caught(f: () => unknown): Promise<Error> {
  try {
    await f();
  } catch (error) {
    return error as Error;
  }
  throw new Error("nothing was thrown");
}

const TESTS: Record<string, (runtime: Runtime) => Promise<void>> = {
  async "updates a tensor in place that is input and output"(runtime) {
    const w = runtime.tensor("float32", [4], Float32Array.of(1, 2, 3, 4)),
      x = runtime.tensor("float32", [4], Float32Array.of(1, 1, 2, 2));
    const rate = runtime.tensor("float32", [], Float32Array.of(0.5)), y = runtime.tensor("float32", []);
    const session = await runtime.session(updateModel(), { name: "update" });
    assert.deepEqual([session.inputs, session.outputs], [["w", "x", "rate"], ["w.new", "y"]]);
    const bound = session.bind({ w, x, rate }, { "w.new": w, y }), live = w.data;
    await bound.run();
    await bound.run();
    assert.deepEqual([...live], [0, 1, 1, 2], "the array read before the runs sees them");
    assert.equal(y.data[0], 7);
    live[0] = 100;
    await bound.run();
    assert.equal(y.data[0], 104, "the run sees what JavaScript writes");
    session.release();
  },
  async "rebinds one value, and binds only some outputs"(runtime) {
    const session = await runtime.session(updateModel());
    const [w, x, rate, y, y2] = [[4], [4], [], [], []].map((shape) => runtime.tensor("float32", shape));
    w!.upload(Float32Array.of(1, 1, 1, 1));
    const bound = session.bind({ w: w!, x: x!, rate: rate! }, { y: y! });
    await bound.run();
    bound.set("w", runtime.tensor("float32", [4], Float32Array.of(5, 5, 5, 5)));
    bound.set("y", y2!);
    await bound.run();
    assert.deepEqual([y!.data[0], y2!.data[0]], [4, 20]);
    assert.match((await caught(() => bound.set("z", y!))).message, /^Cannot set "z" of "model": it was not bound$/);
    session.release();
  },
  async "makes views over parts of one tensor"(runtime) {
    const all = runtime.tensor("float32", [2, 4], Float32Array.of(1, 2, 3, 4, 5, 6, 7, 8));
    const half = all.view([4], 4), session = await runtime.session(updateModel());
    const x = runtime.tensor("float32", [4], Float32Array.of(1, 1, 1, 1)),
      rate = runtime.tensor("float32", [], Float32Array.of(1));
    await session.bind({ w: half, x, rate }, { "w.new": half }).run();
    assert.deepEqual([...all.data], [1, 2, 3, 4, 4, 5, 6, 7]);
    assert.deepEqual([...half.download(new Float32Array(4))], [4, 5, 6, 7]);
    assert.match((await caught(() => all.view([4], 5))).message, /^Cannot view /);
    session.release();
  },
  async "runs a symbolic batch at several sizes"(runtime) {
    const graph = new Graph(), x = graph.input("x", f32("B", 2));
    graph.output("y", x.mul(2).sum(-1, false));
    const session = await runtime.session(encodeModel(graph));
    for (const rows of [1, 3, 2]) {
      const input = runtime.tensor("float32", [rows, 2], new Float32Array(rows * 2).fill(rows)),
        y = runtime.tensor("float32", [rows]);
      await session.bind({ x: input }, { y }).run();
      assert.deepEqual([...y.data], new Array(rows).fill(4 * rows));
    }
    session.release();
  },
  async "computes in float64, int64 and bool"(runtime) {
    const graph = new Graph(),
      x = graph.input("x", { dtype: "float64", shape: [2] }),
      n = graph.input("n", { dtype: "int64", shape: [2] });
    graph.output("y", x.mul(n.cast("float64")));
    graph.output("b", n.greater(2));
    const session = await runtime.session(encodeModel(graph)),
      y = runtime.tensor("float64", [2]),
      b = runtime.tensor("bool", [2]);
    const inputs = {
      x: runtime.tensor("float64", [2], Float64Array.of(0.1, 0.2)),
      n: runtime.tensor("int64", [2], BigInt64Array.of(2n, 3n)),
    };
    await session.bind(inputs, { y, b }).run();
    assert.deepEqual([...y.data], [0.1 * 2, 0.2 * 3]);
    assert.deepEqual([...b.data], [0, 1]);
    session.release();
  },
  async "names what is wrong with a binding, a tensor, a model, a shape"(runtime) {
    const session = await runtime.session(updateModel(), { name: "update" });
    const [w, x, rate, wrong] = [[4], [4], [], [3]].map((shape) => runtime.tensor("float32", shape));
    assert.equal(
      (await caught(() => session.bind({ w: w! }, {}))).message,
      `Cannot bind "update": no tensor for input x, rate`,
    );
    const unknown = await caught(() => session.bind({ w: w!, x: x!, rate: rate! }, { z: w! }));
    assert.equal(unknown.message, `Cannot bind output "z" of "update": it has w.new, y`);
    const shape = await caught(() => session.bind({ w: wrong!, x: x!, rate: rate! }, {}).run());
    assert.match(shape.message, /^Cannot run "update": ONNX Runtime answers /);
    assert(shape.cause instanceof Error);
    assert.match(
      (await caught(() => w!.upload(new Float32Array(3)))).message,
      /^Cannot upload 3 elements: the tensor has 4$/,
    );
    assert.match(
      (await caught(() => w!.upload(new Float64Array(4)))).message,
      /^Cannot upload a Float64Array \(float64\): the tensor is float32$/,
    );
    const model = await caught(() => runtime.session(Uint8Array.of(1, 2, 3), { name: "broken" }));
    assert.match(model.message, /^Cannot load model "broken": ONNX Runtime answers /);
    assert(!model.message.includes("\n"));
    session.release();
  },
  async "keeps tensors that nobody but a binding refers to"(runtime) {
    const session = await runtime.session(updateModel()), y = runtime.tensor("float32", []);
    const make = () => runtime.tensor("float32", [4], Float32Array.of(1, 2, 3, 4));
    const bound = session.bind({ w: make(), x: make(), rate: runtime.tensor("float32", []) }, { y });
    for (let i = 0; i < 200; i++) new Float32Array(1 << 16).fill(i); // garbage, so that a collection happens
    for (let i = 0; i < 50; i++) {
      await bound.run();
      assert.equal(y.data[0], 10);
    }
    session.release();
  },
};

for (const backend of ["ffi", "napi"] as const satisfies readonly BackendName[]) {
  for (const [name, test] of Object.entries(TESTS)) {
    Deno.test(`openRuntime(${backend}) ${name}`, async () => {
      const runtime = await openRuntime({ backend, device: "cpu", threads: 1 });
      assert.deepEqual([runtime.backend, runtime.device], [backend, "cpu"]);
      assert.match(runtime.version, /^1\.\d+/);
      await test(runtime);
      runtime.release();
    });
  }
}

Deno.test("both backends compute the same bits", async () => {
  const graph = new Graph(), x = graph.input("x", f32(33, 48)), w = graph.input("w", f32(48, 48));
  graph.output("y", x.matmul(w).silu().matmul(w, { transposeB: true }).softmax());
  const model = encodeModel(graph), results: number[][] = [];
  for (const backend of ["ffi", "napi"] as const) {
    const runtime = await openRuntime({ backend, device: "cpu", threads: 1 }), y = runtime.tensor("float32", [33, 48]);
    const wave = (size: number, step: number) => Float32Array.from({ length: size }, (_, i) => Math.sin(i * step));
    const inputs = {
      x: runtime.tensor("float32", [33, 48], wave(33 * 48, 0.7)),
      w: runtime.tensor("float32", [48, 48], wave(48 * 48, 0.3)),
    };
    const session = await runtime.session(model);
    await session.bind(inputs, { y }).run();
    results.push([...y.data as Float32Array]);
    session.release();
    runtime.release();
  }
  assert.deepEqual(results[0], results[1]);
});

Deno.test("a nonblocking run leaves the event loop alive, and a blocking one returns nothing", async () => {
  const runtime = await openRuntime({ backend: "ffi", device: "cpu", threads: 1 });
  const graph = new Graph(), x = graph.input("x", f32(512, 512));
  let y = x;
  for (let i = 0; i < 6; i++) y = y.matmul(x).add(i);
  graph.output("y", y.sum());
  const session = await runtime.session(encodeModel(graph));
  const tensors = [{ x: runtime.tensor("float32", [512, 512]) }, { y: runtime.tensor("float32", []) }] as const;
  assert.equal(session.bind(...tensors).run(), undefined);
  const run = session.bind(...tensors, { nonblocking: true }).run();
  assert(run instanceof Promise);
  let ticked = false;
  const tick = new Promise<void>((resolve) => setTimeout(() => resolve(void (ticked = true)), 0));
  await Promise.race([run, tick]);
  assert(ticked, "the run ended before a timer of 0 ms could fire");
  await run;
  session.release();
  runtime.release();
});

Deno.test("a released session or tensor is refused instead of crashing", async () => {
  const runtime = await openRuntime({ backend: "ffi", device: "cpu", threads: 1 });
  const session = await runtime.session(updateModel(), { name: "update" });
  const inputs = {
    w: runtime.tensor("float32", [4]),
    x: runtime.tensor("float32", [4]),
    rate: runtime.tensor("float32", []),
  };
  const bound = session.bind(inputs, {}), gone = runtime.tensor("float32", [4]);
  gone.release();
  gone.release();
  assert.throws(() => bound.set("w", gone), /Cannot bind a tensor of shape \[4\]: it is released/);
  session.release();
  session.release();
  assert.throws(() => bound.run(), /Cannot run "update": the session is released/);
  runtime.release();
  runtime.release();
});

Deno.test("openRuntime() refuses what cannot work and says why", async () => {
  const open = (options: Partial<Parameters<typeof openRuntime>[0]>) =>
    caught(() => openRuntime({ backend: "ffi", device: "cpu", threads: 1, ...options }));
  assert.match(
    (await open({ threads: 0 })).message,
    /^Cannot open the runtime with 0 threads: want a whole number from 1$/,
  );
  assert.match(
    (await open({ device: "cuda", backend: "napi" })).message,
    /^Cannot use device "cuda" with backend "napi"/,
  );
});

Deno.test("describeRuntime() tells version, providers and what CUDA lacks", () => {
  const { version, providers, cuda, library } = describeRuntime();
  assert.match(version, /^1\.\d+\.\d+$/);
  assert(providers.includes("CPUExecutionProvider"));
  assert(Deno.statSync(library).isFile);
  assert(cuda.usable || cuda.lines.some((line) => line.startsWith("missing: ")));
});
