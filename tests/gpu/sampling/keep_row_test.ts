import assert from "node:assert/strict";
import { uniform } from "../../../data/random.ts";
import { type Filters, keepRow } from "../../../gpu/sampling/keep_row.ts";
import { Graph } from "../../../gpu/onnx/graph.ts";
import { filterLogits, samplerInputs, type SamplerKind } from "../../../gpu/sampling/pick.ts";
import { floats, runGraph } from "../run_graph.ts";

const draws = (seed: number, stream: string, count: number) =>
  Array.from({ length: count }, (_, i) => uniform(seed, stream, 0, 0, i));
const OFF: Filters = { topK: 0, topP: 1, minP: 0 };

function softmax(scores: Float32Array): Float32Array {
  const most = scores.reduce((a, b) => Math.max(a, b)), weights = Array.from(scores, (x) => Math.exp(x - most));
  const total = weights.reduce((a, b) => a + b);
  return Float32Array.from(weights, (x) => x / total);
}

/** What is kept by sorting the whole row, sums in float64: the definition. */
function bySorting(scores: Float32Array, p: Float32Array, { topK, topP, minP }: Filters): boolean[] {
  // Stable: of equal scores the first stands first.
  const order = Array.from(scores.keys()).sort((a, b) => scores[b]! - scores[a]!);
  const kth = topK > 0 && topK < scores.length ? scores[order[topK - 1]!]! : -Infinity;
  let left = order.filter((i) => scores[i]! >= kth);
  if (topP < 1) {
    const total = left.reduceRight((sum, i) => sum + p[i]!, 0);
    let upward = 0, size = left.length;
    while (size > 1 && upward + p[left[size - 1]!]! <= (1 - topP + 1e-6) * total) upward += p[left[--size]!]!;
    left = left.slice(0, size);
  }
  const least = Math.fround(p[order[0]!]! * Math.fround(minP)), kept = new Set(left.filter((i) => p[i]! >= least));
  return Array.from(scores, (_, i) => kept.has(i));
}

function same(scores: Float32Array, filters: Filters, what: string): void {
  const p = softmax(scores), { length: size } = scores, at = 2;
  const rows = (row: Float32Array) => Float32Array.from([...new Float32Array(at * size).fill(9), ...row]);
  const got = keepRow(rows(scores), rows(p), at, size, filters), want = bySorting(scores, p, filters);
  assert.equal(got.length, size);
  want.forEach((kept, i) =>
    assert(
      got[i] === (kept ? p[i] : 0),
      `${what} ${JSON.stringify(filters)}: place ${i} of score ${scores[i]} and p ${p[i]} has ${got[i]}, want ${kept}`,
    )
  );
}

/** Rows of every sort: [name, scores of a size by draws in [0, 1)]. */
const ROWS: readonly (readonly [string, (uniform: number, i: number, size: number) => number])[] = [
  ["normal", (u) => Math.log(u / (1 - u) + 1e-30)],
  ["flat", (u) => 0.02 * u],
  ["peaked", (u, i) => (i % 97 === 5 ? 12 : 0) + 3 * u],
  ["few values, many ties", (u) => Math.floor(5 * u) / 2],
  ["all equal", () => 1.25],
  ["zeros of both signs", (u) => (u < 0.4 ? -0 : u < 0.7 ? 0 : u - 0.85)],
  ["half of it -Infinity", (u, i) => (i % 2 ? -Infinity : 4 * u - 2)],
  ["one finite", (_, i, size) => (i === size >> 1 ? -3 : -Infinity)],
  ["cold: probabilities underflow", (u) => (u - 0.5) / 1e-4],
  ["hot: differences in the last bits", (u) => 3 + u * 2 ** -20],
  ["tiny and denormal", (u) => (u - 0.5) * 1e-39],
  ["large", (u) => (u - 0.5) * 6e38],
];
const FILTERS: readonly Filters[] = [
  OFF,
  ...[1, 2, 7, 40, 1000].map((topK) => ({ ...OFF, topK })),
  ...[1e-9, 1e-6, 0.001, 0.1, 0.5, 0.9, 0.95, 0.999, 1 - 1e-7].map((topP) => ({ ...OFF, topP })),
  ...[1e-9, 0.01, 0.3, 1].map((minP) => ({ ...OFF, minP })),
  { topK: 20, topP: 0.8, minP: 0 },
  { topK: 5, topP: 0.5, minP: 0.2 },
  { topK: 0, topP: 0.9, minP: 0.1 },
];

