import assert from "node:assert/strict";
import { gradients } from "../../../gpu/autodiff/gradients.ts";
import { attend, Masks } from "../../../gpu/models/attention.ts";
import type { ModelConfig } from "../../../gpu/models/config.ts";
import { Graph } from "../../../gpu/onnx/graph.ts";
import { runBytes } from "../../../gpu/onnx/liveness.ts";
import { doubles, floats, runGraph } from "../run_graph.ts";

const [B, H, K, HD] = [2, 4, 2, 3];
const SCALE = 0.6;

function numbers(count: number, seed: number): number[] {
  return Array.from({ length: count }, (_, i) => Math.sin(1 + seed + i * (seed + 1.7)));
}

interface Case {
  readonly queries: number;
  readonly keys: number;
  readonly window: number | null;
  readonly softcap: number | null;
  /** Number of the sequence of each key, for rows that hold several. */
  readonly segments?: readonly number[];
}

/** Row by row, in plain numbers: which keys a query sees, the softmax of their scores, the sum of their values. */
function byHand(
  q: number[],
  k: number[],
  v: number[],
  seen: number[],
  { queries, keys, window, softcap, segments }: Case,
) {
  const out: number[] = [];
  for (let b = 0; b < B; b++) {
    for (let t = 0; t < queries; t++) {
      for (let h = 0; h < H; h++) {
        const kv = Math.floor(h / (H / K)), at = keys - queries + t, scores: [number, number][] = [];
        for (let s = 0; s <= at; s++) {
          if (!seen[b * keys + s] || (window !== null && s <= at - window)) continue;
          if (segments && segments[s] !== segments[at]) continue;
          let dot = 0;
          for (let i = 0; i < HD; i++) {
            dot += q[((b * H + h) * queries + t) * HD + i]! * k[((b * K + kv) * keys + s) * HD + i]!;
          }
          const score = dot * SCALE;
          scores.push([s, Math.exp(softcap === null ? score : softcap * Math.tanh(score / softcap))]);
        }
        const total = scores.reduce((sum, [, e]) => sum + e, 0);
        for (let i = 0; i < HD; i++) {
          out.push(scores.reduce((sum, [s, e]) => sum + e / total * v[((b * K + kv) * keys + s) * HD + i]!, 0));
        }
      }
    }
  }
  return out;
}

async function byGraph(
  q: number[],
  k: number[],
  v: number[],
  seen: number[],
  { queries, keys, window, softcap, segments }: Case,
) {
  const graph = new Graph(), read = (name: string, shape: number[]) => graph.input(name, { dtype: "float64", shape });
  const mask = graph.input("seen", { dtype: "float32", shape: [B, keys] });
  const all = segments &&
    graph.constant(Float32Array.from({ length: B * keys }, (_, i) => segments[i % keys]!), [B, keys]);
  const masks = new Masks(
    { keys: mask, segments: all ? { keys: all, queries: all.slice([keys - queries], [keys], [1]) } : null },
    queries,
    keys,
    "float64",
  );
  const config = { attentionScale: SCALE, attentionSoftcap: softcap } as ModelConfig;
  graph.output(
    "y",
    attend(
      read("q", [B, H, queries, HD]),
      read("k", [B, K, keys, HD]),
      read("v", [B, K, keys, HD]),
      masks,
      window,
      config,
    ),
  );
  const fed = {
    q: doubles([B, H, queries, HD], q),
    k: doubles([B, K, keys, HD], k),
    v: doubles([B, K, keys, HD], v),
    seen: floats([B, keys], seen),
  };
  return (await runGraph(graph, fed, { y: [B * queries, H * HD] })).y!;
}

const CASES: Record<string, Case> = {
  "all before it": { queries: 5, keys: 5, window: null, softcap: null },
  "a prompt before completions, with a window and a soft cap": { queries: 3, keys: 7, window: 4, softcap: 0.5 },
  "a window of 1": { queries: 4, keys: 4, window: 1, softcap: null },
  "one query": { queries: 1, keys: 6, window: 3, softcap: null },
  "a window beyond every key": { queries: 4, keys: 6, window: 6, softcap: 2 },
  "packed rows with a window": { queries: 6, keys: 8, window: 3, softcap: null, segments: [0, 0, 0, 0, 1, 1, 1, 2] },
  "blocks of queries": { queries: 1100, keys: 1107, window: null, softcap: null },
  "blocks of queries with a window": { queries: 1100, keys: 1103, window: 5, softcap: 1 },
  "blocks of queries with a soft cap that is not 1": { queries: 1030, keys: 1030, window: 5, softcap: 0.5 },
  "packed rows in blocks of queries": {
    queries: 1100,
    keys: 1103,
    window: null,
    softcap: null,
    segments: Array.from({ length: 1103 }, (_, s) => Math.floor(s / 90)),
  },
};

