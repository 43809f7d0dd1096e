/** The gradient rules that do not fit a line of the op table, each with its derivation. @module */
import { isFloat } from "./dtype.ts";
import { axisOf, float, int, ints } from "./infer.ts";
import type { Attributes } from "./node.ts";
import type { Value } from "./value.ts";

/** What a gradient rule sees of its node. */
export interface Backward {
  /** dL/dy of the first output. */
  readonly dy: Value;
  /** dL/d(output i), null where nothing flows back. */
  readonly dys: readonly (Value | null)[];
  readonly y: Value;
  readonly ys: readonly Value[];
  readonly attributes: Attributes;
}
export type GradientRule = (node: Backward, ...inputs: Value[]) => readonly (Value | null)[];

/** y = a^b: da = dy·b·a^(b-1), db = dy·y·ln a. */
export const pow: GradientRule = ({ dy, y }, a, b) => {
  const { graph } = a!, [exponent] = graph.constants.has(b!) && b!.rank === 0 ? graph.data(b!) : [undefined];
  if (exponent !== undefined) return [dy.mul(exponent === 2 ? a! : a!.pow(exponent - 1)).mul(exponent), null];
  return [dy.mul(b!).mul(a!.pow(b!.sub(1))), dy.mul(y).mul(a!.log())];
};
/** The smaller one gets dy; equal ones share it, as in torch. */
export const min: GradientRule = ({ dy }, a, b) => share(dy, a!.less(b!), a!.lessOrEqual(b!));
export const max: GradientRule = ({ dy }, a, b) => share(dy, a!.greater(b!), a!.greaterOrEqual(b!));
function share(dy: Value, strictly: Value, orEqual: Value): [Value, Value] {
  const da = dy.mul(strictly.cast(dy.dtype).add(orEqual.cast(dy.dtype)).mul(0.5));
  return [da, dy.sub(da)];
}
/** y = erf x: dy/dx = 2/√π · exp(-x²). */
export const erf: GradientRule = ({ dy }, x) => [dy.mul(x!.mul(x!).neg().exp().mul(2 / Math.sqrt(Math.PI)))];

/** y = x·s with s = sigmoid(αx): dy/dx = s + α·y·(1-s). */
export const quickGelu: GradientRule = ({ dy, y, attributes }, x) => {
  const alpha = float(attributes, "alpha", 1.702), s = (alpha === 1 ? x! : x!.mul(alpha)).sigmoid();
  const rest = y.sub(y.mul(s));
  return [dy.mul(s.add(alpha === 1 ? rest : rest.mul(alpha)))];
};

const GELU_CUBE = 0.044715, GELU_ROOT = Math.sqrt(2 / Math.PI);
/** u(x) = √(2/π)·(x + 0.044715·x³), of which gelu's tanh approximation takes the tanh (Hendrycks & Gimpel, 2016). */
export function geluTanhInner(x: Value): Value {
  return x.mul(x.mul(x).mul(GELU_CUBE * GELU_ROOT).add(GELU_ROOT));
}
/** y = x/2·(1 + t) with t = tanh u(x): dy/dx = (1 + t)/2 · (1 + x·(1 - t)·u'), u' = √(2/π)·(1 + 3·0.044715·x²). */
export const fastGelu: GradientRule = ({ dy }, x) => {
  const t = geluTanhInner(x!).tanh(), slope = x!.mul(x!).mul(3 * GELU_CUBE * GELU_ROOT).add(GELU_ROOT);
  return [dy.mul(t.add(1).mul(0.5)).mul(x!.mul(t.neg().add(1)).mul(slope).add(1))];
};

/**
 * Y = α·op(A)·op(B). dA = α·dY·op(B)ᵀ and dB = α·op(A)ᵀ·dY, transposed back where op transposes; every transposition is
 * a flag of the product. A batched A against one matrix B is flattened first: one product instead of one per batch and a sum.
 */
