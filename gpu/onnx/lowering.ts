/** Which ops a provider gets for the same mathematics: fused where it has the kernel, plain ones elsewhere. @module */
import { type DType, DTYPES, sizeOf } from "./dtype.ts";
import type { MatMulOptions } from "./node.ts";
import { geluTanhInner } from "./derivatives.ts";
import type { Value } from "./value.ts";

export type Provider = "cpu" | "cuda";

/** The functions whose ops differ between providers. */
export interface Lowering {
  matmul(a: Value, b: Value, options: MatMulOptions): Value;
  silu(x: Value): Value;
  quickGelu(x: Value): Value;
  geluTanh(x: Value): Value;
  rmsNorm(x: Value, weight: Value, eps: number): Value;
  skipRmsNorm(x: Value, skip: Value, weight: Value, eps: number): [Value, Value];
  rotary(x: Value, positions: Value, cos: Value, sin: Value): Value;
  logSoftmax(x: Value, axis: number): Value;
  tokenLogprobs(logits: Value, ids: Value): [of: Value, all: Value];
  scatterND(x: Value, indices: Value, updates: Value): Value;
}

/** The factor of `quick_gelu` (transformers activations.py QuickGELUActivation). */
const QUICK = 1.702;

/** Standard ops only: runs on every provider and in float64. */
export const PLAIN: Lowering = {
  matmul(a, b, { transposeA, transposeB, alpha = 1 }) {
    const y = a.graph.emit("MatMul", [transposeA ? a.mT() : a, transposeB ? b.mT() : b]);
    return alpha === 1 ? y : y.mul(alpha);
  },
  silu: (x) => x.mul(x.sigmoid()),
  quickGelu: (x) => x.mul(x.mul(QUICK).sigmoid()),
  geluTanh: (x) => x.mul(geluTanhInner(x).tanh().add(1)).mul(0.5),
  rmsNorm: (x, weight, eps) => x.mul(x.mul(x).mean(-1).add(eps).sqrt().reciprocal()).mul(weight),
  skipRmsNorm(x, skip, weight, eps) {
    const sum = x.add(skip);
    return [sum.rmsNorm(weight, eps), sum];
  },
  rotary(x, positions, cos, sin) {
    const [b, , t, size] = x.shape, half = Number(size) / 2;
    const [first, second] = x.split(-1, [half, half]);
    const c = cos.gather(positions).reshape([b!, 1, t!, half]), s = sin.gather(positions).reshape([b!, 1, t!, half]);
    return first!.mul(c).sub(second!.mul(s)).concat([second!.mul(c).add(first!.mul(s))], -1);
  },
  logSoftmax(x, axis) {
    const centered = x.sub(x.reduceMax(axis).stopGradient());
    return centered.sub(centered.exp().sum(axis).log());
  },
  tokenLogprobs(logits, ids) {
    const all = logits.logSoftmax(), [n] = logits.shape;
    return [all.gatherElements(ids.reshape([n!, 1]), 1).reshape([n!]), all];
  },
  scatterND: (x, indices, updates) => x.graph.emit("ScatterND", [x, indices, updates], { reduction: "add" }),
};

/** ONNX Runtime's own ops of domain com.microsoft; float32 kernels of the CPU provider. */
const FUSED: Omit<Lowering, "scatterND" | "tokenLogprobs"> = {
  matmul(a, b, { transposeA = false, transposeB = false, alpha = 1 }) {
    if (!transposeA && !transposeB && alpha === 1) return a.graph.emit("MatMul", [a, b]);
    return a.graph.emit("FusedMatMul", [a, b], { transA: +transposeA, transB: +transposeB, alpha: { float: alpha } });
  },
  silu: (x) => x.graph.emit("QuickGelu", [x], { alpha: { float: 1 } }),
  quickGelu: (x) => x.graph.emit("QuickGelu", [x], { alpha: { float: QUICK } }),
  geluTanh: (x) => x.graph.emit("FastGelu", [x]),
  rmsNorm(x, weight, eps) {
    return x.graph.emit("SimplifiedLayerNormalization", [x, weight], {
      axis: -1,
      epsilon: { float: eps },
      stash_type: 1,
    });
  },
  skipRmsNorm(x, skip, weight, eps) {
    const outputs = x.graph.emitMany("SkipSimplifiedLayerNormalization", [x, skip, weight], {
      epsilon: { float: eps },
    });
    return [outputs[0]!, outputs[3]!];
  },
  rotary: (x, positions, cos, sin) => x.graph.emit("RotaryEmbedding", [x, positions, cos, sin]),
  logSoftmax: (x, axis) => x.graph.emit("LogSoftmax", [x], { axis }),
};

/**
 * ONNX Runtime 1.30's CPU kernel of ScatterND adds duplicate indices from several threads without a lock once a node
 * writes between 512 kB and 1 MB: updates get lost (measured with 4 threads, errors as large as the sums). So nodes stay
 * below a quarter of that, one after another. Each copies x, hence ScatterElements, which is sequential, for a large x.
 */
const RACE_FREE_BYTES = 1 << 18, RACE_FREE_ROWS = 4096, CHEAP_COPY = 1 << 20;
function scatterND(x: Value, indices: Value, updates: Value): Value {
  const depth = indices.dims.at(-1)!, count = sizeOf(indices.dims.slice(0, -1)), rest = x.dims.slice(depth);
  const width = sizeOf(rest),
    rows = Math.min(RACE_FREE_ROWS, Math.ceil(RACE_FREE_BYTES / (width * DTYPES[x.dtype].bytes)));
  if (count <= rows) return PLAIN.scatterND(x, indices, updates);
  if (sizeOf(x.dims) > CHEAP_COPY && depth === 1) {
    const at = indices.reshape([count, 1]).expand([count, width]), flat = updates.reshape([count, width]);
    return x.reshape([x.dims[0]!, width]).scatterElements(at, flat, 0).reshape(x.dims);
  }
  const parts = Array.from({ length: Math.ceil(count / rows) }, (_, i) => Math.min(rows, count - i * rows));
  const at = indices.reshape([count, depth]).split(0, parts), flat = updates.reshape([count, ...rest]).split(0, parts);
  return parts.reduce((sum, _, i) => PLAIN.scatterND(sum, at[i]!, flat[i]!), x);
}

const { logSoftmax, rotary, silu, quickGelu, geluTanh, matmul, rmsNorm } = FUSED;

/**
 * What replaces PLAIN, per provider and dtype. SoftmaxCrossEntropyLoss is nowhere: CUDA lacks it (a training op there),
 * and on the CPU ONNX Runtime writes it out as ten nodes that copy the logits five times. float64 has no com.microsoft
 * kernels at all.
 */
export const LOWERING: Record<Provider, Partial<Record<DType, Partial<Lowering>>>> = {
  cpu: { float32: { ...FUSED, scatterND }, float64: { logSoftmax, scatterND } },
  cuda: { float32: { matmul, silu, quickGelu, geluTanh, rmsNorm, rotary, logSoftmax } },
};