for (const [name, score] of ROWS) {
  Deno.test(`keepRow() keeps what sorting keeps, in its order of ties: ${name}`, () => {
    for (const size of [1, 2, 33, 1201]) {
      for (let seed = 0; seed < 2; seed++) {
        const uniforms = draws(seed, name, size);
        const scores = Float32Array.from({ length: size }, (_, i) => score(uniforms[i]!, i, size));
        for (const filters of FILTERS) same(scores, filters, `${name}, ${size}, seed ${seed}`);
      }
    }
  });
}

Deno.test("keepRow() cuts equal probabilities where exact arithmetic does, and keeps the first of them", () => {
  for (const [size, topP, want] of [[10, 0.9, 9], [10, 0.91, 10], [4, 0.5, 2], [3, 1 / 3, 1], [7, 3 / 7, 3]] as const) {
    const scores = new Float32Array(size), kept = keepRow(scores, softmax(scores), 0, size, { ...OFF, topP });
    assert.deepEqual(
      [...kept].map((p) => +(p > 0)),
      Array.from({ length: size }, (_, i) => +(i < want)),
      `${size}, ${topP}`,
    );
  }
});

Deno.test("keepRow() gives a row that is not finite back as it is", () => {
  for (const wrong of [NaN, Infinity]) {
    const scores = Float32Array.of(1, wrong, 2), p = new Float32Array(3).fill(NaN);
    assert.deepEqual([...keepRow(scores, p, 0, 3, { topK: 1, topP: 0.5, minP: 0.5 })], [NaN, NaN, NaN]);
  }
});

Deno.test("keepRow() keeps what the graph keeps that sorts, of rows whose cut is not within a float32 sum's rounding", async () => {
  const size = 700, rows = 6, shape = [rows, size];
  const logits = Float32Array.from(
    draws(3, "logits", rows * size),
    (u, i) => (1 + i % 5) * Math.log(u / (1 - u) + 1e-30),
  );
  for (const { topK, topP, minP } of FILTERS.filter(({ topP }) => topP === 1 || topP > 0.001 && topP < 0.9999)) {
    const graph = new Graph(),
      kind: SamplerKind = {
        ...{ greedy: false, temperature: false, repetitionPenalty: false, topK },
        ...{ topP: topP < 1, minP: minP > 0 },
      };
    const input = graph.input("logits", { dtype: "float32", shape: ["B", size] });
    const { scores, tokens } = filterLogits(input, samplerInputs(graph, kind, size), kind);
    graph.output("kept", scores.softmax());
    graph.output("p", input.softmax());
    if (tokens) graph.output("tokens", tokens);
    const given = { logits: floats(shape, logits), uniforms: floats([rows, 1], Array(rows).fill(0)) };
    const strengths = {
      ...(topP < 1 ? { top_p: floats([1], [topP]) } : {}),
      ...(minP > 0 ? { min_p: floats([1], [minP]) } : {}),
    };
    const fed = Object.fromEntries(
      Object.entries({ ...given, ...strengths }).filter(([name]) => graph.inputs.some((i) => i.name === name)),
    );
    const got = await runGraph(graph, fed, { kept: shape, p: shape, ...(tokens ? { tokens: shape } : {}) });
    for (let row = 0; row < rows; row++) {
      const mine = keepRow(logits, Float32Array.from(got.p!), row, size, { topK, topP, minP });
      const theirs = new Set<number>();
      for (let i = 0; i < size; i++) {
        if (got.kept![row * size + i]! > 0) theirs.add(tokens ? got.tokens![row * size + i]! : i);
      }
      const wanted = Array.from({ length: size }, (_, i) => theirs.has(i));
      assert.deepEqual([...mine].map((p) => p > 0), wanted, `row ${row} ${JSON.stringify({ topK, topP, minP })}`);
    }
  }
});