export const matmul: GradientRule = ({ dy, attributes }, a, b) => {
  const ta = !!int(attributes, "transA", 0), tb = !!int(attributes, "transB", 0), alpha = float(attributes, "alpha", 1);
  const da = ta
    ? b!.matmul(dy, { transposeA: tb, transposeB: true, alpha })
    : dy.matmul(b!, { transposeB: !tb, alpha });
  const flat = b!.rank === 2 && a!.rank > 2 && !ta;
  const a2 = flat ? a!.reshape([-1, a!.dims.at(-1)!]) : a!, dy2 = flat ? dy.reshape([-1, dy.dims.at(-1)!]) : dy;
  const db = tb
    ? dy2.matmul(a2, { transposeA: true, transposeB: ta, alpha })
    : a2.matmul(dy2, { transposeA: !ta, alpha });
  return [da, db];
};
export const gemm: GradientRule = (node, a, b, c) => {
  const beta = float(node.attributes, "beta", 1);
  return [...matmul(node, a!, b!), c ? (beta === 1 ? node.dy : node.dy.mul(beta)) : null];
};

/** Restores reduced axes as 1, so that dy broadcasts against x. */
function kept(dy: Value, x: Value, axes: Value): Value {
  const drop = new Set(x.graph.data(axes).map((axis) => axisOf(axis, x.rank)));
  return dy.reshape(x.dims.map((n, i) => (drop.has(i) ? 1 : n)));
}
export const reduceSum: GradientRule = ({ dy }, x, axes) => [kept(dy, x!, axes!), null];
export const reduceMean: GradientRule = ({ dy }, x, axes) => {
  const count = x!.graph.data(axes!).reduce((n, axis) => n * x!.dims[axisOf(axis, x!.rank)]!, 1);
  return [kept(dy, x!, axes!).mul(1 / count), null];
};
export const reduceSumSquare: GradientRule = ({ dy }, x, axes) => [kept(dy, x!, axes!).mul(2).mul(x!), null];
/** The positions of the largest share dy equally. */
export const reduceMax: GradientRule = ({ dy, y }, x, axes) => {
  const mask = x!.equal(kept(y, x!, axes!)).cast(dy.dtype);
  return [mask.mul(kept(dy, x!, axes!).div(mask.sum(x!.graph.data(axes!)))), null];
};

/** p = softmax(x): dx = p·(dy - Σ dy·p). */
export const softmax: GradientRule = ({ dy, y, attributes }) => [dy.sub(dy.mul(y).sum(int(attributes, "axis"))).mul(y)];
/**
 * y = log softmax(x): dx = dy - exp(y)·Σ dy. Where dy is one number per row, d at an index (of a token's log-prob), that is
 * -d·exp(y) with d added there: neither dy nor its sum is written out.
 */
export const logSoftmax: GradientRule = ({ dy, y, attributes }) => {
  const axis = int(attributes, "axis"), [zeros, indices, d] = dy.node?.op === "ScatterElements" ? dy.node.inputs : [];
  const isSparse = zeros?.node?.op === "ConstantOfShape" && d!.dims.at(axis) === 1 &&
    axisOf(int(dy.node!.attributes, "axis"), dy.rank) === axisOf(axis, dy.rank);
  if (!isSparse) return [dy.sub(y.exp().mul(dy.sum(axis)))];
  return [y.exp().mul(d!.neg()).scatterElements(indices!, d!, axis)];
};
/** y = x·r·w with r = 1/sqrt(mean x² + eps), x̂ = x·r: dx = r·(dy·w - x̂·mean(dy·w·x̂)), dw = Σ dy·x̂. */
export const rmsNorm: GradientRule = ({ dy, ys }, x, weight) => {
  const r = ys[1]!, normal = x!.mul(r), dnormal = dy.mul(weight!);
  return [dnormal.sub(normal.mul(dnormal.mul(normal).mean(-1))).mul(r), dy.mul(normal)];
};

