/**
 * AdamW with global-norm clipping, in place, gated: a non-finite loss or gradient leaves every number as it was.
 *
 * Two graphs. `normGraph` reads the gradient once and decides: its norm, the clip factor, whether to write. `updateGraph`
 * is run on one slice of the arrays after another (slices that fit the cache: 3 times faster than whole tensors).
 * Source: Loshchilov & Hutter, "Decoupled Weight Decay Regularization"; torch.optim.AdamW, torch clip_grad_norm_.
 * @module
 */
import { Graph, type Provider, type Value } from "../onnx/graph.ts";

/** Elements of one slice; 4 arrays of 4 bytes each stay within a core's level-2 cache. */
export const SLICE = 65_536;

/** Order of the values of the input `hyper` of both graphs, float32 [9]. */
export const HYPER = [
  "beta1",
  "beta2",
  "epsilon",
  /** learning rate / (1 - beta1^t) */
  "step",
  /** 1 / sqrt(1 - beta2^t) */
  "rootScale",
  /** -learning rate · weight decay */
  "decay",
  "maxNorm",
  "oneMinusBeta1",
  "oneMinusBeta2",
] as const;

export interface AdamW {
  readonly learningRate: number;
  readonly beta1: number;
  readonly beta2: number;
  readonly epsilon: number;
  readonly weightDecay: number;
  /** Largest global gradient norm; Infinity = no clipping. */
  readonly maxNorm: number;
}

/** The values of `hyper` for update number `update` (from 1). Computed in float64, stored in float32. */
export function hyperValues(options: AdamW, update: number): Float32Array {
  const { learningRate, beta1, beta2, epsilon, weightDecay, maxNorm } = options;
  const values: Record<(typeof HYPER)[number], number> = {
    beta1,
    beta2,
    epsilon,
    step: learningRate / (1 - beta1 ** update),
    rootScale: 1 / Math.sqrt(1 - beta2 ** update),
    decay: -learningRate * weightDecay,
    maxNorm: Math.min(maxNorm, 3e38),
    oneMinusBeta1: 1 - beta1,
    oneMinusBeta2: 1 - beta2,
  };
  return Float32Array.from(HYPER, (name) => values[name]);
}

function hyper(graph: Graph): Record<(typeof HYPER)[number], Value> {
  const parts = graph.input("hyper", { dtype: "float32", shape: [HYPER.length] }).split(0, HYPER.map(() => 1));
  return Object.fromEntries(HYPER.map((name, i) => [name, parts[i]!])) as Record<(typeof HYPER)[number], Value>;
}

/**
 * Inputs: loss float32 [1], hyper [9], one gradient per name (with `masked` also mask.<name>: 1 where trainable).
 * Outputs: control float32 [2]: the clip factor min(1, maxNorm / (norm + 1e-6)), and 1 to write or 0 not to;
 * grad_norm float32 [1], before clipping.
 */
export function normGraph(
  gradients: readonly { readonly name: string; readonly size: number }[],
  provider: Provider,
  masked: boolean,
): Graph {
  const graph = new Graph({ provider });
  const { maxNorm } = hyper(graph), loss = graph.input("loss", { dtype: "float32", shape: [1] });
  const squares = gradients.map(({ name, size }) => {
    const g = graph.input(name, { dtype: "float32", shape: [size] });
    const counted = masked ? g.mul(graph.input(`mask.${name}`, { dtype: "float32", shape: [size] })) : g;
    return counted.reduceSumSquare().reshape([1]);
  });
  const norm = squares[0]!.concat(squares.slice(1), 0).sum([0]).sqrt();
  // x - x is 0 for a finite x and NaN for the others
  const finite = norm.sub(norm).add(loss.sub(loss)).equal(0);
  const factor = maxNorm.div(norm.add(1e-6)).min(1);
  graph.output("control", factor.concat([finite.cast("float32")], 0));
  graph.output("grad_norm", norm);
  return graph;
}

/**
 * Inputs: control [2], hyper [9], g w m v float32 [N] (with `masked` also mask). Outputs, to be bound to the same memory:
 * w' m' v'; and squares [2]: Σ(w' - w)² and Σ w'² of the slice.
 */
export function updateGraph(provider: Provider, masked: boolean): Graph {
  const graph = new Graph({ provider });
  const slice = (name: string) => graph.input(name, { dtype: "float32", shape: ["N"] });
  const h = hyper(graph);
  const [factor, gate] = graph.input("control", { dtype: "float32", shape: [2] }).split(0, [1, 1]);
  const [raw, w, m, v] = [slice("g"), slice("w"), slice("m"), slice("v")];
  const g = raw.mul(factor!);
  const m2 = m.mul(h.beta1).add(g.mul(h.oneMinusBeta1));
  const v2 = v.mul(h.beta2).add(g.mul(g).mul(h.oneMinusBeta2));
  const direction = m2.div(v2.sqrt().mul(h.rootScale).add(h.epsilon));
  const change = w.mul(h.decay).sub(direction.mul(h.step));
  const open = gate!.greater(0);
  const write = masked ? slice("mask").greater(0).and(open) : open;
  // Nothing may read w, m or v after its new value is written over it: every reader feeds the writer.
  const [newW, newM, newV] = [write.where(w.add(change), w), write.where(m2, m), write.where(v2, v)];
  const changeSquares = write.where(change, 0).reduceSumSquare().reshape([1]);
  graph.output("squares", changeSquares.concat([newW.reduceSumSquare().reshape([1])], 0));
  graph.output("new_m", newM);
  graph.output("new_v", newV);
  graph.output("new_w", newW);
  return graph;
}
