/** Shape rules: from an op's inputs and attributes, the dtype and shape of each output. @module */
import type { Dim, DType, Shape, TensorType } from "./dtype.ts";
import type { Attributes } from "./node.ts";
import type { Value } from "./value.ts";

type Inputs = readonly (Value | null)[];
export type Infer = (inputs: Inputs, attributes: Attributes) => TensorType | readonly TensorType[];

export function int(attributes: Attributes, name: string, otherwise?: number): number {
  const value = attributes[name] ?? otherwise;
  if (typeof value !== "number") {
    throw new TypeError(`Cannot read attribute "${name}": it is ${value}, want an integer`);
  }
  return value;
}
export function ints(attributes: Attributes, name: string): readonly number[] {
  const value = attributes[name];
  if (!Array.isArray(value)) throw new TypeError(`Cannot read attribute "${name}": it is ${value}, want integers`);
  return value;
}
export function float(attributes: Attributes, name: string, otherwise: number): number {
  const value = attributes[name];
  return typeof value === "object" && "float" in value ? value.float : otherwise;
}
/** A possibly negative axis as 0..rank-1. */
export function axisOf(axis: number, rank: number): number {
  const at = axis < 0 ? axis + rank : axis;
  if (!(at >= 0 && at < rank)) throw new RangeError(`Cannot use axis ${axis}: the tensor has rank ${rank}`);
  return at;
}

// ***** broadcasting *****

function broadcastDim(m: Dim, n: Dim): Dim | null {
  if (m === n || n === 1) return m;
  return m === 1 ? n : null;
}
/** NumPy broadcasting; RangeError naming the axis that does not fit. */
export function broadcastShapes(a: Shape, b: Shape): Dim[] {
  const rank = Math.max(a.length, b.length);
  return Array.from({ length: rank }, (_, i) => {
    const m = a[i - rank + a.length] ?? 1, n = b[i - rank + b.length] ?? 1;
    const dim = broadcastDim(m, n);
    if (dim === null) throw new RangeError(`Cannot broadcast [${a}] and [${b}]: axis ${i} is ${m} and ${n}`);
    return dim;
  });
}
function sameDType(values: readonly Value[], what: string): DType {
  const [first, ...rest] = values;
  for (const value of rest) {
    if (value.dtype !== first!.dtype) {
      throw new TypeError(
        `Cannot ${what} "${first!.name}" and "${value.name}": dtypes are ${
          first!.dtype
        } and ${value.dtype}, want the same; cast one`,
      );
    }
  }
  return first!.dtype;
}

// ***** rules *****

export const same: Infer = ([x]) => x!;
export const broadcast: Infer = ([a, b]) => ({
  dtype: sameDType([a!, b!], "combine"),
  shape: broadcastShapes(a!.shape, b!.shape),
});
export const power: Infer = ([a, b]) => ({ dtype: a!.dtype, shape: broadcastShapes(a!.shape, b!.shape) });
export const compare: Infer = ([a, b]) => ({
  dtype: (sameDType([a!, b!], "compare"), "bool"),
  shape: broadcastShapes(a!.shape, b!.shape),
});
export const bool: Infer = ([x]) => ({ dtype: "bool", shape: x!.shape });
export const where: Infer = ([c, a, b]) => {
  if (c!.dtype !== "bool") throw new TypeError(`Cannot select by "${c!.name}": dtype is ${c!.dtype}, want bool`);
  return {
    dtype: sameDType([a!, b!], "select from"),
    shape: broadcastShapes(c!.shape, broadcastShapes(a!.shape, b!.shape)),
  };
};
const CAST: Record<number, DType> = {
  1: "float32",
  2: "uint8",
  6: "int32",
  7: "int64",
  9: "bool",
  10: "float16",
  11: "float64",
};
export const cast: Infer = ([x], attributes) => ({ dtype: CAST[int(attributes, "to")]!, shape: x!.shape });

