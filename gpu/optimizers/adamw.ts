/**
 * AdamW, Adam and SGD with global-norm clipping, in place, gated: a non-finite loss or gradient leaves every number as it was.
 *
 * Two graphs. `normGraph` reads the gradient once and decides: its norm, the clip factor, whether to write. `updateGraph`
 * is run on one slice of the arrays after another (slices that fit the cache: 3 times faster than whole tensors).
 * Source: Loshchilov & Hutter, "Decoupled Weight Decay Regularization"; torch.optim AdamW, Adam and SGD, torch clip_grad_norm_.
 * @module
 */
import { Graph, type Provider, type Value } from "../onnx/graph.ts";
import { momentValues, type OptimizerStateKind } from "./moments.ts";

/** Elements of one slice; 4 arrays of 4 bytes each stay within a core's level-2 cache. */
export const SLICE = 65_536;

/** Order of the values of the input `hyper` of both graphs, float32 [8]. */
export const HYPER = [
  "beta1",
  "beta2",
  "oneMinusBeta1",
  "oneMinusBeta2",
  /** epsilon · sqrt(1 - beta2^t): as if added to the root of the corrected second moment */
  "epsilon",
  /** learning rate · sqrt(1 - beta2^t) / (1 - beta1^t); of SGD, whose beta1 is its momentum, the learning rate */
  "step",
  /** of AdamW -learning rate · weight decay, else weight decay */
  "decay",
  "maxNorm",
] as const;

/** `adamw` takes its decay off the weights; the others add decay · weight to the gradient, as torch's Adam and SGD do. */
export type UpdateRule = "adamw" | "adam" | "sgd" | "sgd_nesterov";

export interface AdamW {
  /** `adamw` where absent. */
  readonly rule?: UpdateRule;
  /** Of SGD; 0 where absent. */
  readonly momentum?: number;
  readonly learningRate: number;
  readonly beta1: number;
  readonly beta2: number;
  readonly epsilon: number;
  readonly weightDecay: number;
  /** Largest global gradient norm; Infinity = no clipping. */
  readonly maxNorm: number;
}

const MOST_NORM = 3e38; // Largest bound on the norm that float32 holds.
const NORM_EPSILON = 1e-6; // What torch adds to the norm before it divides by it.

/** The values of `hyper` for update number `update` (from 1). Computed in float64, stored in float32. */
export function hyperValues(options: AdamW, update: number): Float32Array {
  const { rule = "adamw", learningRate, beta1, beta2, epsilon, weightDecay, maxNorm, momentum = 0 } = options;
  const root = Math.sqrt(1 - beta2 ** update), bound = Math.min(maxNorm, MOST_NORM);
  const values: Record<(typeof HYPER)[number], number> = isSgd(rule)
    ? {
      beta1: momentum,
      beta2: 0,
      oneMinusBeta1: 1,
      oneMinusBeta2: 0,
      epsilon: 0,
      step: learningRate,
      decay: weightDecay,
      maxNorm: bound,
    }
    : {
      beta1,
      beta2,
      oneMinusBeta1: 1 - beta1,
      oneMinusBeta2: 1 - beta2,
      epsilon: epsilon * root,
      step: learningRate * root / (1 - beta1 ** update),
      decay: weightDecay * (rule === "adamw" ? -learningRate : 1),
      maxNorm: bound,
    };
  return Float32Array.from(HYPER, (name) => values[name]);
}

const isSgd = (rule: UpdateRule) => rule === "sgd" || rule === "sgd_nesterov";

/** Declares an input of hyperparameters; each by its name. */
export function hyper(graph: Graph, input = "hyper"): Record<(typeof HYPER)[number], Value> {
  const parts = graph.input(input, { dtype: "float32", shape: [HYPER.length] }).split(0, HYPER.map(() => 1));
  return Object.fromEntries(HYPER.map((name, i) => [name, parts[i]!])) as Record<(typeof HYPER)[number], Value>;
}

