import assert from "node:assert/strict";
import { Graph } from "../../../gpu/onnx/graph.ts";
import { filterLogits, samplerInputs, type SamplerKind } from "../../../gpu/sampling/pick.ts";
import { type Fed, floats, runGraph } from "../run_graph.ts";
import { readJson, readSafetensors } from "../safetensors.ts";

interface Case {
  temperature?: number;
  top_k?: number;
  top_p?: number;
  min_p?: number;
  repetition_penalty?: number;
  kept: number[];
}
const golden: { cases: Case[]; history_ids: number[][]; tie_rows: number[] } = readJson("goldens/torch/sampling.json");
const tensors = readSafetensors("goldens/torch/sampling.safetensors");
const V = 50, ROWS = 8, shape = [ROWS, V];

/** The distribution over the vocabulary, or by place where sorted. */
async function probabilities(test: Case): Promise<number[][]> {
  const { temperature = 1, top_k: topK = 0, top_p: topP = 1, min_p: minP = 0, repetition_penalty: penalty = 1 } = test;
  const kind: SamplerKind = {
    greedy: false,
    temperature: temperature !== 1,
    topK,
    topP: topP < 1,
    minP: minP > 0,
    repetitionPenalty: penalty !== 1,
  };
  const graph = new Graph();
  const { scores, tokens } = filterLogits(
    graph.input("logits", { dtype: "float32", shape: ["B", V] }),
    samplerInputs(graph, kind, V),
    kind,
  );
  graph.output("p", scores.softmax());
  if (tokens) graph.output("tokens", tokens);
  const seen = new Uint8Array(ROWS * V);
  golden.history_ids.forEach((ids, r) => ids.forEach((id) => seen[r * V + id] = 1));
  const given: Record<string, Fed> = {
    logits: floats(shape, tensors.get("logits")!.data),
    uniforms: floats([ROWS, 1], Array(ROWS).fill(0)),
    temperature: floats([1], [temperature]),
    top_p: floats([1], [topP]),
    min_p: floats([1], [minP]),
    repetition_penalty: floats([1], [penalty]),
    seen: { dtype: "bool", shape, data: seen },
  };
  const fed = Object.fromEntries(graph.inputs.map(({ name }) => [name, given[name]!]));
  const got = await runGraph(graph, fed, { p: shape, ...(tokens ? { tokens: shape } : {}) });
  return golden.history_ids.map((_, r) => {
    const row: number[] = Array(V).fill(0);
    for (let i = 0; i < V; i++) row[tokens ? got.tokens![r * V + i]! : i] = got.p![r * V + i]!;
    return row;
  });
}

for (const [c, test] of golden.cases.entries()) {
  const { kept, ...settings } = test;
  Deno.test(`filterLogits() with ${JSON.stringify(settings)} gives transformers' distribution`, async () => {
    const rows = await probabilities(test), want = tensors.get("probs")!.data;
    rows.forEach((row, r) => {
      let wanted = Array.from(want.subarray((c * ROWS + r) * V, (c * ROWS + r + 1) * V)), given = row;
      assert(row.filter((p) => p > 0).length <= kept[r]!, `row ${r} keeps more than ${kept[r]}`);
      if (golden.tie_rows.includes(r)) {
        [wanted, given] = [
          [...wanted].sort((a, b) => a - b),
          [...row].sort((a, b) => a - b),
        ];
      }
      given.forEach((p, i) => assert(Math.abs(p - wanted[i]!) <= 1e-6, `row ${r}, ${i}: ${p}, want ${wanted[i]}`));
    });
  });
}