for (const [what, one] of Object.entries(CASES)) {
  Deno.test(`attend() over ${what} is the sum by hand`, async () => {
    const { queries, keys } = one;
    const [q, k, v] = [numbers(B * H * queries * HD, 1), numbers(B * K * keys * HD, 2), numbers(B * K * keys * HD, 3)];
    // The first row has padding before it, but for one query alone every key that it sees is a token.
    const seen = Array.from(
      { length: B * keys },
      (_, i) => Number(one.segments !== undefined || i !== 0 || queries === keys),
    );
    const want = byHand(q!, k!, v!, seen, one), got = await byGraph(q!, k!, v!, seen, one);
    const off = want.reduce((most, x, i) => Math.max(most, Math.abs(x - got[i]!)), 0);
    assert(off < 1e-6, `${off}`);
  });
}

/** attend() of all rows, and its gradient at `dy`. */
async function derivatives(queries: number, keys: number, given: Readonly<Record<"q" | "k" | "v", number[]>>) {
  const graph = new Graph(), shapes = { q: [B, H, queries, HD], k: [B, K, keys, HD], v: [B, K, keys, HD] };
  const [q, k, v] = Object.entries(shapes).map(([name, shape]) => graph.input(name, { dtype: "float64", shape }));
  const seen = graph.input("seen", { dtype: "float32", shape: [B, keys] });
  const config = { attentionScale: SCALE, attentionSoftcap: 2 } as ModelConfig;
  const masks = new Masks({ keys: seen, segments: null }, queries, keys, "float64");
  // As in a model: what is read is not the input itself.
  const y = attend(q!.mul(1), k!.mul(1), v!.mul(1), masks, 900, config);
  const weight = graph.constant(Float64Array.from(numbers(B * queries * H * HD, 4)), [B * queries, H * HD]);
  const loss = y.mul(weight).sum();
  graph.output("loss", loss.reshape([1]));
  gradients(loss, [q!, k!, v!]).forEach((dx, i) => graph.output(`d${"qkv"[i]}`, dx));
  const fed = Object.fromEntries(
    Object.entries(shapes).map(([name, shape]) => [name, doubles(shape, given[name as "q"])] as const),
  );
  const outputs = { loss: [1], dq: shapes.q, dk: shapes.k, dv: shapes.v };
  return await runGraph(
    graph,
    { ...fed, seen: floats([B, keys], numbers(B * keys, 0).map((x) => Number(x > -0.9))) },
    outputs,
  );
}

Deno.test("attend() in blocks of queries has the gradient of its own differences, float64", async () => {
  const [queries, keys] = [1030, 1040], step = 1e-5;
  const given = {
    q: numbers(B * H * queries * HD, 1),
    k: numbers(B * K * keys * HD, 2),
    v: numbers(B * K * keys * HD, 3),
  };
  const told = await derivatives(queries, keys, given);
  // Places of both blocks, and a key that queries of both see.
  for (const [name, at] of [["q", 5], ["q", B * H * queries * HD - 2], ["k", 600 * HD], ["v", 600 * HD + 1]] as const) {
    const loss = async (by: number) => {
      const values = given[name].map((x, i) => (i === at ? x + by : x));
      return (await derivatives(queries, keys, { ...given, [name]: values })).loss![0]!;
    };
    const want = (await loss(step) - await loss(-step)) / (2 * step), got = told[`d${name}`]![at]!;
    assert(Math.abs(want - got) <= 1e-6 * Math.max(1, Math.abs(want)), `${name}[${at}]: ${got}, want ${want}`);
    assert(Math.abs(got) > 1e-4, `${name}[${at}]: ${got}`);
  }
});

Deno.test("attend() in blocks keeps no scores for its gradient: twice the row takes little more than twice the memory", () => {
  const bytes = (t: number) => {
    const graph = new Graph(),
      read = (name: string, heads: number) => graph.input(name, { dtype: "float32", shape: [1, heads, t, HD] });
    const [q, k, v] = [read("q", H), read("k", K), read("v", K)];
    const seen = graph.input("seen", { dtype: "float32", shape: [1, t] });
    const config = { attentionScale: SCALE, attentionSoftcap: null } as ModelConfig;
    const y = attend(
      q.mul(1),
      k.mul(1),
      v.mul(1),
      new Masks({ keys: seen, segments: null }, t, t, "float32"),
      null,
      config,
    );
    gradients(y.mul(y).sum(), [q, k, v]).forEach((dx, i) => graph.output(`d${i}`, dx));
    return runBytes(graph).arena;
  };
  assert(bytes(8192) < 2.4 * bytes(4096), `${bytes(8192)} ${bytes(4096)}`);
});
