/** One tensor of a graph under construction, with a method per op so that a model reads as a chain. @module */
import { type DType, DTYPES, type Shape, type TensorType } from "./dtype.ts";
import type { Graph } from "./graph.ts";
import { groupQueryAttention, type GroupQueryAttentionOptions } from "./attention.ts";
import type { Attributes, MatMulOptions, Node } from "./node.ts";
import type { OpType } from "./ops.ts";
import { expandTarget, named, reshapeTarget } from "./target_shapes.ts";

export class Value implements TensorType {
  constructor(
    readonly graph: Graph,
    readonly id: number,
    public name: string,
    readonly dtype: DType,
    readonly shape: Shape,
    readonly node: Node | null = null,
    readonly outputIndex = 0,
  ) {}

  /** The shape as numbers; RangeError if a dimension is symbolic. */
  get dims(): readonly number[] {
    const symbol = this.shape.find((dim) => typeof dim === "string");
    if (symbol !== undefined) {
      throw new RangeError(
        `Cannot use [${this.shape}] of "${this.name}" as numbers: dimension "${symbol}" is symbolic`,
      );
    }
    return this.shape as readonly number[];
  }
  get rank(): number {
    return this.shape.length;
  }
  #emit(op: OpType, others: readonly (Value | null)[] = [], attributes: Attributes = {}): Value {
    return this.graph.emit(op, [this, ...others], attributes);
  }
  #value(x: Value | number): Value {
    return typeof x === "number" ? this.graph.scalar(x, this.dtype) : x;
  }

  // ***** elementwise *****
  add(b: Value | number): Value {
    return this.#emit("Add", [this.#value(b)]);
  }
  sub(b: Value | number): Value {
    return this.#emit("Sub", [this.#value(b)]);
  }
  mul(b: Value | number): Value {
    return this.#emit("Mul", [this.#value(b)]);
  }
  div(b: Value | number): Value {
    return this.#emit("Div", [this.#value(b)]);
  }
  pow(b: Value | number): Value {
    return this.#emit("Pow", [this.#value(b)]);
  }
  min(b: Value | number): Value {
    return this.#emit("Min", [this.#value(b)]);
  }
  max(b: Value | number): Value {
    return this.#emit("Max", [this.#value(b)]);
  }
  neg(): Value {
    return this.#emit("Neg");
  }
  exp(): Value {
    return this.#emit("Exp");
  }
  log(): Value {
    return this.#emit("Log");
  }
  sqrt(): Value {
    return this.#emit("Sqrt");
  }
  abs(): Value {
    return this.#emit("Abs");
  }
  sign(): Value {
    return this.#emit("Sign");
  }
  reciprocal(): Value {
    return this.#emit("Reciprocal");
  }
  sigmoid(): Value {
    return this.#emit("Sigmoid");
  }
  tanh(): Value {
    return this.#emit("Tanh");
  }
  /** x·sigmoid(x). */
  silu(): Value {
    return this.graph.lowering(this.dtype).silu(this);
  }
  /** x·sigmoid(1.702 x). */
  quickGelu(): Value {
    return this.graph.lowering(this.dtype).quickGelu(this);
  }
  /** x·Φ(x), Φ the normal distribution: torch's gelu. */
  gelu(): Value {
    return this.mul(this.mul(Math.SQRT1_2).erf().add(1)).mul(0.5);
  }
  erf(): Value {
    return this.#emit("Erf");
  }
  /** x/2 · (1 + tanh(√(2/π) · (x + 0.044715 x³))): torch's gelu with approximate="tanh". */
  geluTanh(): Value {
    return this.graph.lowering(this.dtype).geluTanh(this);
  }
  /** Limits to [lo, hi]; null leaves that side open. The gradient is 1 inside and on the limits, 0 outside. */
  clip(lo: number | Value | null, hi: number | Value | null): Value {
    return this.#emit("Clip", [lo === null ? null : this.#value(lo), hi === null ? null : this.#value(hi)]);
  }
  /** The same numbers through which no gradient flows; costs nothing at run time. */
  stopGradient(): Value {
    return this.#emit("StopGradient");
  }
  /**
   * The same numbers, bit for bit but for -0, which becomes 0, that are there only once all of `others` are: a copy that
   * says when what reads it may run. `others` are floats of static shapes with an element at least.
   */
  after(others: readonly Value[]): Value {
    if (others.length === 0) return this;
    const [first, ...rest] = others.map((x) => x.reshape([-1]).slice([0], [1], [0]).cast(others[0]!.dtype));
    const read = first!.concat(rest, 0).reduceMax(), never = read.greater(read); // also where it is NaN
    return this.add(never.cast(this.dtype));
  }
  cast(dtype: DType): Value {
    return dtype === this.dtype ? this : this.#emit("Cast", [], { to: DTYPES[dtype].code });
  }

  // ***** comparison and logic: bool tensors *****
  greater(b: Value | number): Value {
    return this.#emit("Greater", [this.#value(b)]);
  }
  greaterOrEqual(b: Value | number): Value {
    return this.#emit("GreaterOrEqual", [this.#value(b)]);
  }
  less(b: Value | number): Value {
    return this.#emit("Less", [this.#value(b)]);
  }
  lessOrEqual(b: Value | number): Value {
    return this.#emit("LessOrEqual", [this.#value(b)]);
  }
  equal(b: Value | number): Value {
    return this.#emit("Equal", [this.#value(b)]);
  }
  and(b: Value): Value {
    return this.#emit("And", [b]);
  }
  or(b: Value): Value {
    return this.#emit("Or", [b]);
  }
  isNaN(): Value {
    return this.#emit("IsNaN");
  }
  isInf(): Value {
    return this.#emit("IsInf");
  }
  /** This bool tensor chooses between `a` (true) and `b` (false); a number takes the other's dtype (both: float32). */
  where(a: Value | number, b: Value | number): Value {
    const dtype = typeof a === "object" ? a.dtype : typeof b === "object" ? b.dtype : "float32";
    return this.#emit("Where", [a, b].map((x) => (typeof x === "number" ? this.graph.scalar(x, dtype) : x)));
  }

  // ***** linear algebra *****
  /** alpha · op(this) · op(b) over the last two axes, batches broadcast. */
  matmul(b: Value, options: MatMulOptions = {}): Value {
    return this.graph.lowering(this.dtype).matmul(this, b, options);
  }
  /** alpha · op(this) · op(b) + beta · c for matrices; c broadcasts to the product. */
  gemm(b: Value, c: Value | null = null, options: MatMulOptions & { readonly beta?: number } = {}): Value {
    const { transposeA = false, transposeB = false, alpha = 1, beta = 1 } = options;
    const attributes = { transA: +transposeA, transB: +transposeB, alpha: { float: alpha }, beta: { float: beta } };
    return this.#emit("Gemm", c ? [b, c] : [b], attributes);
  }

  // ***** movement *****
  transpose(perm: readonly number[]): Value {
    return perm.every((axis, i) => axis === i) && perm.length === this.rank
      ? this
      : this.#emit("Transpose", [], { perm });
  }
  /** Swaps the last two axes. */
  mT(): Value {
    const n = this.rank, perm = this.shape.map((_, i) => (i < n - 2 ? i : 2 * n - 3 - i));
    return this.transpose(perm);
  }
  /**
   * -1 stands for what is left; a name keeps a symbolic dimension (the same place, or what is left).
   * `concealed` hides the shape from ONNX Runtime, which else keeps the memory of one tensor for the next of its shape.
   */
  reshape(shape: Shape, { concealed = false }: { readonly concealed?: boolean } = {}): Value {
    if (`${shape}` === `${this.shape}` && shape.length === this.rank && !concealed) return this;
    const target = reshapeTarget(this.shape, shape);
    const to = concealed ? this.graph.concealedInt64(target) : this.graph.int64(target);
    return this.graph.emitMany("Reshape", [this, to], {}, named(shape))[0]!;
  }
  /** Broadcasts to `shape`; a symbolic dimension must be the tensor's own. */
  expand(shape: Shape): Value {
    if (`${shape}` === `${this.shape}` && shape.length === this.rank) return this;
    return this.#emit("Expand", [this.graph.int64(expandTarget(this.shape, shape))]);
  }
  concat(others: readonly Value[], axis: number): Value {
    return others.length ? this.#emit("Concat", others, { axis }) : this;
  }
  split(axis: number, parts: readonly number[]): Value[] {
    return this.graph.emitMany("Split", [this, this.graph.int64(parts)], { axis });
  }
  slice(starts: readonly number[], ends: readonly number[], axes: readonly number[], steps?: readonly number[]): Value {
    const { graph } = this, more = steps ? [graph.int64(steps)] : [];
    return this.#emit("Slice", [graph.int64(starts), graph.int64(ends), graph.int64(axes), ...more]);
  }
  /** Adds `before[i]` and `after[i]` elements of `value` around axis i. */
  pad(before: readonly number[], after: readonly number[], value = 0): Value {
    return this.#emit("Pad", [this.graph.int64([...before, ...after]), this.#value(value)]);
  }

  // ***** reductions: without axes the result is a scalar, with axes they are kept as 1 unless keepdims is false *****
  #reduce(op: OpType, axes: number | readonly number[] | undefined, keepdims: boolean): Value {
    const list = axes === undefined ? this.shape.map((_, i) => i) : typeof axes === "number" ? [axes] : axes;
    const positive = list.map((axis) => (axis < 0 ? axis + this.rank : axis)).sort((a, b) => a - b);
    return positive.length ? this.#emit(op, [this.graph.int64(positive)], { keepdims: +keepdims }) : this;
  }
  sum(axes?: number | readonly number[], keepdims = axes !== undefined): Value {
    return this.#reduce("ReduceSum", axes, keepdims);
  }
  mean(axes?: number | readonly number[], keepdims = axes !== undefined): Value {
    return this.#reduce("ReduceMean", axes, keepdims);
  }
  /** Ties share the gradient. */
  reduceMax(axes?: number | readonly number[], keepdims = axes !== undefined): Value {
    return this.#reduce("ReduceMax", axes, keepdims);
  }
  reduceSumSquare(axes?: number | readonly number[], keepdims = axes !== undefined): Value {
    return axes === undefined && this.rank === 0 ? this.mul(this) : this.#reduce("ReduceSumSquare", axes, keepdims);
  }
  /** int64 indices of the largest. */
  argMax(axis = -1, keepdims = false): Value {
    return this.#emit("ArgMax", [], { axis, keepdims: +keepdims });
  }
  cumsum(axis = -1, { exclusive = false, reverse = false } = {}): Value {
    const at = this.graph.scalar(axis < 0 ? axis + this.rank : axis, "int64");
    return this.#emit("CumSum", [at], { exclusive: +exclusive, reverse: +reverse });
  }
  softmax(axis = -1): Value {
    return this.#emit("Softmax", [], { axis });
  }
  logSoftmax(axis = -1): Value {
    return this.graph.lowering(this.dtype).logSoftmax(this, axis);
  }
  /** [values, int64 indices] of the k largest, sorted. */
  topK(k: number, { axis = -1, largest = true } = {}): [Value, Value] {
    const attributes = { axis, largest: +largest, sorted: 1 };
    return this.graph.emitMany("TopK", [this, this.graph.int64([k])], attributes) as [Value, Value];
  }

  // ***** look-up *****
  gather(indices: Value, axis = 0): Value {
    return this.#emit("Gather", [indices], { axis });
  }
  gatherElements(indices: Value, axis = -1): Value {
    return this.#emit("GatherElements", [indices], { axis });
  }
  gatherND(indices: Value, batchDims = 0): Value {
    return this.#emit("GatherND", [indices], { batch_dims: batchDims });
  }
  /** A copy with `updates` added at `indices` along `axis`; duplicates add up. */
  scatterElements(indices: Value, updates: Value, axis = -1): Value {
    return this.#emit("ScatterElements", [indices, updates], { axis, reduction: "add" });
  }
  /** A copy with `updates` added at the coordinates `indices`; duplicates add up, in the order of the indices. */
  scatterND(indices: Value, updates: Value): Value {
    return this.graph.lowering(this.dtype).scatterND(this, indices, updates);
  }

  // ***** transformer *****
  /** x / sqrt(mean(x²) + eps) · weight over the last axis. */
  rmsNorm(weight: Value, eps = 1e-6): Value {
    return this.graph.lowering(this.dtype).rmsNorm(this, weight, eps);
  }
  /** [rmsNorm(this + skip), this + skip]. */
  skipRmsNorm(skip: Value, weight: Value, eps = 1e-6): [Value, Value] {
    return this.graph.lowering(this.dtype).skipRmsNorm(this, skip, weight, eps);
  }
  /** Rotates halves of the last axis: x [B, H, T, size], positions int64 [B, T], cos and sin [positions, size/2]. */
  rotary(positions: Value, cos: Value, sin: Value): Value {
    return this.graph.lowering(this.dtype).rotary(this, positions, cos, sin);
  }
  /** Logits [N, V] and int64 ids [N] to log p(id) [N] and log p of the whole vocabulary [N, V], nats. */
  tokenLogprobs(ids: Value): [of: Value, all: Value] {
    return this.graph.lowering(this.dtype).tokenLogprobs(this, ids);
  }
  /** [y [B, T, H·size], presentKey, presentValue]; causal, right-aligned to the cache; inference only, head size % 16 = 0. */
  groupQueryAttention(options: GroupQueryAttentionOptions): [Value, Value, Value] {
    return groupQueryAttention(this, options);
  }
}
