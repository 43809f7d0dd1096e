/**
 * A copy of weights that train, its matrices rounded to few bits, for sampling: as fast as a rounded base beneath an adapter.
 *
 * Vectors are the very numbers of the original; matrices are rounded anew when the original has changed, by a graph of the
 * formula in `quantized.ts`, in pieces that stay in a core's cache.
 * @module
 */
import { blockOf } from "../onnx/block_quantized.ts";
import { Graph } from "../onnx/graph.ts";
import { encodeModel } from "../onnx/proto.ts";
import type { BoundRun, Session, Tensor } from "../ort/runtime.ts";
import { scalesName, weightName } from "./graph_weights.ts";
import type { Bits } from "./quantized.ts";
import { Weights } from "./weights.ts";

/** Numbers that one run rounds: 1 MB of float32. */
const PIECE = 1 << 18;

/** Inputs: w float32 ["N", block]. Outputs: packed uint8 ["N", block · bits / 8] and scales float32 ["N", 1]. */
function roundingGraph(bits: Bits, block: number): Graph {
  const graph = new Graph(), half = 2 ** (bits - 1), bytes = block * bits / 8;
  const w = graph.input("w", { dtype: "float32", shape: ["N", block] });
  const most = w.reduceMax([1]), least = w.neg().reduceMax([1]).neg();
  const scale = most.greater(least.neg()).where(most, least).mul(-1 / half);
  // To bytes it is cut off, not rounded: 0.5 more rounds it.
  const q = w.mul(scale.equal(0).where(0, scale.reciprocal())).add(half + 0.5).min(2 * half - 0.5).cast("uint8");
  graph.output("scales", scale);
  if (bits === 8) graph.output("packed", q);
  else {
    // Two to a byte, the low half first: a product with 1 and 16 in each column.
    const places = Float32Array.from({ length: block * bytes }, (_, i) => {
      const row = Math.floor(i / bytes);
      return Math.floor(row / 2) === i % bytes ? 16 ** (row % 2) : 0;
    });
    graph.output("packed", q.cast("float32").matmul(graph.constant(places, [block, bytes])).cast("uint8"));
  }
  return graph;
}

export class RoundedCopy {
  readonly weights: Weights;
  #version: number | null = null;
  /** By the size of a block; null before the first time. */
  #sessions: Map<number, Session> | null = null;
  readonly #runs: BoundRun[] = [];
  readonly #views: Tensor[] = [];

  /** Throws a RangeError where the runtime has no kernels for rounded weights. */
  constructor(readonly original: Weights, readonly bits: Bits) {
    this.weights = Weights.beside(original, bits);
  }

  /** Whether the original has changed since the copy was made. */
  get stale(): boolean {
    return this.#version !== this.original.version;
  }

  /** Rounds all matrices. Nobody may be reading the copy. */
  async refresh(): Promise<void> {
    const { original } = this;
    if (this.#sessions === null) await this.#bind();
    for (const run of this.#runs) await run.run();
    // Rows that end within a block are filled up: JavaScript does it.
    const all = original.values.data as Float32Array;
    for (const { shape, parts } of original.layout.packed) {
      if (shape.length !== 2 || shape[1]! % blockOf(shape[1]!, this.bits) === 0) continue;
      for (const part of parts) {
        this.weights.quantized!.write(part, all.subarray(part.offset, part.offset + part.size), 0);
      }
    }
    this.#version = original.version;
  }

  async #bind(): Promise<void> {
    const { original: { runtime, layout, values }, bits } = this, stored = this.weights.quantized!.tensors(layout);
    const sessions = this.#sessions = new Map<number, Session>();
    const view = (of: Tensor, shape: readonly number[], from: number) => {
      const view = of.view(shape, from);
      this.#views.push(view);
      return view;
    };
    for (const { name, shape, offset, size } of layout.packed) {
      if (shape.length !== 2) continue;
      const block = blockOf(shape[1]!, bits), blocks = size / block, bytes = block * bits / 8;
      if (shape[1]! % block !== 0) continue;
      const session = sessions.get(block) ??
        await runtime.session(encodeModel(roundingGraph(bits, block)), { name: "round", optimization: "basic" });
      sessions.set(block, session);
      for (let at = 0; at < blocks; at += PIECE / block) {
        const count = Math.min(PIECE / block, blocks - at);
        this.#runs.push(session.bind({ w: view(values, [count, block], offset + at * block) }, {
          packed: view(stored[weightName(name)]!, [count, bytes], at * bytes),
          scales: view(stored[scalesName(name)]!, [count, 1], at),
        }));
      }
    }
  }

  release(): void {
    for (const thing of [...this.#runs, ...this.#views]) thing.release();
    this.#sessions?.forEach((session) => session.release());
    this.weights.release();
  }
}