export const matmul: Infer = ([a, b], attributes) => {
  const [m, k] = lastTwo(a!, int(attributes, "transA", 0)), [l, n] = lastTwo(b!, int(attributes, "transB", 0));
  if (k !== l) throw new RangeError(`Cannot multiply [${a!.shape}] by [${b!.shape}]: inner sizes are ${k} and ${l}`);
  const batch = broadcastShapes(a!.shape.slice(0, -2), b!.shape.slice(0, -2));
  return { dtype: sameDType([a!, b!], "multiply"), shape: [...batch, m, n] };
};
function lastTwo(x: Value, transposed: number): [Dim, Dim] {
  if (x.shape.length < 2) {
    throw new RangeError(`Cannot multiply "${x.name}": shape is [${x.shape}], want rank 2 or more`);
  }
  const m = x.shape.at(-2)!, n = x.shape.at(-1)!;
  return transposed ? [n, m] : [m, n];
}
export const gemm: Infer = (inputs, attributes) => {
  const [a, b, c] = inputs;
  if (a!.shape.length !== 2 || b!.shape.length !== 2) {
    throw new RangeError(`Cannot apply Gemm to [${a!.shape}] and [${b!.shape}]: want rank 2; use matmul`);
  }
  const type = matmul(inputs, attributes) as TensorType;
  if (c && `${broadcastShapes(type.shape, c.shape)}` !== `${type.shape}`) {
    throw new RangeError(`Cannot add [${c.shape}] in Gemm: it does not broadcast to [${type.shape}]`);
  }
  return type;
};
export const reduce: Infer = ([x, axes], attributes) => reduced(x!, x!.graph.data(axes!), attributes, x!.dtype);
export const argMax: Infer = ([x], attributes) => reduced(x!, [int(attributes, "axis")], attributes, "int64");
function reduced(x: Value, axes: readonly number[], attributes: Attributes, dtype: DType): TensorType {
  const drop = new Set(axes.map((axis) => axisOf(axis, x.shape.length)));
  if (int(attributes, "keepdims", 1)) return { dtype, shape: x.shape.map((n, i) => (drop.has(i) ? 1 : n)) };
  return { dtype, shape: x.shape.filter((_, i) => !drop.has(i)) };
}
export const transpose: Infer = ([x], attributes) => {
  const perm = ints(attributes, "perm");
  if (perm.length !== x!.shape.length || perm.some((_, i) => !perm.includes(i))) {
    throw new RangeError(
      `Cannot transpose [${x!.shape}] by [${perm}]: want a permutation of its ${x!.shape.length} axes`,
    );
  }
  return { dtype: x!.dtype, shape: perm.map((i) => x!.shape[i]!) };
};
/** Product of dimensions as one: a number, or a name such as "2*B". */
function product(shape: Shape): Dim {
  const symbols = shape.filter((dim) => typeof dim === "string").sort();
  const size = shape.reduce<number>((n, dim) => (typeof dim === "number" ? n * dim : n), 1);
  if (!symbols.length || size === 0) return size;
  return (size === 1 ? symbols : [size, ...symbols]).join("*");
}
export const reshape: Infer = ([x, target]) => {
  const from = x!.shape, to: (Dim | -1)[] = x!.graph.data(target!).map((n, i) => (n === 0 ? from[i] ?? 0 : n));
  const refuse = () => new RangeError(`Cannot reshape [${from}] to [${to}]: the numbers of elements differ`);
  const left = [...from], known: Dim[] = [];
  for (const dim of to) {
    const at = typeof dim === "string" ? left.indexOf(dim) : -1;
    if (at >= 0) left.splice(at, 1);
    else if (dim !== -1) known.push(dim);
  }
  const total = product(left), rest = product(known);
  if (typeof rest === "string") throw refuse();
  const hole = to.indexOf(-1);
  if (hole < 0) {
    if (total !== rest) throw refuse();
    return { dtype: x!.dtype, shape: to };
  }
  if (typeof total === "number") {
    if (rest === 0 || total % rest) throw refuse();
    to[hole] = total / rest;
  } else {
    const [, factor, symbols] = total.match(/^(?:(\d+)\*)?(.*)$/)!, n = Number(factor ?? 1);
    if (n % rest) throw refuse();
    to[hole] = n === rest ? symbols! : `${n / rest}*${symbols}`;
  }
  return { dtype: x!.dtype, shape: to };
};
export const expand: Infer = ([x, target]) => ({
  dtype: x!.dtype,
  shape: broadcastShapes(x!.shape, x!.graph.data(target!)),
});
export const constantOfShape: Infer = ([shape]) => ({ dtype: "float32", shape: shape!.graph.data(shape!) });
export const gather: Infer = ([x, indices], attributes) => {
  const axis = axisOf(int(attributes, "axis"), x!.shape.length);
  return { dtype: x!.dtype, shape: [...x!.shape.slice(0, axis), ...indices!.shape, ...x!.shape.slice(axis + 1)] };
};
export const gatherElements: Infer = ([x, indices], attributes) => {
  axisOf(int(attributes, "axis"), x!.shape.length);
  if (x!.shape.length !== indices!.shape.length) {
    throw new RangeError(`Cannot gather elements of [${x!.shape}] by [${indices!.shape}]: want equal ranks`);
  }
  return { dtype: x!.dtype, shape: indices!.shape };
};
export const gatherND: Infer = ([x, indices], attributes) => {
  const batch = int(attributes, "batch_dims", 0), depth = indices!.shape.at(-1);
  if (typeof depth !== "number" || batch + depth > x!.shape.length) {
    throw new RangeError(
      `Cannot gather from [${x!.shape}] by [${indices!.shape}]: want at most ${x!.shape.length} coordinates`,
    );
  }
  return { dtype: x!.dtype, shape: [...indices!.shape.slice(0, -1), ...x!.shape.slice(batch + depth)] };
};
export const concat: Infer = (inputs, attributes) => {
  const values = inputs as readonly Value[],
    first = values[0]!,
    axis = axisOf(int(attributes, "axis"), first.shape.length);
  for (const value of values) {
    const fits = value.shape.length === first.shape.length &&
      value.shape.every((n, i) => i === axis || n === first.shape[i]);
    if (!fits) {
      throw new RangeError(`Cannot join [${first.shape}] and [${value.shape}] along axis ${axis}: other axes differ`);
    }
  }
  const sizes = values.map((value) => value.shape[axis]!);
  const total = sizes.every((n) => typeof n === "number") ? sizes.reduce((a, b) => a + b, 0) : sizes.join("+");
  return { dtype: sameDType(values, "join"), shape: first.shape.map((n, i) => (i === axis ? total : n)) };
};
export const split: Infer = ([x, parts], attributes) => {
  const axis = axisOf(int(attributes, "axis"), x!.shape.length), sizes = x!.graph.data(parts!);
  if (sizes.reduce((a, b) => a + b, 0) !== x!.shape[axis]) {
    throw new RangeError(
      `Cannot split [${x!.shape}] along axis ${axis} into [${sizes}]: they do not add up to ${x!.shape[axis]}`,
    );
  }
  return sizes.map((size) => ({ dtype: x!.dtype, shape: x!.shape.map((n, i) => (i === axis ? size : n)) }));
};
export const slice: Infer = ([x, starts, ends, axes, steps]) => {
  const { graph } = x!, shape = [...x!.shape], step = steps ? graph.data(steps) : [];
  const from = graph.data(starts!), to = graph.data(ends!);
  for (const [i, a] of graph.data(axes!).entries()) {
    const axis = axisOf(a, shape.length), size = shape[axis]!, by = step[i] ?? 1;
    if (typeof size === "string") throw new RangeError(`Cannot slice axis ${axis} of [${x!.shape}]: it is symbolic`);
    const clamp = (n: number, lo: number, hi: number) => Math.min(Math.max(n < 0 ? n + size : n, lo), hi);
    const [lo, hi] = by > 0
      ? [clamp(from[i]!, 0, size), clamp(to[i]!, 0, size)]
      : [clamp(from[i]!, 0, size - 1), clamp(to[i]!, -1, size - 1)];
    shape[axis] = Math.max(0, Math.ceil((hi - lo) / by));
  }
  return { dtype: x!.dtype, shape };
};
export const pad: Infer = ([x, pads]) => {
  const amounts = x!.graph.data(pads!), rank = x!.shape.length;
  const shape = x!.shape.map((n, i) => {
    const more = amounts[i]! + amounts[i + rank]!;
    if (typeof n === "string" && more) throw new RangeError(`Cannot pad axis ${i} of [${x!.shape}]: it is symbolic`);
    return typeof n === "string" ? n : n + more;
  });
  return { dtype: x!.dtype, shape };
};
export const topK: Infer = ([x, k], attributes) => {
  const axis = axisOf(int(attributes, "axis"), x!.shape.length), [count] = x!.graph.data(k!);
  const size = x!.shape[axis]!;
  if (typeof size === "number" && count! > size) {
    throw new RangeError(`Cannot take the top ${count} of [${x!.shape}]: axis ${axis} has ${size}`);
  }
  const shape = x!.shape.map((n, i) => (i === axis ? count! : n));
  return [{ dtype: x!.dtype, shape }, { dtype: "int64", shape }];
};
export const rmsNorm: Infer = ([x, weight]) => {
  if (weight!.shape.length !== 1 || weight!.shape[0] !== x!.shape.at(-1)) {
    throw new RangeError(`Cannot normalize [${x!.shape}] with weight [${weight!.shape}]: want [${x!.shape.at(-1)}]`);
  }
  return [x!, { dtype: "float32", shape: [...x!.shape.slice(0, -1), 1] }];
};
export const skipRmsNorm: Infer = ([x, skip, weight]) => {
  rmsNorm([x!, weight!], {});
  if (`${x!.shape}` !== `${skip!.shape}`) {
    throw new RangeError(`Cannot add [${skip!.shape}] to [${x!.shape}]: want equal shapes`);
  }
  const statistic = { dtype: "float32", shape: [...x!.shape.slice(0, -1), 1] } as const;
  return [x!, statistic, statistic, x!];
};
export const rotary: Infer = ([x, positions, cos]) => {
  const [b, , t, size] = x!.shape;
  if (x!.shape.length !== 4 || typeof size !== "number" || cos!.shape[1] !== size / 2) {
    throw new RangeError(
      `Cannot rotate [${x!.shape}] by tables [${cos!.shape}]: want [B,H,T,size] and [positions,size/2]`,
    );
  }
  if (`${positions!.shape}` !== `${[b, t]}`) {
    throw new RangeError(`Cannot rotate [${x!.shape}]: positions are [${positions!.shape}], want [${b},${t}]`);
  }
  return x!;
};
export const groupQueryAttention: Infer = ([query, key, , pastKey, pastValue], attributes) => {
  const heads = int(attributes, "num_heads"), kvHeads = int(attributes, "kv_num_heads");
  const [b, t, width] = query!.shape, size = pastKey!.shape[3];
  const want = (typeof size === "number" ? size : 0) * (key ? heads : heads + 2 * kvHeads);
  if (query!.shape.length !== 3 || width !== want) {
    throw new RangeError(
      `Cannot attend with queries [${query!.shape}] and past keys [${pastKey!.shape}]: want [B,T,${want}]`,
    );
  }
  if (typeof size === "number" && size % 16) {
    throw new RangeError(`Cannot attend with head size ${size}: GroupQueryAttention wants a multiple of 16`);
  }
  return [{ dtype: query!.dtype, shape: [b!, t!, heads * (size as number)] }, pastKey!, pastValue!];
};