export const transpose: GradientRule = ({ dy, attributes }) => {
  const perm = ints(attributes, "perm");
  return [dy.transpose(perm.map((_, i) => perm.indexOf(i)))];
};
export const cast: GradientRule = ({ dy }, x) => [isFloat(x!.dtype) ? dy.cast(x!.dtype) : null];
export const concat: GradientRule = ({ dy, attributes }, ...inputs) => {
  const axis = axisOf(int(attributes, "axis"), dy.rank);
  return inputs.length === 1 ? [dy] : dy.split(axis, inputs.map((x) => x.dims[axis]!));
};
export const split: GradientRule = ({ dys, ys, attributes }) => {
  const parts = ys.map((y, i) => dys[i] ?? y.graph.zeros(y.dims, y.dtype));
  return [parts[0]!.concat(parts.slice(1), int(attributes, "axis")), null];
};
export const slice: GradientRule = ({ dy }, x, starts, _ends, axes, steps) => {
  const { graph } = x!, before = x!.dims.map(() => 0), after = [...before];
  if (steps && graph.data(steps).some((n) => n !== 1)) {
    throw new RangeError(`Cannot differentiate Slice with steps [${graph.data(steps)}]: want 1`);
  }
  for (const [i, a] of graph.data(axes!).entries()) {
    const axis = axisOf(a, x!.rank), size = x!.dims[axis]!, start = graph.data(starts!)[i]!;
    before[axis] = Math.min(start < 0 ? Math.max(start + size, 0) : start, size);
    after[axis] = size - before[axis] - dy.dims[axis]!;
  }
  return [dy.pad(before, after), null, null, null, null];
};
export const pad: GradientRule = ({ dy }, x, pads) => {
  const before = x!.graph.data(pads!).slice(0, x!.rank);
  return [dy.slice(before, before.map((n, i) => n + x!.dims[i]!), before.map((_, i) => i)), null, null];
};
export const cumsum: GradientRule = ({ dy, attributes }, x, axis) => {
  const exclusive = !!int(attributes, "exclusive", 0), reverse = !int(attributes, "reverse", 0);
  return [dy.cumsum(x!.graph.data(axis!)[0]!, { exclusive, reverse }), null];
};
export const topK: GradientRule = ({ dys, ys, attributes }, x) => {
  if (!dys[0]) return [null, null];
  return [zerosLike(x!).scatterElements(ys[1]!, dys[0], int(attributes, "axis")), null];
};

export function zerosLike(x: Value): Value {
  return x.graph.zeros(x.dims, x.dtype);
}
/** dx gets dy's rows added where they were read; an axis other than 0 is brought to the front and back. */
export const gather: GradientRule = ({ dy, attributes }, x, indices) => {
  const axis = axisOf(int(attributes, "axis"), x!.rank), rest = x!.dims.filter((_, i) => i !== axis);
  const count = indices!.dims.reduce((a, b) => a * b, 1), n = indices!.rank;
  const toFront = [
    ...indices!.dims.map((_, i) => axis + i),
    ...x!.dims.map((_, i) => i).slice(0, axis),
    ...x!.dims.map((_, i) => i + n).slice(axis, -1),
  ];
  const rows = dy.transpose(toFront).reshape([count, ...rest]);
  const sums = x!.graph.zeros([x!.dims[axis]!, ...rest], x!.dtype).scatterND(indices!.reshape([count, 1]), rows);
  const back = x!.dims.map((_, i) => (i === axis ? 0 : i < axis ? i + 1 : i));
  return [sums.transpose(back), null];
};
export const gatherND: GradientRule = ({ dy, attributes }, x, indices) => {
  if (int(attributes, "batch_dims", 0)) {
    throw new RangeError(`Cannot differentiate GatherND with batch_dims: put the batch into the indices`);
  }
  return [zerosLike(x!).scatterND(indices!, dy), null];
};
