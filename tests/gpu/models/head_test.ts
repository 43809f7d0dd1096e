/** A head in chunks: how rows are cut, and that nothing of the vocabulary outlives its chunk. */
import assert from "node:assert/strict";
import { gradients } from "../../../gpu/autodiff/gradients.ts";
import { modelConfig } from "../../../gpu/models/config.ts";
import { chunkRows, tokenHead } from "../../../gpu/models/head.ts";
import { parameterLayout } from "../../../gpu/models/parameters.ts";
import { Graph } from "../../../gpu/onnx/graph.ts";
import { runBytes } from "../../../gpu/onnx/liveness.ts";
import { GraphWeights } from "../../../gpu/weights/graph_weights.ts";
import { readJson } from "../safetensors.ts";

Deno.test("chunkRows() cuts rows into equal chunks of at most so many bytes, what is left over first", () => {
  assert.deepEqual(chunkRows(10, 8, 3 * 8 * 4), [1, 3, 3, 3]);
  assert.deepEqual(chunkRows(6, 8, 3 * 8 * 4 + 31), [3, 3]);
  assert.deepEqual(chunkRows(2, 1000, 1), [1, 1], "a row at least");
  assert.deepEqual(chunkRows(2560, 512), [2560], "a small vocabulary stays whole");
  assert.deepEqual(chunkRows(264, 151_936).reduce((a, b) => a + b), 264);
});

const ROWS = 64, WIDTH = 4000;

/** Loss and gradients of hidden states and, where it trains, of the head. */
function head(headBytes: number, trains: boolean): Graph {
  const config = { ...modelConfig(readJson("models/llama/config.json")), vocabSize: WIDTH, layers: 0 };
  const graph = new Graph(), layout = parameterLayout(config);
  const weights = new GraphWeights(graph, { layout, adapter: null });
  const hidden = graph.input("hidden", { dtype: "float32", shape: [ROWS, config.hiddenSize] }).mul(1);
  const ids = graph.input("ids", { dtype: "int64", shape: [ROWS] });
  const told = tokenHead(hidden, ids, weights, config, { entropy: true, statistics: ["top1", "entropy"], headBytes });
  const loss = told.logprobs.mul(told.logprobs).add(told.statistics.get("entropy")!).sum();
  const wrt = [hidden, ...(trains ? [weights.get(config.tiedEmbeddings ? "embed" : "head")] : [])];
  gradients(loss, wrt).forEach((dx, i) => graph.output(`d${i}`, dx));
  graph.output("loss", loss.reshape([1]));
  graph.output(
    "metrics",
    told.entropy!.sum().reshape([1]).concat([told.statistics.get("top1")!.sum().reshape([1])], 0),
  );
  return graph;
}

for (const trains of [false, true]) {
  Deno.test(`a head in chunks holds the logits of one chunk at a time, the head ${trains ? "trained" : "frozen"}`, () => {
    const all = ROWS * WIDTH * 4, weights = trains ? 4 * WIDTH * 64 * 4 : 0;
    assert(runBytes(head(all, trains)).live > 3 * all);
    const chunked = runBytes(head(all / 16, trains)).live;
    assert(chunked - weights < all / 2, `${(chunked - weights) / all}`);
  });
}
