import assert from "node:assert/strict";
import { type AdamW, hyperValues, normGraph, updateGraph } from "../../../gpu/optimizers/adamw.ts";
import { floats, runGraph } from "../run_graph.ts";
import { number, readJson } from "../safetensors.ts";

interface AdamCase {
  name: string;
  options: { lr: number; betas: [number, number]; eps: number; weight_decay?: number };
  values: number[][];
}
const golden: { start: number[]; gradients: number[][]; cases: AdamCase[] } = readJson("goldens/torch/optimizers.json");

const update = (inputs: Record<string, number[]>, decay: boolean, mask?: number[]) => {
  const n = inputs.w!.length;
  const shapes: Record<string, number[]> = { control: [2], hyper: [8] };
  const all = mask ? { ...inputs, mask } : inputs;
  const fed = Object.fromEntries(Object.entries(all).map(([name, x]) => [name, floats(shapes[name] ?? [n], x)]));
  return runGraph(updateGraph("cpu", { masked: !!mask, decay }), fed, {
    new_w: [n],
    new_m: [n],
    new_v: [n],
    squares: [2],
  });
};

for (const { name, options, values } of golden.cases.filter(({ name }) => /^(adamw|adam$)/.test(name))) {
  Deno.test(`updateGraph() is torch's ${name} over ${values.length} updates`, async () => {
    const adamw: AdamW = {
      learningRate: options.lr,
      beta1: options.betas[0],
      beta2: options.betas[1],
      epsilon: options.eps,
      weightDecay: options.weight_decay ?? 0,
      maxNorm: Infinity,
    };
    let w = golden.start, m = w.map(() => 0), v = m;
    for (const [i, g] of golden.gradients.entries()) {
      const hyper = [...hyperValues(adamw, i + 1)];
      const before = w.map(Math.fround);
      const got = await update({ g, w, m, v, hyper, control: [1, 1] }, adamw.weightDecay > 0);
      [w, m, v] = [got.new_w!, got.new_m!, got.new_v!];
      values[i]!.forEach((want, j) => {
        assert(Math.abs(w[j]! - want) <= 1e-6 + 1e-6 * Math.abs(want), `update ${i}, ${j}: ${w[j]}, want ${want}`);
      });
      const squared = (x: number[]) => x.reduce((sum, y) => sum + y * y, 0);
      const change = Math.sqrt(squared(w.map((x, j) => x - before[j]!)));
      assert(Math.abs(Math.sqrt(got.squares![0]!) - change) <= 1e-6 + 1e-5 * change);
      assert(Math.abs(got.squares![1]! - squared(w)) <= 1e-5 * squared(w));
    }
  });
}

Deno.test("updateGraph() leaves every bit when the gate is 0, even on NaN, and masked elements always", async () => {
  const hyper = [...hyperValues({ ...ADAM, weightDecay: 0.1 }, 1)];
  const w = [1.5, -0, 0, NaN], m = [0.25, -0, 1e-45, 2], v = [0.5, 0, 1, 3], g = [NaN, Infinity, 1, 1];
  const closed = await update({ g, w, m, v, hyper, control: [NaN, 0] }, true);
  [[closed.new_w, w], [closed.new_m, m], [closed.new_v, v]].forEach(([got, want]) => {
    assert.deepEqual(
      got!.map((x) => Object.is(x, -0) ? "-0" : x),
      want!.map((x) => Object.is(x, -0) ? "-0" : Math.fround(x)),
    );
  });
  const masked = await update({ g: [1, 1], w: [1, 1], m: [0, 0], v: [0, 0], hyper, control: [1, 1] }, true, [0, 1]);
  assert.equal(masked.new_w![0], 1);
  assert.equal(masked.new_m![0], 0);
  assert.notEqual(masked.new_w![1], 1);
});

const ADAM: AdamW = { learningRate: 0.01, beta1: 0.9, beta2: 0.999, epsilon: 1e-8, weightDecay: 0, maxNorm: 1 };

interface ClipCase {
  name: string;
  max_norm: number;
  gradients: unknown[];
  total_norm: number | string;
  clipped: unknown[];
}
const flat = (x: unknown): number[] => Array.isArray(x) ? x.flatMap(flat) : [number(parse(x as number | string))];
const parse = (x: number | string) => (x === "Infinity" ? "inf" : x === "-Infinity" ? "-inf" : x);

for (
  const { name, max_norm, gradients, total_norm, clipped } of readJson("goldens/torch/clip_grad_norm.json")
    .cases as ClipCase[]
) {
  Deno.test(`normGraph() clips as torch does: ${name}, ${max_norm}`, async () => {
    const parts = gradients.map(flat), want = number(parse(total_norm));
    const graph = normGraph(parts.map((part, i) => ({ name: `g${i}`, size: part.length })), "cpu", false);
    const fed = Object.fromEntries(parts.map((part, i) => [`g${i}`, floats([part.length], part)]));
    const inputs = {
      ...fed,
      loss: floats([1], [1]),
      hyper: floats([8], hyperValues({ ...ADAM, maxNorm: max_norm }, 1)),
    };
    const { control, grad_norm } = await runGraph(graph, inputs, { control: [2], grad_norm: [1] });
    if (!Number.isFinite(want)) {
      assert(!Number.isFinite(grad_norm![0]!));
      return assert.equal(control![1], 0);
    }
    assert(Math.abs(grad_norm![0]! - want) <= 1e-6 * want);
    assert.equal(control![1], 1);
    const wanted = clipped.flatMap(flat);
    parts.flat().forEach((g, i) =>
      assert(Math.abs(g * control![0]! - wanted[i]!) <= 2e-6 * Math.abs(wanted[i]!), `${i}`)
    );
  });
}

Deno.test("normGraph() closes the gate on a loss that is not finite, and counts only trainable elements", async () => {
  const hyper = floats([8], hyperValues(ADAM, 1)), shapes = { control: [2], grad_norm: [1] };
  for (const loss of [NaN, Infinity, -Infinity]) {
    const graph = normGraph([{ name: "g", size: 2 }], "cpu", false);
    const { control } = await runGraph(graph, { g: floats([2], [1, 1]), loss: floats([1], [loss]), hyper }, shapes);
    assert.equal(control![1], 0, `${loss}`);
  }
  const graph = normGraph([{ name: "g", size: 3 }], "cpu", true);
  const inputs = { g: floats([3], [3, 100, 4]), "mask.g": floats([3], [1, 0, 1]), loss: floats([1], [0]), hyper };
  assert.equal((await runGraph(graph, inputs, shapes)).grad_norm![0], 5);
});