/**
 * Inputs: loss float32 [1], hyper [8], one gradient per name (with `masked` also mask.<name>: 1 where trainable).
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
  const [first, ...rest] = squares;
  // Without a gradient, as of an adapter that is frozen, the norm is 0.
  const norm = first ? first.concat(rest, 0).sum([0]).sqrt() : maxNorm.mul(0);
  // x - x is 0 for a finite x and NaN for the others
  const finite = norm.sub(norm).add(loss.sub(loss)).equal(0);
  const factor = maxNorm.div(norm.add(NORM_EPSILON)).min(1);
  graph.output("control", factor.concat([finite.cast("float32")], 0));
  graph.output("grad_norm", norm);
  return graph;
}

/** What an update graph contains besides the plain step. */
interface UpdateKind {
  /** Some elements are frozen: reads `mask`, 1 where trainable. */
  readonly masked: boolean;
  readonly decay: boolean;
  /** `adamw` where absent. */
  readonly rule?: UpdateRule;
  /** float32 where absent; what is stored in codes has graphs of one size. */
  readonly state?: { readonly kind: OptimizerStateKind; readonly size: number };
}

/**
 * Inputs: control [2], hyper [8], g w float32 [N] (and mask), and the moments as `momentValues` has them, m v float32 [N].
 * Outputs, to be bound to the same memory: new_w new_m new_v; and squares [2]: Σ(w' - w)² and Σ w'² of the slice.
 *
 * With the gate closed g is 0 and every factor neutral: m · 1 + 0 · -1 is m bit for bit, also where m is -0.
 */
export function updateGraph(provider: Provider, { masked, decay, rule = "adamw", state }: UpdateKind): Graph {
  const graph = new Graph({ provider }), isCoded = state?.kind === "int8", size = isCoded ? state.size : "N";
  const slice = (name: string) => graph.input(name, { dtype: "float32", shape: [size] });
  const h = hyper(graph);
  const [factor, gate] = graph.input("control", { dtype: "float32", shape: [2] }).split(0, [1, 1]);
  const [raw, w] = [slice("g"), slice("w")],
    moments = momentValues(graph, state?.kind ?? "float32", size),
    { m, v } = moments;
  const open = gate!.greater(0), write = masked ? slice("mask").greater(0).and(open) : open;
  const clip = open.where(factor!, 1), opened = (x: Value, closed: number) => write.where(x, closed);
  // A decay that is added to the gradient comes after the clipping: the factor cannot be folded into the scalars then.
  const isAdded = decay && rule !== "adamw", scale = isAdded ? graph.scalar(1) : clip;
  const g = write.where(isAdded ? raw.mul(clip).add(w.mul(h.decay)) : raw, 0);
  // (1 - beta) · (factor · g): the clip factor is folded into the scalars; g² is finite because the norm is
  const m2 = m.mul(opened(h.beta1, 1)).add(g.mul(opened(h.oneMinusBeta1.mul(scale), -1)));
  const v2 = isSgd(rule) ? v : v.mul(opened(h.beta2, 1)).add(g.mul(g).mul(h.oneMinusBeta2.mul(scale).mul(scale)));
  const direction = rule === "sgd_nesterov"
    ? g.mul(scale).add(m2.mul(h.beta1))
    : rule === "sgd"
    ? m2
    : m2.div(v2.sqrt().add(h.epsilon));
  const step = direction.mul(opened(h.step.neg(), 0));
  const change = decay && !isAdded ? step.add(w.mul(opened(h.decay, 0))) : step;
  // Nothing may read w, m or v after its new value is written over it: every reader feeds the writer.
  const newW = write.where(w.add(change), w);
  graph.output("squares", change.reduceSumSquare().reshape([1]).concat([newW.reduceSumSquare().reshape([1])], 0));
  moments.write(open, m2, v2);
  graph.output("new_w", newW);
  return graph;
}
